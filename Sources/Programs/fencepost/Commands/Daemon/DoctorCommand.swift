import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostChannels
import FencepostCommandLineTable
import FencepostConfiguration
import FencepostDaemon
import FencepostDaemonControl
import FencepostDiagnosis
import FencepostJSON
import FencepostLiveFeeds
import FencepostPhrases
import FencepostSpatiotemporal
import FencepostWebApp
import FencepostWebClient

extension FencepostTable {
  static let doctor = Command(
    "doctor", summary: "Examine whether alarms will ring and be heard",
    discussion: [
      """
      Examines the daemon, feeds, devices, channels, lists, alarms, the clock, files, the disk and backups. Each finding \
      is `ok`, `warning` or `wrong`, with what to do. Exits with 1 if something is wrong.
      """,
      """
      Opens a connection to each server of a feed or channel, such as a broker, and closes it, within 3 s each. It sends \
      no alarm and no password: `fencepost alarms test` does.
      """,
    ],
    examples: [Example("fencepost doctor", "Is all well?")], options: [configFile, socket],
    action: .look(.collect) { try $0.doctor() })
}

extension CommandContext {
  /// `doctor`.
  ///
  /// - Throws: ``ExitCode/failure`` if something is wrong.
  func doctor() throws {
    let findings = findings(doctorFacts())
    for finding in findings {
      if json {
        try console.print(finding.json.line)
      } else {
        try print(finding)
      }
    }
    let worst = findings.map(\.level).max() ?? .ok
    if !json {
      let counts = [Finding.Level.wrong, .warning].compactMap { level -> String? in
        let count = findings.count { $0.level == level }
        guard count > 0 else { return nil }
        let text = level == .wrong ? "{n} wrong" : count == 1 ? "{n} warning" : "{n} warnings"
        return printedTexts(text, ["n": "\(count)"])
      }
      try console.print(counts.isEmpty ? printedTexts("all is well") : counts.joined(separator: ", "))
    }
    if worst == .wrong { throw ExitCode.failure }
  }

  /// What is found. Nothing ends the examination: what can't be read is a finding.
  private func findings(_ facts: DoctorFacts) -> [Finding] {
    var path: String?
    do {
      let file = try CalendarStore.file(at: storePath())
      path = file
      let store = try openStoreToLook()
      func examine(_ reader: borrowing StoreReader) throws -> [Finding] {
        try Doctor.examine(reader, at: file, facts, now: now, resolver: resolver)
      }
      do {
        // With what no daemon has scheduled yet.
        return try ChangeFollower.preview(of: store, by: try alarmSchedule(), at: now, examine)
      } catch {
        return try store.read(examine)
      }
    } catch {
      return Doctor.examine(withoutStore: "\(error)", at: path, facts, now: now, resolver: resolver)
    }
  }

  /// Says that no daemon runs, where that matters: to people, and once.
  ///
  /// - Parameter consequence: What follows: `this will not ring`, `these will not ring` or `none of these will
  ///   ring`.
  func sayIfNoDaemonRuns(so consequence: String) {
    guard console.isTerminal, !json else { return }
    do {
      guard try ControlSocket.status(at: controlSocket()) == nil else { return }
    } catch {
      // There is one, which does not answer.
      return
    }
    let advice = texts("'fencepost doctor' says what to do.")
    console.say(texts("No daemon runs, so \(consequence);") + " " + advice)
  }

  private func print(_ finding: Finding) throws {
    let texts = printedTexts
    let level = texts.named("level \(finding.level)", otherwise: finding.level.rawValue)
    let label = TextWidth.padded(level, to: 9)
    let painted = finding.level == .ok ? style.paint(label, .dim) : style.paint(label, .bold)
    let subject =
      texts.named("subject \(finding.subject)", otherwise: finding.subject)
      + (finding.name.map { " \($0)" } ?? "")
    try console.print(painted + "\(subject): \(texts.said(finding.text))".withoutControls)
    if let advice = finding.advice {
      let text = texts("do: ") + texts.said(advice).withoutControls
      try console.print(String(repeating: " ", count: 9) + style.paint(text, .dim))
    }
  }

  /// What the settings and this machine say.
  private func doctorFacts() -> DoctorFacts {
    var facts = DoctorFacts()
    /// What the settings say; a fault is noted, and the rest is read.
    func noting<Value>(_ read: () throws -> Value?) -> Value? {
      do {
        return try read()
      } catch {
        settings.faults?.add(error)
        return nil
      }
    }
    // Each setting, because a daemon needs all of them.
    for name in SettingName.allCases where name != .store && name != .socket {
      _ = noting { try configRows(name) }
    }
    let channels = noting { try settings.values(.channels) { try FilteredChannel($0) } } ?? []
    facts.channels = channels.map(DoctorFacts.Channel.init)
    facts.hasDesktop = DesktopAddress.isThere(in: console.environment)
    if let grace = noting({ try settings.value(.grace, as: SpanPhrase.seconds) }) { facts.grace = grace }
    let server = noting { try settings.value(.server) { try ServerAddress($0) } }
    facts.servesPages = server != nil
    // With a file of streets that can't be used, no daemon starts.
    if let file = server?.tileFile { _ = noting { try StreetsChoice(file) } }
    facts.exposedFiles = (try? settings.exposedFiles()) ?? []
    facts.serviceLingers = ServiceUnit.lingers(environment: console.environment)
    do {
      facts.daemon = try ControlSocket.status(at: controlSocket())
    } catch {
      facts.daemonFailure = "\(error)"
    }
    facts.connections = connections(of: channels, facts.daemon)
    if let daemon = facts.daemon { facts.add(channelsOf: daemon) }
    facts.settingsFaults = (settings.faults?.found ?? []).map(DoctorFacts.SettingsFault.init)
    return facts
  }

  /// Tries the servers of channels and feeds, each once. Feeds that the daemon has open are not tried.
  private func connections(of channels: [FilteredChannel], _ daemon: DaemonStatus?) -> [DoctorFacts
    .Connection]
  {
    let feeds = (try? settings.values(.feeds) { try FeedAddress($0) }) ?? []
    let open = Set((daemon?.feeds ?? []).filter { $0.state == "open" }.map(\.address))
    let servers =
      channels.map { ("channel", $0.channel.description, $0.channel.destination) }
      + feeds.filter { !open.contains($0.description) }.map { ("feed", $0.description, $0.origin) }
    var failures: [ServerCheck: String?] = [:]
    return servers.compactMap { subject, name, server in
      guard let server else { return nil }
      let failure = failures[server] ?? server.failure(within: 3)
      failures[server] = .some(failure)
      return DoctorFacts.Connection(subject: subject, name: name, place: server.place, failure: failure)
    }
  }
}

extension DoctorFacts.SettingsFault {
  fileprivate init(_ error: any Error) {
    switch error {
    case let error as ConfigurationError:
      // A file that can't be read may have channels.
      self.init(
        place: error.place, complaint: (error.key.map { "'\($0)': " } ?? "") + error.complaint,
        concernsChannels: error.key.map { $0 == SettingName.channels.rawValue } ?? true)
    case let error as SettingError:
      self.init(
        place: error.place, complaint: "'\(error.name.rawValue)': \(error.complaint)",
        concernsChannels: error.name == .channels)
    default: self.init(place: nil, complaint: "\(error)", concernsChannels: false)
    }
  }
}
