import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import FencepostJSON
import FencepostPhrases
import FencepostRecurrence

/// Why alarms would go off on a day, or not: replays the day's stored positions over today's fences. For days
/// of which nothing was recorded.
final class DayReasons {
  /// A line of the answer.
  private struct Note: Equatable {
    var time: Instant
    var place: String?
    var text: String
    var kind: String
    var position: Coordinate?
  }

  private let engine: AlarmEngine
  private let store: CalendarStore
  private let lists: [Identifier<ItemCalendar>: ItemCalendar]
  private var notes: [Note] = []
  private var fences: [FenceID: StoredFence?] = [:]
  private var inDoubt: Set<FenceID> = []
  /// The most lines of an answer; more would not help.
  private static let maximumNotes = 2_000
  /// The most positions to replay, and how many at a time.
  private static let (maximumFixes, stepSize) = (200_000, 1_024)

  private init(engine: AlarmEngine, store: CalendarStore, lists: [Identifier<ItemCalendar>: ItemCalendar]) {
    self.engine = engine
    self.store = store
    self.lists = lists
  }

  /// The answer for a device and a day.
  ///
  /// - Parameters:
  ///   - app: The app, with its store and zones.
  ///   - device: The device by name.
  ///   - day: The day, with its start and end.
  ///   - lists: The lists that the caller may see.
  static func answer(
    _ app: WebApp, device: String, day: (day: CivilDay, from: Instant, until: Instant),
    lists: [Identifier<ItemCalendar>: ItemCalendar]
  ) throws -> JSONLine {
    let devices = DeviceRegistry()
    let number = devices.number(of: device)
    var fixes: [Fix] = []
    // The positions before the day decide on which side of each boundary it starts.
    let start = day.from.adding(seconds: -6 * 3_600)
    try app.store.read { reader in
      try reader.forEachPosition(of: device, from: start, until: day.until) { _, fix in
        var fix = fix
        fix.device = number
        fixes.append(fix)
        return fixes.count < maximumFixes
      }
    }
    let schedule = AlarmSchedule(resolver: app.resolver, defaults: app.surroundings.alarms)
    let engine = try AlarmEngine(
      store: app.store, journal: try DryRunJournal(store: app.store, schedule: schedule, start: start),
      policy: .robust(RobustParameters()), schedule: schedule, devices: devices, start: start, clock: .trace)
    let reasons = DayReasons(engine: engine, store: app.store, lists: lists)
    reasons.listen()
    // In steps, because each asks the store whether something has changed.
    for start in stride(from: 0, to: fixes.count, by: stepSize) {
      reasons.note(try engine.process(Array(fixes[start..<min(start + stepSize, fixes.count)])))
    }
    var line = JSONLine()
    line.add("day", "\(day.day)")
    line.add("device", device)
    line.add("fixes", fixes.count { $0.time >= day.from })
    line.add("recorded", false)
    let notes = reasons.notes.filter { $0.time >= day.from && $0.time < day.until }
    // Alarms come at the end of a step. Of the same moment, a crossing stays before its alarm.
    let shown = notes.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
      .map(\.element).prefix(maximumNotes)
    line.add(
      "notes",
      shown.map { note in
        var line = JSONLine()
        line.add("time", app.firingLines.text(note.time))
        line.add("place", note.place)
        line.add("text", note.text)
        line.add("kind", note.kind)
        line.add("latitude", note.position?.latitude)
        line.add("longitude", note.position?.longitude)
        return line
      })
    return line
  }

  private func listen() {
    engine.onJudgement = { [unowned self] fix, judgement in
      guard let place = place(judgement.fence) else { return }
      let isNew = inDoubt.insert(judgement.fence).inserted
      if judgement.outcome != .doubtful { inDoubt.remove(judgement.fence) }
      // The crossing has its own line, with its own time.
      guard judgement.outcome != .crossed, isNew || judgement.outcome != .doubtful else { return }
      add(
        Note(
          time: judgement.time, place: place, text: judgement.sentence, kind: "doubt",
          position: fix.coordinate))
    }
    engine.onFix = { [unowned self] fix, admission in
      guard case .rejected(let reason) = admission, reason != .late, reason != .duplicate else { return }
      add(
        Note(
          time: fix.time, place: nil, text: "ignored a position: \(reason.words)", kind: "fix",
          position: fix.coordinate))
    }
    engine.onTransition = { [unowned self] transition, _ in
      guard let place = place(transition.fence) else { return }
      add(
        Note(
          time: transition.time, place: place, text: transition.kind == .enter ? "arrived" : "left",
          kind: "crossing", position: transition.fix.coordinate))
    }
    engine.onSuppression = { [unowned self] fence, transition, reason in
      guard place(transition.fence) != nil else { return }
      let title = fence.subject.heading?.title ?? ""
      add(
        Note(
          time: transition.settledAt, place: fence.trigger.location.title,
          text: "no alarm for \(title): \(reason.words)", kind: "fix", position: transition.fix.coordinate))
    }
  }

  private func note(_ firings: [Firing]) {
    for firing in firings {
      guard let item = try? store.read({ try $0.item(firing.item) }), lists[item.calendar] != nil else {
        continue
      }
      add(
        Note(
          time: firing.wentOffAt, place: firing.place?.title, text: item.title, kind: "alarm",
          position: firing.crossing?.position))
    }
  }

  /// Adds a line once: several alarms at one place have one fence each.
  private func add(_ note: Note) {
    if !notes.suffix(20).contains(note) { notes.append(note) }
  }

  /// The name of a fence's place; `nil` if the caller may not see its item.
  private func place(_ id: FenceID) -> String? {
    if let known = fences[id] { return known?.trigger.location.title }
    var found = try? store.read { try $0.fence(number: id.rawValue) }
    if let fence = found, let item = try? store.read({ try $0.item(fence.item) }), lists[item.calendar] == nil
    {
      found = nil
    }
    fences[id] = .some(found)
    return found?.trigger.location.title
  }
}
