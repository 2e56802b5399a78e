import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostChannels
import FencepostCommandLineTable
import FencepostDaemon
import FencepostDaemonControl
import FencepostDiagnosis
import FencepostJSON
import FencepostPhrases
import FencepostSpatiotemporal

extension FencepostTable {
  static let doctor = Command(
    "doctor", summary: "Examine whether alarms will ring and be heard",
    discussion: [
      """
      Examines the daemon, feeds, devices, channels, lists, alarms, the clock, files, the disk and backups. Each finding \
      is `ok`, `warning` or `wrong`, with what to do. Exits with 1 if something is wrong.
      """
    ],
    examples: [Example("fencepost doctor", "Is all well?")], options: [configFile, socket],
    action: .run(isUndoable: false) { try $0.doctor() })
}

extension CommandContext {
  /// `doctor`.
  ///
  /// - Throws: ``ExitCode/failure`` if something is wrong.
  func doctor() throws {
    let facts = try doctorFacts()
    let path = try CalendarStore.file(at: storePath())
    // With what no daemon has scheduled yet.
    let findings = try ChangeFollower.preview(of: openStoreToLook(), by: try alarmSchedule(), at: now) {
      try Doctor.examine($0, at: path, facts, now: now, resolver: resolver)
    }
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
  private func doctorFacts() throws -> DoctorFacts {
    var facts = DoctorFacts()
    do {
      let channels = try settings.values(.channels) { try FilteredChannel($0) }
      facts.channels = channels.map(DoctorFacts.Channel.init)
      if let grace = try settings.value(.grace, as: SpanPhrase.seconds) { facts.grace = grace }
      let server = try settings.value(.server) { try ServerAddress($0) }
      facts.servesPages = server != nil
      // With a file of streets that can't be used, no daemon starts.
      _ = try settings.value(.streets) { try StreetsChoice($0) }
      if let file = server?.tileFile { _ = try StreetsChoice(file) }
    } catch {
      facts.settingsFailure = "\(error)"
    }
    facts.exposedFiles = (try? settings.exposedFiles()) ?? []
    facts.serviceLingers = ServiceUnit.lingers(environment: console.environment)
    facts.daemon = try ControlSocket.status(at: controlSocket())
    if let daemon = facts.daemon { facts.add(channelsOf: daemon) }
    return facts
  }
}
