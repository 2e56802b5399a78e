/// The fields of events only (`EKEvent`; VEVENT).
public struct EventDetails: Hashable, Sendable {
  /// Whether the time is busy. Raw values are `EKEventAvailability`'s.
  public enum Availability: Int, Hashable, Sendable, CaseIterable {
    case notSupported = -1
    case busy, free, tentative, unavailable
  }

  /// Whether the event takes place. Raw values are `EKEventStatus`'s.
  public enum Status: Int, Hashable, Sendable, CaseIterable {
    case none = 0, confirmed, tentative, cancelled
  }

  /// DTSTART.
  public var start: CalendarTime
  /// DTEND, exclusive as in RFC 5545: an all-day event of one day ends on the next day.
  public var end: CalendarTime
  /// Whether the time is busy.
  public var availability: Availability
  /// Whether the event takes place.
  public var status: Status
  /// The contact of a birthday (`birthdayContactIdentifier`).
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

  /// Whether it takes whole days.
  public var isAllDay: Bool { start.isDate }
}
