internal import FencepostSpatiotemporal

/// Finds the day for times of day.
///
/// RMC and ZDA have the day. Between them, it is the day that puts a time nearest to the one before: a clock that
/// falls back by more than half a day has passed midnight. Fixes before the first date wait for it, up to ``capacity``
/// of them, and get their days backwards from it.
///
/// Days are as the receiver gives them. If its count of GPS weeks has rolled over, they are 1024 weeks too early.
/// Nothing in a log shows this, so they stay.
struct NMEADates {
  /// The maximum number of fixes that wait for a date: over an hour at one per second.
  static let capacity = 4096

  private static let day: Int64 = 86_400_000_000

  /// The last known moment.
  private var last: Int64?
  private var waiting: [(fix: Fix, line: Int)] = []

  /// Records that `time` of day is on `day`. Returns the fixes that waited for it, in order.
  mutating func know(_ day: CivilDay, _ time: Int64) -> [Fix] {
    var moment = Int64(day.dayNumber) * NMEADates.day + time
    last = moment
    if waiting.isEmpty { return [] }
    for index in waiting.indices.reversed() {
      moment = NMEADates.nearest(waiting[index].fix.time.microseconds, to: moment)
      waiting[index].fix.time = Instant(microseconds: moment)
    }
    defer { waiting.removeAll() }
    return waiting.map(\.fix)
  }

  /// Returns `fix` with its day. If no day is known yet, the fix waits, and the result is `nil`.
  mutating func date(_ fix: Fix, line: Int) -> Fix? {
    guard let last else {
      waiting.append((fix, line))
      return nil
    }
    var fix = fix
    let moment = NMEADates.nearest(fix.time.microseconds, to: last)
    self.last = moment
    fix.time = Instant(microseconds: moment)
    return fix
  }

  /// Drops the older half if too many fixes wait. Returns their lines.
  mutating func overflow() -> [Int] {
    guard waiting.count >= NMEADates.capacity else { return [] }
    let lost = waiting.prefix(NMEADates.capacity / 2).map(\.line)
    waiting.removeFirst(lost.count)
    return lost
  }

  /// Drops all fixes that wait. Returns their lines.
  mutating func abandon() -> [Int] {
    defer { waiting.removeAll() }
    return waiting.map(\.line)
  }

  /// The moment with time of day `time` that is within half a day of `moment`.
  private static func nearest(_ time: Int64, to moment: Int64) -> Int64 {
    let midnight = moment - ((moment % day) + day) % day
    let candidate = midnight + time
    if candidate > moment + day / 2 { return candidate - day }
    return candidate < moment - day / 2 ? candidate + day : candidate
  }
}
