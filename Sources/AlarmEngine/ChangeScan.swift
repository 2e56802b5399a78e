import CalendarModel
import CalendarStore
import Recurrence

/// What a ``ChangeFollower`` saw in the last scan of a store.
struct ChangeScan {
  /// The last change that was seen; `nil` before the first scan.
  private(set) var seen: Int64?
  /// When that was.
  private var time: Instant?
  /// In which zones due times are reckoned; `nil` before the first scan.
  private var zones: ZoneMark?
  /// Through which change the log was trimmed; `nil` before that was done.
  private var trimmed: Int64?
  /// While a scan takes several transactions: whether somebody watched the store when it began.
  private var wasWatching: Bool?
  /// True where it is not over: there was more to arm than one transaction takes.
  var isPartial: Bool { wasWatching != nil }
  /// How many items are armed in one transaction: others wait for some hundredths of a second.
  private static let mostItems = 300
  /// Seconds within which a change is noticed by somebody who watches the store.
  static let reactionTime = 2.0

  /// True where the clock was ahead at the last scan. It may have been in an earlier run, too, of which nobody knows.
  func wasAhead(at now: Instant) -> Bool {
    time.map { now < $0.adding(seconds: -Self.reactionTime) } ?? true
  }

  /// Notes that nothing has changed until `now`.
  mutating func pass(to now: Instant) { time = wasAhead(at: now) ? now : max(now, time ?? now) }

  /// Scans again, and arms what has changed, or a part of it: see ``isPartial`` and ``ChangeFollower/catchUp(to:)``.
  ///
  /// - Returns: Whether alarms or fences may have changed.
  mutating func run(
    in writer: borrowing StoreWriter, by schedule: AlarmSchedule, at now: Instant
  ) throws -> Bool {
    let schedule = try schedule.current(in: writer.reader)
    let mark = try ArmingMark(in: writer.reader)
    var changes = try ChangedItems(
      after: seen ?? mark?.sequence, limit: Self.mostItems, in: writer.reader)
    if wasAhead(at: now) { changes.items.formUnion(try writer.reader.itemsThatWentOff(after: now)) }
    let zones = try currentZones(schedule.resolver, haveChanged: changes.isAll, in: writer.reader)
    let isElsewhere = try mark != nil && zones != ZoneMark(in: writer.reader)
    let defaults = DefaultsMark(schedule)
    let knownDefaults = try DefaultsMark(in: writer.reader)
    let areOtherDefaults = mark != nil && defaults != knownDefaults
    let arming = Arming(
      schedule: schedule, now: now, lastScan: time ?? mark?.time, isWatching: wasWatching ?? (seen != nil),
      impliedFrom: knownDefaults == nil ? now : .distantPast)
    let last = try changes.end ?? writer.reader.lastChange()
    let lastTime = time ?? mark?.time
    self.zones = zones
    wasWatching = changes.end == nil ? nil : arming.isWatching
    seen = last
    // The rest changed since the last scan, too.
    if isPartial { time = lastTime } else { pass(to: now) }
    guard changes.isAny || isElsewhere || areOtherDefaults else { return false }
    let armsAll = changes.isAll || areOtherDefaults
    if isElsewhere || armsAll {
      try writer.reader.forEachTimedSeries(resolver: schedule.resolver) { series in
        if isElsewhere || areOtherDefaults { try arming.move(series, in: writer) }
        if armsAll { try arming.arm(series, in: writer) }
      }
    }
    if !changes.isAll { try arming.arm(changes.items, in: writer) }
    try ArmingMark(sequence: last, time: isPartial ? lastTime ?? now : now).save(in: writer)
    try zones.save(in: writer)
    try defaults.save(in: writer)
    // Whoever lets alarms go off keeps the log short for all.
    if trimmed.map({ last - $0 > ChangeLog.kept }) ?? true {
      try writer.trimChanges(at: now)
      trimmed = last
    }
    return true
  }

  /// The zones as they are, with those that files brought made known to the resolver.
  private func currentZones(
    _ resolver: TimeResolver, haveChanged: Bool, in reader: borrowing StoreReader
  ) throws -> ZoneMark {
    if let zones, !haveChanged { return zones }
    let definitions = try reader.timeZoneDefinitions()
    for definition in definitions { resolver.zones.register(definition) }
    return ZoneMark(resolver, definitions)
  }
}
