/// Steps through hours, minutes and seconds, from one run of allowed units to the next.
extension RuleIterator {
  mutating func fillWithinDay() -> Bool {
    guard let stretch = nextStretch() else { return false }
    let batch = Swift.min(stretch, Swift.max(1, 64 / plan.unitOffsets.count))
    for _ in 0..<batch {
      let start = Int64(period) &* Int64(plan.unitSeconds)
      for offset in plan.unitOffsets { buffer.append(start &+ offset) }
      period += plan.interval
    }
    return true
  }

  /// Moves `period` to the next allowed unit and returns the number of allowed units in a row.
  mutating func nextStretch() -> Int? {
    let perDay = plan.unitsPerDay
    let cycle = plan.cyclePeriods.multipliedReportingOverflow(by: plan.interval)
    let end = period.addingReportingOverflow(cycle.partialValue)
    let bound = cycle.overflow || end.overflow ? Int.max : end.partialValue
    while period <= bound {
      let day = Gregorian.floorDiv(period, perDay)
      guard day <= Gregorian.lastDay else { return nil }
      if plan.limitsDays {
        guard let allowed = nextAllowedDay(from: day) else { return nil }
        if allowed > day {
          advance(to: allowed * perDay)
          continue
        }
      }
      let unit = period - day * perDay
      if plan.clock.isFull {
        return (perDay - unit + plan.interval - 1) / plan.interval
      }
      guard let next = plan.clock.next(unit, unitSeconds: plan.unitSeconds) else {
        advance(to: (day + 1) * perDay)
        continue
      }
      if next == unit {
        let end = plan.clock.end(unit, unitSeconds: plan.unitSeconds)
        return (end - unit + plan.interval - 1) / plan.interval
      }
      advance(to: day * perDay + next)
    }
    return nil
  }

  /// Moves `period` to the first unit of the rule from `unit` on.
  @inline(__always)
  mutating func advance(to unit: Int) {
    guard unit > period else { return }
    period += (unit - period + plan.interval - 1) / plan.interval * plan.interval
  }
}
