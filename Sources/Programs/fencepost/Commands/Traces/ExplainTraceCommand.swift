import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostGeofencing
import FencepostJSON
import FencepostPhrases
import FencepostPositionFeeds
import FencepostRecurrence

extension FencepostTable {
  static let explainTrace = Command(
    "explain-trace", summary: "Replay a trace and explain each decision about place alarms",
    discussion: [
      """
      The trace plays over the alarms of today. What the daemon decided at the time is what `explain` shows.
      """,
      """
      Prints a line for each decision: which positions were ignored and why, when a device may have crossed a \
      boundary, the decision, and which alarms went off. For a crossing in a gap of five minutes or more it prints the \
      times of both ends. `--verbose` adds distance, accuracy, the odds, and the odds that are needed.
      """,
    ],
    examples: [
      Example(
        "fencepost explain-trace --reminders Data/errands.ics Data/noisy-phone.csv --place Home",
        "Explain the alarms at home")
    ],
    options: [
      .value(
        .reminders, "FILE.ics", repeatable: true, completion: .file(extensions: ["ics"]),
        "Use the alarms of this file instead of the store's"),
      .value(.place, "NAME", "Only places whose name contains this"),
      .flag(.all, "Print every weighed position with its numbers, not only decisions"),
      .flag(.verbose, "Print every ignored position, and the numbers behind each decision"),
      traceFormat,
    ] + policyOptions,
    positionals: [traces],
    action: .run(isUndoable: false) { try $0.explainTrace() })
}

extension CommandContext {
  /// `explain-trace [--reminders FILE]… TRACE… [--place NAME]`.
  func explainTrace() throws {
    let devices = DeviceRegistry()
    let interruption = try Interruption()
    interruption.listen()
    let feed = try openTraces(devices: devices, interruption)
    let store = try storeToPlay(parsed.values(.reminders))

    var fixes: [Fix] = []
    var isMore = try feed.read(into: &fixes, limit: ReplayRun.batch)
    let start = ReplayRun.start(of: fixes)
    let schedule = try alarmSchedule()
    let engine = try AlarmEngine(
      store: store, journal: try DryRunJournal(store: store, schedule: schedule, start: start),
      policy: policy(), schedule: schedule, devices: devices, start: start, clock: .trace)
    let explanation = Explanation(self, store: store, devices: devices, engine: engine)
    explanation.listen()
    while true {
      // Print after each fix, before the next one is processed.
      for fix in fixes { try explanation.print(engine.process([fix])) }
      guard isMore, !interruption.wasAsked else { break }
      isMore = try feed.read(into: &fixes, limit: ReplayRun.batch)
    }
    try explanation.end()
    sayAssumedZones(feed.reports)
    saySortedTraces(feed.reports)
    for report in feed.reports {
      if let cause = report.interruption { console.say("fencepost: \(cause)") }
    }
  }

  /// A store in memory with the contents of `files`; without files, the user's store, read-only.
  func storeToPlay(_ files: [String]) throws -> CalendarStore {
    guard !files.isEmpty else { return try openStoreToRead() }
    let store = try CalendarStore()
    for file in files { _ = try importFile(file, into: store) }
    return store
  }
}

/// Prints each decision as it happens.
private final class Explanation {
  private var printer: ExplanationPrinter
  private let engine: AlarmEngine
  private let store: CalendarStore
  private let devices: DeviceRegistry
  private let resolver: TimeResolver
  private let isVerbose: Bool
  private let showsAll: Bool
  private let place: String?
  private var fences: [FenceID: StoredFence?] = [:]
  /// Uncertain crossings. Each is printed once until it is settled.
  private var inDoubt: Set<Doubt> = []
  /// The notes about the current fix.
  private var pending: [ExplanationNote] = []

  private static let words: [(Judgement.Circumstances, String)] = [
    (.jump, "cautious after a jump"), (.silence, "the first position after a silence"),
    (.repetition, "repeats the last position, so it is ignored"), (.rest, "the device is not moving"),
    (.verdict, "the phone reports it"),
  ]

  private struct Doubt: Hashable {
    var device: DeviceNumber
    var fence: FenceID
  }

  init(_ context: CommandContext, store: CalendarStore, devices: DeviceRegistry, engine: AlarmEngine) {
    printer = ExplanationPrinter(context: context)
    self.engine = engine
    resolver = context.resolver
    showsAll = context.parsed.flag(.all)
    // Without numbers, consecutive positions print the same.
    isVerbose = context.parsed.flag(.verbose) || showsAll || context.json
    place = context.parsed.value(.place)?.lowercased()
    self.store = store
    self.devices = devices
  }

  func listen() {
    engine.onJudgement = { [unowned self] fix, judgement in note(judgement, of: fix) }
    engine.onFix = { [unowned self] fix, admission in note(admission, of: fix) }
    engine.onTransition = { [unowned self] transition, fence in note(transition, at: fence) }
    engine.onSuppression = { [unowned self] fence, transition, reason in
      note(reason, of: fence, at: transition)
    }
  }

  /// Prints the notes, and then the alarms.
  func print(_ firings: [Firing]) throws {
    for note in pending { try printer.print(note) }
    pending.removeAll(keepingCapacity: true)
    for firing in firings {
      guard let crossing = firing.crossing, let place = firing.place?.title, isMeant(place) else { continue }
      let title =
        try store.read { try $0.context(of: firing) }?.itemTitle ?? ""
      var note = ExplanationNote(
        "alarm", at: firing.wentOffAt, place: place, crossing.device, "alarm: \(title)")
      note.details.add("kind", firing.kind.rawValue)
      note.details.add("alarm", firing.alarm.rawValue)
      note.details.add("item", title)
      try printer.print(note)
    }
  }

  /// Prints the held notes.
  func end() throws { try printer.end() }

  // MARK: Reports of the engine

  private func note(_ admission: Admission, of fix: Fix) {
    let device = devices.name(of: fix.device)
    let (what, text, reason): (String, String, Rejection)
    switch admission {
    case .admitted: return printer.noteAdmitted(device, at: fix.time)
    case .admittedLate:
      var note = ExplanationNote(
        "fix", at: fix.time, place: nil, device, "a position came late and counts for its own time")
      if !isVerbose { note.aside = .late }
      note.details.add("admission", "admitted late")
      note.details.add("accuracy", fix.horizontalAccuracy)
      return add(note)
    case .rejected(let why): (what, text, reason) = ("rejected", "ignored a position: ", why)
    case .held(let why):
      (what, text, reason) = ("held until another position agrees", "held a position: ", why)
    case .admittedWithHeld(let why):
      printer.noteAdmitted(device, at: fix.time)
      (what, text, reason) = ("confirms the held one", "accepted the held position: ", why)
    }
    var note = ExplanationNote("fix", at: fix.time, place: nil, device, text + reason.words)
    if isVerbose, reason == .imprecise, let accuracy = fix.horizontalAccuracy {
      note.text += ", \(LengthPhrase.text(accuracy))"
    }
    if !isVerbose, case .rejected = admission { note.aside = .ignored(reason) }
    note.isDatedWrong = reason == .late || reason == .clockJump
    note.details.add("admission", what)
    note.details.add("reason", reason.rawValue)
    note.details.add("accuracy", fix.horizontalAccuracy)
    add(note)
  }

  private func note(_ judgement: Judgement, of fix: Fix) {
    guard let fence = fence(judgement.fence), isMeant(fence.trigger.location.title) else { return }
    let key = Doubt(device: fix.device, fence: judgement.fence)
    let isNew = inDoubt.insert(key).inserted
    if judgement.outcome != .doubtful { inDoubt.remove(key) }
    guard showsAll || isNew || judgement.outcome != .doubtful else { return }
    // The transition also reports the crossing, with its time.
    if !isVerbose && judgement.outcome == .crossed { return }
    var note = ExplanationNote(
      "judgement", at: judgement.time, place: fence.trigger.location.title, devices.name(of: fix.device),
      judgement.sentence)
    if isVerbose { note.text += ": " + numbers(of: judgement) }
    note.details.add("outcome", judgement.outcome.rawValue)
    note.details.add("believed_inside", judgement.believedInside)
    note.details.add("depth", judgement.depth)
    note.details.add("accuracy", judgement.accuracy)
    note.details.add("gain", judgement.gain)
    note.details.add("evidence", judgement.evidence)
    note.details.add("needed", judgement.needed.isFinite ? judgement.needed : nil)
    note.details.add("cautious", judgement.circumstances.contains(.jump))
    note.details.add("after_silence", judgement.circumstances.contains(.silence))
    note.details.add("repeats", judgement.circumstances.contains(.repetition))
    note.details.add("lies_still", judgement.circumstances.contains(.rest))
    note.details.add("phone_says", judgement.circumstances.contains(.verdict))
    add(note)
  }

  /// The numbers of a judgement: `70 m outside, accuracy 14 m, odds 3.5 of 148`.
  private func numbers(of judgement: Judgement) -> String {
    let side = judgement.depth < 0 ? "inside" : "outside"
    return "\(LengthPhrase.text(abs(judgement.depth))) \(side)"
      + ", accuracy \(LengthPhrase.text(judgement.accuracy))"
      + ", odds \(OddsPhrase.text(judgement.evidence))"
      + (judgement.needed > 0 && judgement.needed.isFinite ? " of \(OddsPhrase.text(judgement.needed))" : "")
      + Explanation.words.filter { judgement.circumstances.contains($0.0) }.map { ", \($0.1)" }.joined()
  }

  private func note(_ transition: Transition, at fence: StoredFence?) {
    guard let fence, isMeant(fence.trigger.location.title) else { return }
    let gap = engine.gap(around: transition)
    let clock = resolver.floating.civil(at: transition.time).clock
    let verb = (transition.isLate ? "late: " : "") + (transition.kind == .enter ? "arrived" : "left")
    var note = ExplanationNote(
      "crossing", at: transition.settledAt, place: fence.trigger.location.title,
      devices.name(of: transition.fix.device),
      verb + " " + (gap.map { FiringTable.between($0, resolver) } ?? "at \(clock)")
        + (transition.source == .phone ? ", reported by the phone" : ""))
    let lines = FiringJSON(resolver: resolver)
    note.details.add("kind", transition.kind.rawValue)
    note.details.add("crossed_at", lines.text(transition.time))
    note.details.add("source", transition.source.rawValue)
    if let gap {
      note.details.add("earliest", lines.text(gap.lowerBound))
      note.details.add("latest", lines.text(gap.upperBound))
    }
    add(note)
  }

  private func note(_ reason: Suppression, of fence: StoredFence, at transition: Transition) {
    guard isMeant(fence.trigger.location.title) else { return }
    let title = fence.subject.heading?.title ?? ""
    var note = ExplanationNote(
      "silence", at: transition.settledAt, place: fence.trigger.location.title,
      devices.name(of: transition.fix.device), "alarm suppressed: \(title): \(reason.words)")
    note.details.add("alarm", fence.alarm.rawValue)
    note.details.add("item", title)
    note.details.add("reason", reason.rawValue)
    add(note)
  }

  /// Adds a note without duplicates: several alarms at one place have a fence each, with equal notes.
  private func add(_ note: ExplanationNote) {
    if !pending.contains(where: { $0.isEqual(to: note) }) { pending.append(note) }
  }

  private func isMeant(_ title: String) -> Bool {
    place.map { title.lowercased().contains($0) } ?? true
  }

  /// The stored fence with this number, from a cache. The engine reports errors of the store.
  private func fence(_ id: FenceID) -> StoredFence? {
    if let known = fences[id] { return known }
    let found = try? store.read { try $0.fence(number: id.rawValue) }
    fences[id] = .some(found)
    return found
  }
}
