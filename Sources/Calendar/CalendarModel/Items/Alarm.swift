public import FencepostSpatiotemporal

/// An alarm of an item (`EKAlarm`; VALARM).
///
/// A proximity alarm goes off at its place. It may also have a trigger, which is a separate time: EventKit allows
/// both. Apple's sentinel trigger 19760401T005545Z is on proximity alarms because RFC 5545 requires a TRIGGER; it is
/// read as ``Trigger/none``.
public struct Alarm: Hashable, Sendable, Identifiable {
  /// The time of the alarm.
  public enum Trigger: Hashable, Sendable {
    /// No time: a pure proximity alarm.
    case none
    /// At a moment.
    case absolute(Instant)
    /// This long before (negative) or after each occurrence's start or end.
    case relative(CalendarDuration, to: Edge)
  }

  /// The end of an occurrence from which an offset counts; RELATED.
  public enum Edge: String, Hashable, Sendable {
    /// DTSTART; for a reminder without one, its due time.
    case start = "START"
    /// DTEND or DUE.
    case end = "END"
  }

  /// What the alarm does; ACTION.
  public enum Action: Hashable, Sendable {
    case display
    /// Plays a sound, by name if given.
    case audio(soundName: String?)
    case email(to: [String])
    /// Opens something; it is read, but never created (EventKit refuses to since OS X 10.9).
    case procedure(url: String?)
    /// The name of an ACTION without a case here.
    case other(String)
  }

  /// The alarm's identifier; the UID of RFC 9074 if it has one.
  public var id: Identifier<Alarm>
  /// The time of the alarm.
  public var trigger: Trigger
  /// The place and the crossing; `nil` for a purely time-based alarm.
  public var proximity: ProximityTrigger?
  /// What the alarm does.
  public var action: Action
  /// The text to show; DESCRIPTION. `nil` shows the item's title.
  public var message: String?
  /// SUMMARY of an e-mail alarm.
  public var summary: String?
  /// The number of repetitions; REPEAT.
  public var repeatCount: Int
  /// The time between repetitions; DURATION.
  public var repeatInterval: CalendarDuration?
  /// When it was last acknowledged (RFC 9074). Triggers at or before this are done.
  public var acknowledged: Instant?
  /// The alarm that this snooze belongs to (RELATED-TO with RELTYPE=SNOOZE, RFC 9074).
  public var snoozeOf: Identifier<Alarm>?
  /// Content of a file that this model has no field for.
  public var preserved: PreservedContent

  /// An alarm.
  public init(
    id: Identifier<Alarm> = .random(), trigger: Trigger = .none, proximity: ProximityTrigger? = nil,
    action: Action = .display, message: String? = nil
  ) {
    self.id = id
    self.trigger = trigger
    self.proximity = proximity
    self.action = action
    self.message = message
    repeatCount = 0
    preserved = PreservedContent()
  }
}
