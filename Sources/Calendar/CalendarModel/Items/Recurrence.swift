/// How an item repeats: the recurrence set of RFC 5545 (section 3.8.5), without its detached occurrences.
public struct Recurrence: Hashable, Sendable {
  /// RRULE. RFC 5545 wants at most one, EventKit allows more.
  public var rules: [RecurrenceRule]
  /// RDATE: additional occurrences.
  public var dates: [AdditionalOccurrence]
  /// EXDATE: occurrences that don't take place.
  public var exceptionDates: [CalendarTime]
  /// EXRULE of RFC 2445: read and kept.
  public var exceptionRules: [RecurrenceRule]

  /// A recurrence set.
  public init(
    rules: [RecurrenceRule] = [], dates: [AdditionalOccurrence] = [], exceptionDates: [CalendarTime] = [],
    exceptionRules: [RecurrenceRule] = []
  ) {
    self.rules = rules
    self.dates = dates
    self.exceptionDates = exceptionDates
    self.exceptionRules = exceptionRules
  }

  /// An RDATE: a start, and an end if it is a PERIOD.
  public struct AdditionalOccurrence: Hashable, Sendable {
    /// The start.
    public var start: CalendarTime
    /// The end, if it differs from the item's length.
    public var end: CalendarTime?

    /// An occurrence at `start`, with the item's length unless `end` is given.
    public init(start: CalendarTime, end: CalendarTime? = nil) {
      self.start = start
      self.end = end
    }
  }
}
