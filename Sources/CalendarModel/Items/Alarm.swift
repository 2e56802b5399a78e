public import Spatiotemporal

/// An alarm of an item (`EKAlarm`; VALARM).
///
/// A proximity alarm goes off at its place. Its trigger, if it has one besides, is a time of its own:
/// EventKit does not make the two exclusive. Apple's sentinel trigger 19760401T005545Z, which stands on
/// proximity alarms because RFC 5545 asks for a TRIGGER, is read as ``Trigger/none``.
public struct Alarm: Hashable, Sendable, Identifiable {
  /// The time at which it goes off.
  public enum Trigger: Hashable, Sendable {
    /// At no time: a proximity alarm alone.
    case none
    /// At a moment.
    case absolute(Instant)
    /// So long before (negative) or after each occurrence's start or end.
    case relative(CalendarDuration, to: Edge)
  }

  /// Which end of an occurrence an offset is told from; RELATED.
  public enum Edge: String, Hashable, Sendable {
    /// DTSTART; for a reminder without one, its due time.
    case start = "START"
    /// DTEND or DUE.
    case end = "END"
  }

  /// What is to be done; ACTION.
  public enum Action: Hashable, Sendable {
    case display
    /// Plays a sound by name, where one is given.
    case audio(soundName: String?)
    case email(to: [String])
    /// Opens something; read, never made (EventKit refuses to since OS X 10.9).
    case procedure(url: String?)
    /// An ACTION that the model has no case for, by its name.
    case other(String)
  }

  /// The alarm's identifier; UID of RFC 9074 where the alarm came with one.
  public var id: Identifier<Alarm>
  /// The time at which it goes off.
  public var trigger: Trigger
  /// The place at which it goes off, and how; `nil` for an alarm of time alone.
  public var proximity: ProximityTrigger?
  /// What is to be done.
  public var action: Action
  /// The text to show; DESCRIPTION. `nil` for the item's title.
  public var message: String?
  /// SUMMARY, of an e-mail alarm.
  public var summary: String?
  /// How often it goes off again; REPEAT.
  public var repeatCount: Int
  /// How long between; DURATION.
  public var repeatInterval: CalendarDuration?
  /// When it was last acknowledged (RFC 9074): a trigger at or before this is done with.
  public var acknowledged: Instant?
  /// The alarm that this one is the snooze of (RELATED-TO with RELTYPE=SNOOZE, RFC 9074).
  public var snoozeOf: Identifier<Alarm>?
  /// What a file said of it that this model has no field for.
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
