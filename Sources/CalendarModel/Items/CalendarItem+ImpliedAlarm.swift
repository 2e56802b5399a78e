extension Alarm {
  /// What the identifier of an item's implied alarm ends with.
  public static let impliedSuffix = "#due"

  /// The identifier of the implied alarm of items with a UID: always the same, so that it can be acknowledged, put off
  /// and told apart like any other.
  public static func impliedID(uid: String) -> Identifier<Alarm> { Identifier(rawValue: uid + impliedSuffix) }

  /// An alarm that says that the item has none, as Apple's programs write it (ACTION:NONE): no default applies.
  public static func silent() -> Alarm { Alarm(action: .other("NONE")) }

  /// True for an alarm that only marks the item as silent: it never goes off.
  public var isSilent: Bool {
    if case .other(let name) = action { name.uppercased() == "NONE" } else { false }
  }
}

extension CalendarItem {
  /// The identifier of the alarm that the item has by the setting of its list, where it has none of its own.
  public var impliedAlarmID: Identifier<Alarm> { Alarm.impliedID(uid: uid) }

  /// Its alarms, without those that only mark the item as silent.
  public var audibleAlarms: [Alarm] { alarms.filter { !$0.isSilent } }

  /// The alarm that the item has by the setting of its list; `nil` where it has an alarm of its own, is done, or has no
  /// due time.
  ///
  /// The item is not changed for it: the alarm is never stored, exported or shown among the item's own. That it was
  /// put off makes an alarm of the item, which names it and does not take its place.
  ///
  /// - Parameter offset: How long before (negative) or after the due time it goes off.
  public func impliedAlarm(_ offset: CalendarDuration) -> Alarm? {
    guard let reminder, reminder.due != nil, !isSilenced,
      alarms.allSatisfy({ $0.snoozeOf == impliedAlarmID })
    else { return nil }
    return defaultAlarm(offset, id: impliedAlarmID)
  }

  /// An alarm so long before (negative) or after the due time of a reminder.
  public func defaultAlarm(_ offset: CalendarDuration, id: Identifier<Alarm> = .random()) -> Alarm {
    Alarm(id: id, trigger: .relative(offset, to: start == nil ? .start : .end))
  }
}
