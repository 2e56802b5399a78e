public import CalendarModel
public import CalendarStore
public import Recurrence

/// What the user says to an alarm that went off (RFC 9074, sections 6 and 7).
public enum AlarmResponse: Hashable, Sendable {
  /// Seen: the alarm is done with, and so are those that it was put off to.
  case acknowledge
  /// Later: it goes off again at a moment.
  case snooze(until: Instant)
  /// Done: the reminder is ticked off; a recurring one moves on. An event is acknowledged.
  case complete
}

extension StoreWriter {
  /// Keeps what the user says to a firing, in the ledger and in the item, where other programs read it.
  ///
  /// Snoozing adds an alarm of its own that names the one it stands for, or moves the one that does; whatever is said,
  /// the alarm that went off gets the time at which it was acknowledged.
  ///
  /// - Parameters:
  ///   - response: What the user says.
  ///   - key: The firing's key.
  ///   - now: When.
  ///   - resolver: The zones in which a recurring reminder moves on.
  /// - Returns: The firing; `nil` where the ledger does not have it.
  @discardableResult
  public func respond(
    _ response: AlarmResponse, to key: String, at now: Instant, resolver: TimeResolver
  ) throws(StoreError) -> LedgerEntry? {
    guard let entry = try reader.firing(key: key) else { return nil }
    guard let stored = try reader.item(entry.firing.item) else {
      try acknowledge(firing: key, at: now)
      return entry
    }
    var item = stored
    let original = item.acknowledge(entry.firing, insteadOf: try firstAlarm(of: entry), at: now)
    var later: Identifier<Alarm>?
    switch response {
    case .acknowledge: item.endSnooze(of: original)
    case .snooze(let moment): later = item.snooze(original, until: moment, message: entry.context?.message)
    case .complete:
      item.endSnooze(of: original)
      if item.reminder != nil {
        if let done = item.rollOn(at: now, resolver: resolver) {
          try save(done)
        } else {
          item.reminder?.complete(at: now)
        }
      }
    }
    try acknowledge(firing: key, at: now, puttingOffTo: later)
    // An implied alarm is answered in the ledger alone.
    guard item != stored else { return entry }
    item.lastModified = now
    try save(item)
    return entry
  }
}

extension StoreWriter {
  /// The alarm that a firing was put off from at first, as far as the ledger knows.
  private func firstAlarm(of entry: LedgerEntry) throws(StoreError) -> Identifier<Alarm>? {
    guard let key = entry.context?.snoozed?.key else { return nil }
    return try reader.firing(key: key)?.firing.alarm
  }
}

extension CalendarItem {
  /// Notes that an alarm was seen.
  ///
  /// - Parameter first: The alarm that stood for at first what went off, where that is known.
  /// - Returns: The alarm that went off, or the one that it stood for.
  fileprivate mutating func acknowledge(
    _ firing: Firing, insteadOf first: Identifier<Alarm>?, at now: Instant
  ) -> Identifier<Alarm> {
    let original = alarms.first { $0.id == firing.alarm }?.snoozeOf ?? first ?? firing.alarm
    for index in alarms.indices where alarms[index].id == firing.alarm || alarms[index].id == original {
      // Where the clock was set back, what went off is done with all the same.
      alarms[index].acknowledged = max(now, firing.time)
    }
    return original
  }

  /// Takes away the alarm to which another one was put off.
  fileprivate mutating func endSnooze(of original: Identifier<Alarm>) {
    alarms.removeAll { $0.snoozeOf == original }
  }

  /// Puts an alarm off to a moment: one alarm stands for all times that it was put off, so that what went off
  /// earlier can still be answered.
  ///
  /// To the whole second, as iCalendar has no other: whoever reads it elsewhere lets it go off at the same moment.
  ///
  /// The alarm that went off may be gone: a snoozed alarm goes once it is answered. Then the new one stands for the item's
  /// first alarm; without one it stands for itself, with the `message` of the firing. An implied alarm is never stored, but
  /// the new one still names it.
  ///
  /// - Returns: The alarm that it was put off to.
  fileprivate mutating func snooze(
    _ original: Identifier<Alarm>, until moment: Instant, message: String?
  ) -> Identifier<Alarm> {
    let second = moment.wholeSeconds
    let moment = Instant(seconds: Instant(seconds: second) < moment ? second + 1 : second)
    let isImplied = original == impliedAlarmID
    let alarm =
      alarms.first { $0.id == original } ?? (isImplied ? nil : alarms.first { $0.snoozeOf == nil })
    let named = isImplied ? original : alarm?.id
    if let named, let index = alarms.firstIndex(where: { $0.snoozeOf == named }) {
      alarms[index].trigger = .absolute(moment)
      alarms[index].acknowledged = nil
      return alarms[index].id
    }
    var later = Alarm(
      trigger: .absolute(moment), action: alarm?.action ?? .display, message: alarm?.message ?? message)
    later.snoozeOf = named
    alarms.append(later)
    return later.id
  }
}
