import AlarmEngine
import CalendarModel
import CalendarStore
import CommandLineTable
import Geofencing
import PositionFeeds
import Recurrence

extension CommandContext {
  /// `explain [--reminders FILE]… TRACE… [--place NAME]`.
  func explain() throws {
    let devices = DeviceRegistry()
    let interruption = Interruption()
    interruption.listen()
    let feed = try openTraces(devices: devices, interruption)
    let store = try storeToPlay(parsed.values("reminders"))

    var fixes: [Fix] = []
    var isMore = try feed.read(into: &fixes, limit: ReplayRun.batch)
    let start = ReplayRun.start(of: fixes)
    let schedule = AlarmSchedule(resolver: resolver)
    let engine = try AlarmEngine(
      store: store, journal: try RehearsalJournal(store: store, schedule: schedule, start: start),
      policy: policy(), schedule: schedule, devices: devices, start: start, clock: .trace)
    let explanation = Explanation(self, store: store, devices: devices, policy: engine.policy)
    explanation.listen(to: engine)
    while true {
      // Line by line, as each fix is weighed.
      for fix in fixes { try explanation.tell(engine.process([fix])) }
      guard isMore, !interruption.wasAsked else { break }
      isMore = try feed.read(into: &fixes, limit: ReplayRun.batch)
    }
    for report in feed.reports {
      if let cause = report.interruption { console.say("fencepost: \(cause)") }
    }
  }

  /// The store in memory that holds what is in `files`; where there are none, the user's own, to be read.
  func storeToPlay(_ files: [String]) throws -> CalendarStore {
    guard !files.isEmpty else { return try openStoreToRead() }
    let store = try CalendarStore()
    for file in files { _ = try importFile(file, into: store) }
    return store
  }
}

/// Tells of each change of mind as it happens.
private final class Explanation {
  private let console: Console
  private let store: CalendarStore
  private let devices: DeviceRegistry
  private let resolver: TimeResolver
  private let json: Bool
  private let showsAll: Bool
  private let place: String?
  private let certainty: Double
  private var fences: [FenceID: StoredFence?] = [:]
  /// Boundaries in doubt: told once, until it is settled.
  private var inDoubt: Set<Doubt> = []
  /// What the fix at hand led to.
  private var pending: [String] = []

  private struct Doubt: Hashable {
    var device: DeviceNumber
    var fence: FenceID
  }

  init(_ context: CommandContext, store: CalendarStore, devices: DeviceRegistry, policy: Policy) {
    console = context.console
    json = context.json
    resolver = context.resolver
    showsAll = context.parsed.flag("all")
    place = context.parsed.value("place")?.lowercased()
    self.store = store
    self.devices = devices
    certainty = if case .robust(let parameters) = policy { parameters.certainty } else { 0 }
  }

  func listen(to engine: AlarmEngine) {
    engine.onJudgement = { [self] fix, judgement in note(judgement, of: fix) }
    engine.onFix = { [self] fix, admission in note(admission, of: fix) }
    engine.onTransition = { [self] transition in note(transition) }
    engine.onSilence = { [self] fence, transition, reason in note(reason, of: fence, at: transition) }
  }

  /// Prints what was noted, and then the alarms that went off.
  func tell(_ firings: [Firing]) throws {
    for line in pending { try console.print(line) }
    pending.removeAll(keepingCapacity: true)
    for firing in firings {
      guard let crossing = firing.crossing, isMeant(crossing.place.title) else { continue }
      let title =
        try store.read { try $0.firingContext(alarm: firing.alarm, item: firing.item) }?.itemTitle ?? ""
      try console.print(
        line("alarm", at: firing.wentOffAt, crossing.place.title, crossing.device, "'\(title)' goes off") {
          $0.add("kind", firing.kind.rawValue)
          $0.add("alarm", firing.alarm.rawValue)
          $0.add("item", title)
        })
    }
  }

  // MARK: What the engine tells

  private func note(_ admission: Admission, of fix: Fix) {
    let (what, reason): (String, Rejection)
    switch admission {
    case .admitted: return
    case .rejected(let why): (what, reason) = ("turned away", why)
    case .held(let why): (what, reason) = ("put aside until another agrees", why)
    case .admittedWithHeld(let why): (what, reason) = ("bears out the one put aside", why)
    }
    var text = "fix \(what): \(reason.words)"
    if reason == .imprecise, let accuracy = fix.horizontalAccuracy {
      text += ", \(LengthPhrase.text(accuracy))"
    }
    note(
      line("fix", at: fix.time, nil, devices.name(of: fix.device), text) {
        $0.add("admission", what)
        $0.add("reason", reason.rawValue)
        $0.add("accuracy", fix.horizontalAccuracy)
      })
  }

  private func note(_ judgement: Judgement, of fix: Fix) {
    guard let fence = fence(judgement.fence), isMeant(fence.trigger.location.title) else { return }
    let key = Doubt(device: fix.device, fence: judgement.fence)
    let isNew = inDoubt.insert(key).inserted
    if judgement.outcome != .doubtful { inDoubt.remove(key) }
    guard showsAll || isNew || judgement.outcome != .doubtful else { return }
    let side = judgement.depth < 0 ? "inside" : "outside"
    let entering = !judgement.believedInside
    let what =
      switch judgement.outcome {
      case .doubtful: entering ? "perhaps arrived" : "perhaps left"
      case .crossed: entering ? "arrived" : "left"
      case .dismissed: entering ? "has not arrived after all" : "has not left after all"
      case .passed: "passed through between two fixes"
      }
    var text = "\(what): \(LengthPhrase.text(abs(judgement.depth))) \(side)"
    text += ", accuracy \(LengthPhrase.text(judgement.accuracy))"
    text += ", odds \(OddsPhrase.text(judgement.evidence)) of \(OddsPhrase.text(certainty))"
    if judgement.isCautious { text += ", cautious after a jump" }
    note(
      line("judgement", at: judgement.time, fence.trigger.location.title, devices.name(of: fix.device), text)
      {
        $0.add("outcome", judgement.outcome.rawValue)
        $0.add("believed_inside", judgement.believedInside)
        $0.add("depth", judgement.depth)
        $0.add("accuracy", judgement.accuracy)
        $0.add("gain", judgement.gain)
        $0.add("evidence", judgement.evidence)
        $0.add("cautious", judgement.isCautious)
      })
  }

  private func note(_ transition: Transition) {
    guard let fence = fence(transition.fence), isMeant(fence.trigger.location.title) else { return }
    let device = devices.name(of: transition.fix.device)
    let verb = transition.kind == .enter ? "entered" : "left"
    let clock = FiringTable.clock(resolver.floating.civil(at: transition.time))
    note(
      line(
        "transition", at: transition.settledAt, fence.trigger.location.title, device, "\(verb) at \(clock)"
      ) {
        $0.add("kind", transition.kind.rawValue)
        $0.add("time", FiringLines(resolver: resolver).text(transition.time))
      })
  }

  private func note(_ reason: Silence, of fence: StoredFence, at transition: Transition) {
    guard isMeant(fence.trigger.location.title) else { return }
    let device = devices.name(of: transition.fix.device)
    note(
      line(
        "silence", at: transition.settledAt, fence.trigger.location.title, device,
        "alarm stays silent: \(reason.words)"
      ) {
        $0.add("alarm", fence.alarm.rawValue)
        $0.add("reason", reason.rawValue)
      })
  }

  // MARK: Lines

  private func line(
    _ type: String, at time: Instant, _ place: String?, _ device: String, _ text: String,
    _ details: (inout JSONLine) -> Void
  ) -> String {
    guard json else {
      let clock = FiringLines(resolver: resolver).text(time)
      return [clock, device, place ?? "-", text].map(FiringTable.plain).joined(separator: "\t")
    }
    var line = JSONLine(type: type)
    line.add("time", FiringLines(resolver: resolver).text(time))
    line.add("device", device)
    if let place { line.add("place", place) }
    details(&line)
    return line.line
  }

  /// Notes a line, once: several alarms at one place have a fence each, and all of them say the same.
  private func note(_ line: String) {
    if !pending.contains(line) { pending.append(line) }
  }

  private func isMeant(_ title: String) -> Bool {
    place.map { title.lowercased().contains($0) } ?? true
  }

  /// The stored fence of a number, looked up once. A store that fails now will say so when the engine asks.
  private func fence(_ id: FenceID) -> StoredFence? {
    if let known = fences[id] { return known }
    let found = try? store.read { try $0.fence(number: id.rawValue) }
    fences[id] = .some(found)
    return found
  }
}

extension Rejection {
  /// The reason in words.
  var words: String {
    switch self {
    case .duplicate: "it says the time of the fix before"
    case .late: "it is older than the fix before"
    case .badCoordinate: "its coordinate is none"
    case .imprecise: "its accuracy is too poor"
    case .clockJump: "its time is far from that of the fixes before"
    case .impossibleSpeed: "nothing is fast enough to be there"
    }
  }
}

extension Silence {
  /// The reason in words.
  var words: String {
    switch self {
    case .otherDevice: "it listens to other devices"
    case .alreadyInside: "the device was inside already"
    case .beforeAlarm: "that was before the alarm was made"
    case .outsideWindow: "this is outside of its hours, days or dates"
    case .wentOffBefore: "it went off before, and is limited to once or once a day"
    }
  }
}
