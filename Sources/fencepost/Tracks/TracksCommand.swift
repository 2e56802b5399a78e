import AlarmEngine
import CalendarModel
import CommandLineTable
import PositionFeeds

extension CommandContext {
  /// `tracks TRACE…`.
  func tracks() throws {
    let interruption = try Interruption()
    interruption.listen()
    var failures: [String] = []
    for (index, path) in parsed.positionals("trace").enumerated() where !interruption.wasAsked {
      do {
        let survey = try survey(path, interruption)
        try console.flush()
        let printer = TraceSurveyPrinter(context: self, survey: survey)
        if json {
          try console.print(printer.json)
        } else {
          if index > 0 && console.isTerminal { try console.print("") }
          for line in printer.lines { try console.print(line) }
        }
        for cause in survey.interruptions { console.say("fencepost: \(cause)") }
        if survey.report.fixes == 0, !interruption.wasAsked {
          failures.append("\(FiringTable.plain(survey.report.name)): \(printer.nothingRead)")
        } else if let unread = printer.unread, !json, !console.isTerminal {
          console.say("fencepost: \(FiringTable.plain(survey.report.name)): \(unread)")
        }
      } catch let error as FeedError {
        if error.problem == .interrupted { break }
        // The other traces may be fine.
        failures.append(error.description)
      }
    }
    guard failures.isEmpty else { throw CommandError(failures.joined(separator: "\nfencepost: ")) }
  }

  private func survey(_ path: String, _ interruption: Interruption) throws -> TraceSurvey {
    let devices = DeviceRegistry()
    let reader = try openTrace(path, devices: devices, interruption)
    var progress = Progress(self)
    var survey = TraceSurvey(report: reader.report)
    var fixes: [Fix] = []
    do throws(FeedError) {
      while !interruption.wasAsked, try reader.read(into: &fixes, limit: 4096) {
        for fix in fixes { survey.add(fix) }
        progress.update(reader)
      }
    } catch {
      guard error.problem == .interrupted else { throw error }
    }
    progress.end()
    survey.report = reader.report
    survey.interruptions = reader.reports.compactMap(\.interruption)
    survey.names = devices.names
    return survey
  }
}

/// What is in a trace.
struct TraceSurvey {
  /// How many devices are told apart; the fixes of those that come after them are not looked into.
  static let deviceLimit = 10_000

  /// What the reader says of it.
  var report: TraceReport
  /// What ended it, or traces in it, before the end.
  var interruptions: [FeedError] = []
  /// The names of the devices, by number.
  var names: [String] = []
  private var surveys: [DeviceSurvey] = []

  /// A survey of a trace of which nothing was read yet.
  init(report: TraceReport) { self.report = report }

  /// Takes the next fix.
  mutating func add(_ fix: Fix) {
    let index = Int(fix.device.rawValue)
    guard index < TraceSurvey.deviceLimit else { return }
    while surveys.count <= index { surveys.append(DeviceSurvey()) }
    surveys[index].add(fix)
  }

  /// The devices that sent anything, by name, in the order in which they were seen.
  var devices: [(name: String, survey: DeviceSurvey)] {
    zip(names, surveys).filter { $0.1.fixes > 0 }.map { ($0, $1) }
  }
}
