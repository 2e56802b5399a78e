public import CalendarModel
public import CalendarStore
public import Recurrence

/// Keeps due times right while others change items, by following the store's log of changes.
///
/// Whoever saves an item need not know when its alarms are due: the program that lets alarms go off looks at the
/// log when it starts and whenever the store has changed, and arms what changed before anything goes off. How
/// far it has come is kept in the store, in the same transaction as the due times, so that no change is passed
/// over and none counts twice, whatever happens in between.
///
/// A changed alarm is armed from the moment of the change on, since what was past then is past:
/// - `lastModified` says when that was, where it lies after the last look;
/// - else it was just now, where this program was watching, and at the last look where it was not.
/// - An alarm that was due and has not gone off yet stays due, unless the change moved it.
public struct ChangeFollower {
  private let store: CalendarStore
  private let schedule: AlarmSchedule
  /// The last change that was seen; `nil` before the first look.
  private var seen: Int64?
  /// When the last look was.
  private var lastLook: Instant?
  /// Seconds within which a change is noticed by somebody who watches the store.
  fileprivate static let reactionTime = 2.0

  /// A follower of the changes of `store`.
  public init(store: CalendarStore, schedule: AlarmSchedule) {
    self.store = store
    self.schedule = schedule
  }

  /// Arms the alarms of what has changed since the last look. On the first look at a store that was never
  /// armed, all alarms are armed from `now` on.
  ///
  /// - Returns: Whether alarms or fences may have changed.
  ///
  /// Cost: microseconds where nothing has; else one transaction, some tens of microseconds for each item.
  public mutating func catchUp(to now: Instant) throws -> Bool {
    if let seen, try store.read({ try $0.lastChange() }) == seen {
      lastLook = max(now, lastLook ?? now)
      return false
    }
    let (known, looked) = (seen, lastLook)
    let (last, isChanged) = try store.write { writer in
      let mark = try ArmingMark(in: writer.reader)
      let changes = try ChangedItems(after: known ?? mark?.sequence, in: writer.reader)
      guard changes.isAny else { return (try writer.reader.lastChange(), false) }
      let arming = Arming(
        schedule: schedule, now: now, lastLook: looked ?? mark?.time, isWatching: known != nil)
      if changes.isAll {
        try writer.reader.forEachTimedSeries(resolver: schedule.resolver) { try arming.arm($0, in: writer) }
      } else {
        try arming.arm(changes.items, in: writer)
      }
      try ArmingMark(sequence: writer.reader.lastChange(), time: now).save(in: writer)
      return (try writer.reader.lastChange(), true)
    }
    seen = last
    lastLook = max(now, lastLook ?? now)
    return isChanged
  }

  /// Moves every due time to where its occurrence is, where it was reckoned in other zones: the system's zone was set to
  /// another one since, or its rules came anew.
  ///
  /// What has gone off is not armed again, though its wall-clock time may come a second time; what has not is due at
  /// once where its time has passed by the change.
  ///
  /// - Returns: Whether the zones are others.
  ///
  /// Cost: a look where they are not; else some tens of microseconds for each series with such an alarm.
  @discardableResult
  public mutating func followZones(at now: Instant) throws -> Bool {
    _ = try catchUp(to: now)
    let zones = ZoneMark(schedule.resolver).text
    guard try store.read({ try $0.setting(ZoneMark.key) }) != zones else { return false }
    try store.write { writer in
      let arming = Arming(schedule: schedule, now: now, lastLook: now, isWatching: true)
      try writer.reader.forEachTimedSeries(resolver: schedule.resolver) { try arming.move($0, in: writer) }
      try writer.set(zones, for: ZoneMark.key)
    }
    return true
  }

  /// Notes in the store that all was seen until `now`, so that the next run knows how long nobody looked.
  public mutating func finish(at now: Instant) throws {
    _ = try catchUp(to: now)
    try store.write { try ArmingMark(sequence: $0.reader.lastChange(), time: now).save(in: $0) }
  }
}

/// How far the due times in a store have followed its changes.
private struct ArmingMark {
  /// The last change that they take into account.
  var sequence: Int64
  /// When that was looked at.
  var time: Instant

  private static let key = "armed-through"

  init(sequence: Int64, time: Instant) {
    self.sequence = sequence
    self.time = time
  }

  init?(in reader: borrowing StoreReader) throws {
    guard let parts = try reader.setting(Self.key)?.split(separator: " "), parts.count == 2,
      let sequence = Int64(parts[0]), let microseconds = Int64(parts[1])
    else { return nil }
    self.init(sequence: sequence, time: Instant(microseconds: microseconds))
  }

  func save(in writer: borrowing StoreWriter) throws {
    try writer.set("\(sequence) \(time.microseconds)", for: Self.key)
  }
}

/// In which zones due times were reckoned.
private struct ZoneMark {
  /// The zone of floating times by name, the release of the rules, and, for a zone without a name, its offsets in a
  /// winter and a summer.
  let text: String

  static let key = "armed-zones"

  init(_ resolver: TimeResolver) {
    let zone = resolver.floating
    let offsets = [1_767_225_600, 1_782_864_000].map { zone.offset(at: Instant(seconds: $0)) }
    text = "\(zone.id.rawValue) \(resolver.zones.version ?? "-") \(offsets[0]) \(offsets[1])"
  }
}

/// The items that the log of changes names.
private struct ChangedItems {
  /// Those that were added or changed.
  var items: Set<Identifier<CalendarItem>> = []
  /// True where every item is to be looked at: nothing was armed yet, the log was cut, or a zone is another.
  var isAll = false
  private var hasRemovals = false

  /// True where alarms may be due at other times, or fences may be others.
  var isAny: Bool { isAll || hasRemovals || !items.isEmpty }

  init(after start: Int64?, in reader: borrowing StoreReader) throws {
    guard let start else {
      isAll = true
      return
    }
    var sequence = start
    while !isAll {
      let changes = try reader.changes(after: sequence)
      guard let first = changes.first, let last = changes.last else { return }
      // Changes that are gone from the log can't be followed.
      if first.sequence != sequence + 1 { isAll = true }
      for change in changes { take(change) }
      sequence = last.sequence
    }
  }

  private mutating func take(_ change: StoreChange) {
    switch (change.entity, change.kind) {
    case (.item, .removed): hasRemovals = true
    case (.item, _): items.insert(Identifier(rawValue: change.id))
    case (.timeZone, _): isAll = true
    case (.calendar, .removed), (.source, .removed): hasRemovals = true
    case (.calendar, _), (.source, _), (.setting, _), (.access, _), (.place, _): break
    }
  }
}

/// Arms alarms within a transaction.
private struct Arming {
  let schedule: AlarmSchedule
  let now: Instant
  let lastLook: Instant?
  /// True where the store was watched since the last look.
  let isWatching: Bool

  func arm(_ items: Set<Identifier<CalendarItem>>, in writer: borrowing StoreWriter) throws {
    var done: Set<Identifier<CalendarItem>> = []
    for item in items where !done.contains(item) {
      guard let series = try writer.reader.series(of: item, resolver: schedule.resolver) else { continue }
      try arm(series, in: writer)
      done.formUnion(series.items.lazy.map(\.id))
    }
  }

  func arm(_ series: OccurrenceSeries, in writer: borrowing StoreWriter) throws {
    for (index, item) in series.items.enumerated() {
      let standing = try writer.reader.dueTimes(of: item.id).filter { $0.kind != .dwell }
      var dueTimes: [DueTime] = []
      for alarm in item.alarms where !item.isSilenced {
        let old = standing.first { $0.alarm == alarm.id }
        if let old, old.time <= now, isStillDue(old, alarm, ofItem: index, in: series) {
          dueTimes.append(old)
        } else if let due = schedule.next(of: alarm, ofItem: index, in: series, after: changed(item)) {
          dueTimes.append(due)
        }
      }
      if dueTimes != standing { try writer.replaceDueTimes(of: item.id, with: dueTimes) }
    }
  }

  func move(_ series: OccurrenceSeries, in writer: borrowing StoreWriter) throws {
    for (index, item) in series.items.enumerated() {
      let standing = try writer.reader.dueTimes(of: item.id)
      let dueTimes = standing.map { due in
        guard due.kind == .relative, let alarm = item.alarms.first(where: { $0.id == due.alarm }) else {
          return due
        }
        return moved(due, of: alarm, ofItem: index, in: series) ?? due
      }
      if dueTimes != standing { try writer.replaceDueTimes(of: item.id, with: dueTimes) }
    }
  }

  /// The due time that stands for the same occurrence as one that was reckoned in other zones; `nil` where none is
  /// found near it.
  private func moved(
    _ due: DueTime, of alarm: Alarm, ofItem index: Int, in series: OccurrenceSeries
  ) -> DueTime? {
    // From one end of the world to the other the clocks differ by 26 hours.
    let reach = 27.0 * 3_600
    var after = due.time.adding(seconds: -reach)
    for _ in 0..<Arming.mostSteps {
      guard let next = schedule.next(of: alarm, ofItem: index, in: series, after: after),
        next.time <= due.time.adding(seconds: reach)
      else { return nil }
      if next.occurrence == due.occurrence, next.repetition == due.repetition { return next }
      after = next.time
    }
    return nil
  }

  /// An alarm that goes off each second is not followed through a day.
  private static let mostSteps = 4_096

  private func isStillDue(
    _ due: DueTime, _ alarm: Alarm, ofItem index: Int, in series: OccurrenceSeries
  ) -> Bool {
    let before = Instant(microseconds: due.time.microseconds &- 1)
    return schedule.next(of: alarm, ofItem: index, in: series, after: before) == due
  }

  /// When an item was changed, as far as that can be known.
  private func changed(_ item: CalendarItem) -> Instant {
    let lastLook = min(self.lastLook ?? now, now)
    if let modified = item.lastModified, modified > lastLook, modified <= now { return modified }
    return isWatching ? max(lastLook, now.adding(seconds: -ChangeFollower.reactionTime)) : lastLook
  }
}
