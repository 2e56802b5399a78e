public import FencepostCalendarModel

/// Iterates over the occurrences of a ``RuleExpansion`` in order, period by period, and skips ahead by arithmetic.
public struct RuleIterator: IteratorProtocol, Sendable {
  let plan: RulePlan
  let limit: Int64
  /// Times to skip before `limit`; see ``RuleExpansion/excluded``.
  let excluded: Range<Int64>
  /// The number of remaining occurrences; `Int.max` without COUNT.
  var remaining: Int
  /// Occurrences that are found but not returned yet.
  var buffer: [Int64] = []
  var index = 0
  /// The latest occurrence. Duplicates of it are skipped.
  var last: Int64
  /// Occurrences before this one count, but are not returned.
  var floor = Int64.min
  /// The next period to search, as a multiple of the interval since the start's period. For units within the day, the
  /// number of the unit since 1970.
  var period: Int
  let firstPeriod: Int
  /// The number of periods in a row without an occurrence.
  var emptyPeriods = 0
  var isFinished = false
  /// The days of the current period.
  var days: [Int] = []
  /// The last month that was computed.
  var month = MonthDays()

  struct MonthDays {
    var first = 0
    var length = 0
    var mask: UInt64 = 0
  }

  init(_ expansion: RuleExpansion) {
    plan = expansion.plan
    limit = expansion.limit
    excluded = expansion.excluded
    remaining = expansion.count ?? .max
    period = plan.method == .withinDay ? Gregorian.floorDiv(Int(plan.start), plan.unitSeconds) : 0
    firstPeriod = period
    switch expansion.startPolicy {
    case .always:
      last = plan.start - 1
      buffer.append(plan.start)
    case .matching:
      last = plan.start - 1
    }
    let isOutOfRange = plan.startDay < Gregorian.firstDay || plan.startDay > Gregorian.lastDay
    if isOutOfRange || !plan.isPossible { period = .max }
  }

  /// The next occurrence; `nil` at the end.
  public mutating func next() -> CivilDateTime? {
    nextLocal().map { CivilDateTime(secondsSinceEpoch: $0) }
  }

  /// The next occurrence in wall-clock seconds since 1970-01-01T00:00:00.
  @inline(__always)
  mutating func nextLocal() -> Int64? {
    while true {
      while index < buffer.count {
        let value = buffer[index]
        index += 1
        if value <= last { continue }
        guard value <= limit, remaining > 0 else {
          finish()
          return nil
        }
        remaining -= 1
        last = value
        if value >= floor && !excluded.contains(value) { return value }
      }
      if isFinished || remaining == 0 || !refill() { return nil }
    }
  }

  mutating func finish() {
    isFinished = true
    buffer.removeAll(keepingCapacity: true)
    index = 0
    period = .max
  }
}
