import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostGeofencing
import FencepostPositionFeeds
import FencepostSpatiotemporal

extension FencepostTable {
  static let tracks = Command(
    "tracks", summary: "Summarize a trace: devices, times, gaps, accuracy, speed",
    discussion: [
      """
      Reads each `TRACE` as `replay` does, without alarms. On a terminal it prints a block for each device; in a pipe, \
      one line with tabs: trace, format, device, fixes, segments, first and last time, seconds, median interval, \
      longest gap, gaps over ten minutes, median and worst accuracy, highest speed, metres, duplicates, late fixes, \
      jumps, rejected records.
      """
    ],
    examples: [Example("fencepost tracks Data/*.gpx Data/*.csv", "Summarize the example traces")],
    options: [traceFormat],
    positionals: [traces],
    action: .look { try $0.tracks() })
}

extension CommandContext {
  /// `tracks TRACE…`.
  func tracks() throws {
    let interruption = try Interruption()
    interruption.listen()
    var failures: [String] = []
    for (index, path) in parsed.positionals(.trace).enumerated() where !interruption.wasAsked {
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
        sayAssumedZones([survey.report])
        for cause in survey.interruptions { console.say("fencepost: \(cause)") }
        if survey.report.fixes == 0, !interruption.wasAsked {
          failures.append("\(survey.report.name.withoutControls): \(printer.nothingRead)")
        } else if let unread = printer.unread, !json, !console.isTerminal {
          console.say("fencepost: \(survey.report.name.withoutControls): \(unread)")
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
    var survey = TraceSurvey(report: reader.report, maxSpeed: RobustParameters().maxSpeed)
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
