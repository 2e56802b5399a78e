/// How an item repeats: the recurrence set of RFC 5545 (section 3.8.5), its detached occurrences excepted.
public struct Recurrence: Hashable, Sendable {
  /// RRULE; RFC 5545 wants one at most, EventKit allows more.
  public var rules: [RecurrenceRule]
  /// RDATE: occurrences besides.
  public var dates: [AdditionalOccurrence]
  /// EXDATE: occurrences that don't take place.
  public var exceptionDates: [CalendarTime]
  /// EXRULE, which RFC 2445 had: read, and kept.
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

  /// An RDATE: a start, and where a PERIOD said so an end of its own.
  public struct AdditionalOccurrence: Hashable, Sendable {
    /// When it starts.
    public var start: CalendarTime
    /// When it ends, where that differs from the item's length.
    public var end: CalendarTime?

    /// An occurrence at `start`, of the item's length unless `end` is given.
    public init(start: CalendarTime, end: CalendarTime? = nil) {
      self.start = start
      self.end = end
    }
  }
}
