/// What only an event has (`EKEvent`; VEVENT).
public struct EventDetails: Hashable, Sendable {
  /// Whether the time is taken. Raw values are `EKEventAvailability`'s.
  public enum Availability: Int, Hashable, Sendable, CaseIterable {
    case notSupported = -1
    case busy, free, tentative, unavailable
  }

  /// Whether it takes place. Raw values are `EKEventStatus`'s.
  public enum Status: Int, Hashable, Sendable, CaseIterable {
    case none = 0, confirmed, tentative, cancelled
  }

  /// DTSTART.
  public var start: CalendarTime
  /// DTEND, exclusive as in RFC 5545: an all-day event of one day ends on the day after.
  public var end: CalendarTime
  /// Whether the time is taken.
  public var availability: Availability
  /// Whether it takes place.
  public var status: Status
  /// The contact whose birthday it is (`birthdayContactIdentifier`).
  public var birthdayContact: String?

  /// An event from `start` until before `end`.
  public init(
    start: CalendarTime, end: CalendarTime, availability: Availability = .busy, status: Status = .none,
    birthdayContact: String? = nil
  ) {
    self.start = start
    self.end = end
    self.availability = availability
    self.status = status
    self.birthdayContact = birthdayContact
  }

  /// True where it takes whole days.
  public var isAllDay: Bool { start.isDate }
}
