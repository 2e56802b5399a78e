public import Spatiotemporal

/// How an alarm goes off at a place.
public struct ProximityTrigger: Hashable, Sendable {
  /// What a device must do there.
  public enum Event: Hashable, Sendable {
    /// Come in (`EKAlarmProximity.enter`; PROXIMITY:ARRIVE).
    case enter
    /// Go out (`EKAlarmProximity.leave`; PROXIMITY:DEPART).
    case leave
    /// Have stayed inside for so many seconds. Fencepost's own: EventKit has no such thing.
    case dwell(seconds: Int)
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

  /// What a device must do.
  public var event: Event
  /// Where.
  public var location: StructuredLocation
  /// True where a device that is inside when the alarm is made counts as having entered.
  public var firesIfInside: Bool
  /// True where passing by in a car counts as having come: one good position inside is enough, or a way that leads through.
  public var includesPassing: Bool
  /// How often it may go off.
  public var frequency: Frequency
  /// When it may go off; `nil` for any time.
  public var window: TimeWindow?
  /// The devices that it listens to, by name; empty for any.
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

/// The hours, weekdays and dates in which an alarm may go off, on the system's wall clock.
public struct TimeWindow: Hashable, Sendable {
  /// From and until when, in seconds of the day; from after until spans midnight. `nil` for the whole day.
  public var hours: Hours?
  /// On which days; empty for any.
  public var weekdays: Set<Weekday>
  /// Not before this day.
  public var firstDay: CivilDay?
  /// Not after this day.
  public var lastDay: CivilDay?

  /// Part of a day, in seconds since midnight: from `from`, until before `until`.
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

  /// True where the window is open at a reading of the wall clock.
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
