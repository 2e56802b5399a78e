import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence

extension AlarmEngine {
  /// Fires a due alarm, and arms its next occurrence. `time` is what the clock shows. After a `leap` of the
  /// clock the alarm is late.
  func fire(_ due: DueTime, at time: Instant, afterLeap leap: Bool = false) throws {
    step.disarm(item: due.item, alarm: due.alarm, device: due.device)
    if due.kind == .dwell { return try fireDwell(due) }
    let found: OccurrenceSeries?
    let schedule: AlarmSchedule
    do {
      (found, schedule) = try store.read { reader in
        (
          try reader.series(of: due.item, resolver: self.schedule.resolver),
          try self.schedule.current(in: reader)
        )
      }
    } catch let error as StoreError where error.isOfOneValue {
      // Better one alarm too many than none: whether the item is done is not known.
      onDamage?(StoreError(path: error.path, reason: .partlyDamaged("item \(due.item)", error)))
      return add(
        Firing(
          kind: due.kind, time: due.time, confirmedAt: isLate(due.time, at: time) ? time : nil,
          alarm: due.alarm, item: due.item, occurrence: due.occurrence, isLate: isLate(due.time, at: time)))
    }
    guard let series = found, let index = series.items.firstIndex(where: { $0.id == due.item }),
      let alarm = schedule.alarms(of: series.items[index]).first(where: { $0.id == due.alarm }),
      !series.items[index].isSilenced
    else { return }
    var times = schedule.times(of: alarm, ofItem: index, in: series, after: due.time)
    var last = due
    var next = times.next()
    var folded = 0
    let isLate = leap || isLate(due.time, at: time)
    if isLate {
      // One firing, that of the last, covers all missed occurrences.
      while let missed = next, missed.time <= time, folded < AlarmEngine.maximumFolded {
        last = missed
        folded += 1
        next = times.next()
      }
    }
    if try !hasNothingOpen(series.items[index]) {
      add(
        Firing(
          kind: last.kind, time: last.time, confirmedAt: isLate ? time : nil,
          alarm: last.alarm, item: last.item, occurrence: last.occurrence, isLate: isLate, folded: folded))
    }
    if folded == AlarmEngine.maximumFolded {
      next = schedule.next(of: alarm, ofItem: index, in: series, after: time)
    }
    // One microsecond earlier: what is due exactly at the end of the pause goes off.
    let rest = Instant(microseconds: last.time.adding(seconds: AlarmEngine.minimumRest).microseconds - 1)
    if series.items[index].recurrence != nil, let early = next, early.time <= rest {
      next = schedule.next(of: alarm, ofItem: index, in: series, after: rest)
    }
    if let next { arm(next) }
  }

  /// Whether an item stands for a whole list in which nothing is open, as after a snooze until a time.
  private func hasNothingOpen(_ item: CalendarItem) throws -> Bool {
    guard item.isForWholeList else { return false }
    return try store.read { try $0.openReminders(besides: item.id) }?.count == 0
  }

  /// Minimum seconds between two firings of a recurring item's alarm. A foreign rule must not ring every
  /// second.
  private static let minimumRest = 60.0

  /// A rule that goes off every second was missed too often to count.
  private static let maximumFolded = 10_000

  /// More seconds than this without a fix of a trace are a wrong clock, or a recording that others were added
  /// to. The alarms of years would not go off then either.
  static let minimumLeap = 366 * 86_400.0

  /// Whether something that was due at `due`, or was known then, is late when the clock shows `time`.
  func isLate(_ due: Instant, at time: Instant) -> Bool {
    switch clock {
    case .trace: false
    case .wall(let lateAfter): time.seconds(since: due) > lateAfter
    }
  }
}
