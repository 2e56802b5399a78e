public import FencepostSpatiotemporal

/// The crossing and place that trigger an alarm.
public struct ProximityTrigger: Hashable, Sendable {
  /// The crossing that triggers it.
  public enum Event: Hashable, Sendable {
    /// The device enters (`EKAlarmProximity.enter`; PROXIMITY:ARRIVE).
    case enter
    /// The device leaves (`EKAlarmProximity.leave`; PROXIMITY:DEPART).
    case leave
    /// The device stays inside for this many seconds. Fencepost's own: EventKit does not have it.
    case dwell(seconds: Int)

    /// `enter`, `leave` or `dwell`: its name in JSON and in records.
    public var name: String {
      switch self {
      case .enter: "enter"
      case .leave: "leave"
      case .dwell: "dwell"
      }
    }
  }

  /// How often it may go off.
  public enum Frequency: String, Hashable, Sendable, CaseIterable {
    /// At every crossing.
    case always
    /// At the first crossing of each day.
    case oncePerDay
    /// Once, ever.
    case once
  }

  /// The crossing that triggers it.
  public var event: Event
  /// The place.
  public var location: StructuredLocation
  /// Whether a device that is inside when the alarm is created counts as entering.
  public var firesIfInside: Bool
  /// Whether passing by in a car counts as entering: one good position inside is enough, or a path through
  /// the region.
  public var includesPassing: Bool
  /// How often it may go off.
  public var frequency: Frequency
  /// When it may go off; `nil` for any time.
  public var window: TimeWindow?
  /// The names of the devices that trigger it; empty for any.
  public var devices: [String]

  /// A trigger for `event` at `location`.
  public init(
    _ event: Event, at location: StructuredLocation, firesIfInside: Bool = false,
    includesPassing: Bool = false, frequency: Frequency = .always, window: TimeWindow? = nil,
    devices: [String] = []
  ) {
    self.event = event
    self.location = location
    self.firesIfInside = firesIfInside
    self.includesPassing = includesPassing
    self.frequency = frequency
    self.window = window
    self.devices = devices
  }
}

/// The hours, weekdays and dates when an alarm may go off, on the system's wall clock.
public struct TimeWindow: Hashable, Sendable {
  /// The hours of the day; `nil` for the whole day.
  public var hours: Hours?
  /// The days; empty for any.
  public var weekdays: Set<Weekday>
  /// The first day.
  public var firstDay: CivilDay?
  /// The last day.
  public var lastDay: CivilDay?

  /// A part of the day, in seconds since midnight: from `from` until before `until`. It spans midnight if
  /// `from` is later.
  public struct Hours: Hashable, Sendable {
    /// The first second, 0 to 86,399.
    public var from: Int
    /// The second after the last, 0 to 86,400.
    public var until: Int

    /// From `from` until before `until`, in seconds since midnight.
    public init(from: Int, until: Int) {
      self.from = from
      self.until = until
    }
  }

  /// A window.
  public init(
    hours: Hours? = nil, weekdays: Set<Weekday> = [], firstDay: CivilDay? = nil, lastDay: CivilDay? = nil
  ) {
    self.hours = hours
    self.weekdays = weekdays
    self.firstDay = firstDay
    self.lastDay = lastDay
  }

  /// Whether the window is open at a wall-clock reading.
  ///
  /// Hours that span midnight belong to the day on which they begin.
  public func contains(_ time: CivilDateTime) -> Bool {
    var day = time.day
    if let hours {
      let second = time.secondOfDay
      if hours.from <= hours.until {
        guard second >= hours.from && second < hours.until else { return false }
      } else if second < hours.until {
        day = day.adding(days: -1)
      } else if second < hours.from {
        return false
      }
    }
    if !weekdays.isEmpty && !weekdays.contains(day.weekday) { return false }
    if let firstDay, day < firstDay { return false }
    if let lastDay, day > lastDay { return false }
    return true
  }
}
