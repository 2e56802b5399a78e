internal import FencepostCalendarModel
internal import FencepostDatabase
internal import FencepostGeodesy

/// The columns of `alarms` for a ``CalendarModel/Alarm``, in the order of binding and reading. Its place is
/// in ``PlaceColumns``.
enum AlarmColumns {
  static let proximityNames = [
    "proximity", "dwell_seconds", "fires_if_inside", "frequency", "has_window", "window_from",
    "window_until", "window_weekdays", "window_first_day", "window_last_day", "devices", "includes_passing",
  ]
  static let names =
    [
      "id", "trigger_kind", "trigger_at", "trigger_days", "trigger_seconds", "action", "action_value",
      "message", "summary", "repeat_count", "repeat_days", "repeat_seconds", "acknowledged_at", "snooze_of",
      "preserved_properties", "preserved_components",
    ] + proximityNames

  /// Columns of alarms `a` and their places `l`, for ``RowReader/alarm()``.
  static let list = (names.map { "a." + $0 } + PlaceColumns.names.map { "l." + $0 }).joined(separator: ", ")
}

extension Binder {
  /// The columns of ``AlarmColumns``.
  mutating func add(_ alarm: Alarm) {
    add(alarm.id)
    switch alarm.trigger {
    case .none:
      add(0)
      null()
      add(nil as CalendarDuration?)
    case .absolute(let instant):
      add(1)
      add(instant)
      add(nil as CalendarDuration?)
    case .relative(let offset, let edge):
      add(edge == .start ? 2 : 3)
      null()
      add(offset)
    }
    switch alarm.action {
    case .display:
      add(0)
      null()
    case .audio(let soundName):
      add(1)
      add(soundName)
    case .email(let addresses):
      add(2)
      add(addresses)
    case .procedure(let url):
      add(3)
      add(url)
    case .other(let name):
      add(4)
      add(name)
    }
    add(alarm.message)
    add(alarm.summary)
    add(alarm.repeatCount)
    add(alarm.repeatInterval)
    add(alarm.acknowledged)
    add(alarm.snoozeOf)
    add(alarm.preserved)
    add(alarm.proximity)
  }

  private mutating func add(_ proximity: ProximityTrigger?) {
    guard let proximity else {
      for _ in AlarmColumns.proximityNames { null() }
      return
    }
    switch proximity.event {
    case .enter:
      add(1)
      null()
    case .leave:
      add(2)
      null()
    case .dwell(let seconds):
      add(3)
      add(seconds)
    }
    add(proximity.firesIfInside)
    add(proximity.frequency.rawValue)
    add(proximity.window != nil)
    add(proximity.window?.hours?.from)
    add(proximity.window?.hours?.until)
    // One bit per day; Sunday is the second.
    add(proximity.window?.weekdays.reduce(0) { $0 | 1 << $1.rawValue })
    add(proximity.window?.firstDay?.dayNumber)
    add(proximity.window?.lastDay?.dayNumber)
    add(proximity.devices)
    add(proximity.includesPassing)
  }
}

extension RowReader {
  /// The columns of ``AlarmColumns/list``.
  mutating func alarm() -> Alarm {
    var alarm = Alarm(id: identifier())
    let kind = int()
    let at = optionalInstant()
    let offset = optionalDuration()
    switch (kind, at, offset) {
    case (0, _, _): break
    case (1, let at?, _): alarm.trigger = .absolute(at)
    case (2, _, let offset?): alarm.trigger = .relative(offset, to: .start)
    case (3, _, let offset?): alarm.trigger = .relative(offset, to: .end)
    default: fail("no trigger of kind \(kind)")
    }
    alarm.action = action()
    alarm.message = optionalText()
    alarm.summary = optionalText()
    alarm.repeatCount = int()
    alarm.repeatInterval = optionalDuration()
    alarm.acknowledged = optionalInstant()
    alarm.snoozeOf = optionalIdentifier()
    alarm.preserved = preserved()
    alarm.proximity = proximity()
    return alarm
  }

  private mutating func action() -> Alarm.Action {
    switch int() {
    case 0:
      skip()
      return .display
    case 1: return .audio(soundName: optionalText())
    case 2: return .email(to: list())
    case 3: return .procedure(url: optionalText())
    default: return .other(text())
    }
  }

  /// The columns of ``AlarmColumns/proximityNames`` and then of ``PlaceColumns``.
  mutating func proximity() -> ProximityTrigger? {
    let kind = optionalInt()
    let seconds = optionalInt()
    guard let kind else {
      skip(Int32(AlarmColumns.proximityNames.count - 2 + PlaceColumns.names.count))
      return nil
    }
    let event: ProximityTrigger.Event
    switch (kind, seconds) {
    case (1, _): event = .enter
    case (2, _): event = .leave
    case (3, let seconds?): event = .dwell(seconds: seconds)
    default:
      fail("\(kind), which is no kind of crossing")
      event = .enter
    }
    let firesIfInside = bool()
    let frequency: ProximityTrigger.Frequency = value(usually: .always, or: .always)
    let window = window()
    let devices = list()
    // Alarms of an older store have no value.
    let includesPassing = optionalInt() == 1
    return ProximityTrigger(
      event, at: place(), firesIfInside: firesIfInside, includesPassing: includesPassing,
      frequency: frequency, window: window, devices: devices)
  }

  private mutating func window() -> TimeWindow? {
    guard bool() else {
      skip(5)
      return nil
    }
    let from = optionalInt()
    let until = optionalInt()
    let bits = int()
    var window = TimeWindow(weekdays: Set(Weekday.allCases.filter { bits & 1 << $0.rawValue != 0 }))
    if let from, let until { window.hours = TimeWindow.Hours(from: from, until: until) }
    window.firstDay = optionalInt().map(CivilDay.init(dayNumber:))
    window.lastDay = optionalInt().map(CivilDay.init(dayNumber:))
    return window
  }
}
