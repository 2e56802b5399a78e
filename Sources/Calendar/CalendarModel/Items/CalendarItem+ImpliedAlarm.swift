extension Alarm {
  /// The suffix of the identifier of an item's implied alarm.
  public static let impliedSuffix = "#due"

  /// The identifier of the implied alarm of items with a UID. It never changes, so that the alarm can be acknowledged
  /// and snoozed like any other.
  public static func impliedID(uid: String) -> Identifier<Alarm> { Identifier(rawValue: uid + impliedSuffix) }

  /// An alarm that marks its item as without alarms, as Apple's programs write it (ACTION:NONE): no default applies.
  public static func silent() -> Alarm { Alarm(action: .other("NONE")) }

  /// Whether it only marks the item as without alarms. It never goes off.
  public var isSilent: Bool {
    if case .other(let name) = action { name.uppercased() == "NONE" } else { false }
  }
}

extension Alarm {
  /// Whether it says when its item rings, or that it does not: then no default applies. Alarms at places and snoozed
  /// ones don't say so.
  public var replacesDefault: Bool { snoozeOf == nil && (proximity == nil || trigger != .none) }
}

extension CalendarItem {
  /// The identifier of the implied alarm, which the item has by the setting of its list if it has no own alarm at a
  /// time.
  public var impliedAlarmID: Identifier<Alarm> { Alarm.impliedID(uid: uid) }

  /// The alarms, without those that only mark the item as silent.
  public var audibleAlarms: [Alarm] { alarms.filter { !$0.isSilent } }

  /// Whether the item says on purpose that it has no alarm at its due time: see ``Alarm/silent()``. An own alarm at a
  /// time takes its place.
  public var isMarkedSilent: Bool {
    get { alarms.contains(where: \.isSilent) }
    set {
      if !newValue {
        alarms.removeAll(where: \.isSilent)
      } else if !isMarkedSilent {
        alarms.append(.silent())
      }
    }
  }

  /// Replaces the alarms. The item stays marked as silent until it gets an alarm at a time.
  public mutating func replaceAlarms(with new: [Alarm]) {
    let marks = alarms.filter(\.isSilent)
    alarms = new
    if !new.contains(where: \.replacesDefault) { alarms += marks }
  }

  /// The alarm that the item has by the setting of its list; `nil` if it has an own alarm at a time, is done, or has no
  /// due time.
  ///
  /// This does not change the item: the alarm is never stored, exported or shown among the item's own alarms. A snooze
  /// of it becomes an alarm of the item that refers to it and does not replace it.
  ///
  /// - Parameter offset: The time before (negative) or after the due time at which it goes off.
  public func impliedAlarm(_ offset: CalendarDuration) -> Alarm? {
    guard let reminder, reminder.due != nil, !isSilenced, !alarms.contains(where: \.replacesDefault) else {
      return nil
    }
    return defaultAlarm(offset, id: impliedAlarmID)
  }

  /// An alarm at this offset before (negative) or after the due time of a reminder.
  public func defaultAlarm(_ offset: CalendarDuration, id: Identifier<Alarm> = .random()) -> Alarm {
    Alarm(id: id, trigger: .relative(offset, to: start == nil ? .start : .end))
  }
}
