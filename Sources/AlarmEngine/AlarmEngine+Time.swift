import CalendarModel
import CalendarStore
import Recurrence

extension AlarmEngine {
  /// Lets an alarm go off whose time has come, and arms its next occurrence. `time` is what the clock says.
  func fire(_ due: DueTime, at time: Instant) throws {
    step.disarm(item: due.item, alarm: due.alarm, device: due.device)
    if due.kind == .dwell { return try fireDwell(due) }
    let (found, schedule) = try store.read { reader in
      (
        try reader.series(of: due.item, resolver: self.schedule.resolver),
        try self.schedule.current(in: reader)
      )
    }
    guard let series = found, let index = series.items.firstIndex(where: { $0.id == due.item }),
      let alarm = schedule.alarms(of: series.items[index]).first(where: { $0.id == due.alarm }),
      !series.items[index].isSilenced
    else { return }
    var times = schedule.times(of: alarm, ofItem: index, in: series, after: due.time)
    var last = due
    var next = times.next()
    var folded = 0
    if isLate(due, at: time) {
      // Of the occurrences that were missed, the last stands for all.
      while let missed = next, missed.time <= time, folded < AlarmEngine.mostFolded {
        last = missed
        folded += 1
        next = times.next()
      }
    }
    add(
      Firing(
        kind: last.kind, time: last.time, confirmedAt: isLate(due, at: time) ? time : nil,
        alarm: last.alarm, item: last.item, occurrence: last.occurrence, isLate: isLate(due, at: time),
        folded: folded))
    if folded == AlarmEngine.mostFolded {
      next = schedule.next(of: alarm, ofItem: index, in: series, after: time)
    }
    // The moment before the rest is over: what is due as it ends goes off.
    let rest = Instant(microseconds: last.time.adding(seconds: AlarmEngine.leastRest).microseconds - 1)
    if series.items[index].recurrence != nil, let early = next, early.time <= rest {
      next = schedule.next(of: alarm, ofItem: index, in: series, after: rest)
    }
    if let next { arm(next) }
  }

  /// Seconds between the times at which an alarm of a recurring item goes off. A rule that somebody else wrote must not ring
  /// each second.
  private static let leastRest = 60.0

  /// A rule that goes off each second was missed too often to count.
  private static let mostFolded = 10_000

  private func isLate(_ due: DueTime, at time: Instant) -> Bool {
    switch clock {
    case .trace: false
    case .wall(let lateAfter): time.seconds(since: due.time) > lateAfter
    }
  }
}
