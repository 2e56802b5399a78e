public import FencepostSpatiotemporal

/// A recurrence rule: RRULE of RFC 5545 (section 3.3.10) with the RSCALE and SKIP of RFC 7529.
///
/// It covers all of `EKRecurrenceRule`. Values are as in the text: ``byMonthDay`` and others may be negative,
/// which counts from the end.
public struct RecurrenceRule: Hashable, Sendable {
  /// How often; FREQ.
  public enum Frequency: String, Hashable, Sendable, CaseIterable, Comparable {
    case secondly = "SECONDLY"
    case minutely = "MINUTELY"
    case hourly = "HOURLY"
    case daily = "DAILY"
    case weekly = "WEEKLY"
    case monthly = "MONTHLY"
    case yearly = "YEARLY"

    private var rank: Int {
      switch self {
      case .secondly: 0
      case .minutely: 1
      case .hourly: 2
      case .daily: 3
      case .weekly: 4
      case .monthly: 5
      case .yearly: 6
      }
    }

    /// Compares from the shortest to the longest.
    public static func < (a: Frequency, b: Frequency) -> Bool { a.rank < b.rank }
  }

  /// When it ends.
  public enum End: Hashable, Sendable {
    case never
    /// After this many occurrences, including the first; COUNT.
    case count(Int)
    /// After the last occurrence at or before this time; UNTIL, in its original form.
    case until(CalendarTime)
  }

  /// A weekday of BYDAY, with its ordinal in the month or year; 0 for every one.
  public struct WeekdayNumber: Hashable, Sendable {
    /// The day.
    public var weekday: Weekday
    /// Which one: 2 for the second, -1 for the last, 0 for every one.
    public var ordinal: Int

    /// The `ordinal`th `weekday`.
    public init(_ weekday: Weekday, ordinal: Int = 0) {
      self.weekday = weekday
      self.ordinal = ordinal
    }
  }

  /// What happens to a date that does not exist, such as 30 February; SKIP of RFC 7529.
  public enum Skip: String, Hashable, Sendable {
    case omit = "OMIT"
    case backward = "BACKWARD"
    case forward = "FORWARD"
  }

  /// The unit of the repetition; FREQ.
  public var frequency: Frequency
  /// The interval in these units; INTERVAL, at least 1.
  public var interval: Int
  /// When it ends.
  public var end: End
  /// BYSECOND, 0 to 60.
  public var bySecond: [Int]
  /// BYMINUTE, 0 to 59.
  public var byMinute: [Int]
  /// BYHOUR, 0 to 23.
  public var byHour: [Int]
  /// BYDAY.
  public var byDay: [WeekdayNumber]
  /// BYMONTHDAY, ±1 to 31.
  public var byMonthDay: [Int]
  /// BYYEARDAY, ±1 to 366.
  public var byYearDay: [Int]
  /// BYWEEKNO, ±1 to 53.
  public var byWeekNumber: [Int]
  /// BYMONTH, 1 to 12.
  public var byMonth: [Int]
  /// BYSETPOS, ±1 to 366.
  public var bySetPosition: [Int]
  /// WKST; `nil` means Monday.
  public var weekStart: Weekday?
  /// Whether the rule has RSCALE=GREGORIAN, which SKIP requires.
  public var hasScale: Bool
  /// What happens to a date that does not exist.
  public var skip: Skip
  /// Parts with names that begin with `X-`, each as `NAME=value`. They are exported again.
  public var otherParts: [String]

  /// A rule without BY… parts.
  public init(_ frequency: Frequency, interval: Int = 1, end: End = .never) {
    self.frequency = frequency
    self.interval = interval
    self.end = end
    bySecond = []
    byMinute = []
    byHour = []
    byDay = []
    byMonthDay = []
    byYearDay = []
    byWeekNumber = []
    byMonth = []
    bySetPosition = []
    hasScale = false
    skip = .omit
    otherParts = []
  }
}

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
