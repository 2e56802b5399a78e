public import FencepostSpatiotemporal

/// A DATE or DATE-TIME of RFC 5545 (sections 3.3.4 and 3.3.5), in its original form.
///
/// It keeps the form, not the instant: an event at nine in Berlin stays at nine when the rules of the zone
/// change. The Recurrence room has the zone rules to convert it to an ``Instant``.
public enum CalendarTime: Hashable, Sendable {
  /// A whole day in any zone (form VALUE=DATE): all-day events, reminders without a time.
  case date(CivilDay)
  /// A wall-clock time in any zone (form #1).
  case floating(CivilDateTime)
  /// A moment in UTC (form #2), to the second.
  case utc(CivilDateTime)
  /// A wall-clock time in a named zone (form #3).
  case zoned(CivilDateTime, TimeZoneID)

  /// Whether it is a whole day.
  public var isDate: Bool {
    if case .date = self { true } else { false }
  }

  /// The day as written, in its own zone.
  public var day: CivilDay { civil.day }

  /// The wall-clock reading as written, in its own zone; midnight for a whole day.
  public var civil: CivilDateTime {
    switch self {
    case .date(let day): CivilDateTime(day: day, secondOfDay: 0)
    case .floating(let time), .utc(let time), .zoned(let time, _): time
    }
  }

  /// The zone as written; `nil` for whole days and floating times, UTC for UTC.
  public var zone: TimeZoneID? {
    switch self {
    case .date, .floating: nil
    case .utc: .utc
    case .zoned(_, let zone): zone
    }
  }

  /// The same form and zone with another wall-clock reading; a whole day takes only its day.
  public func with(civil: CivilDateTime) -> CalendarTime {
    switch self {
    case .date: .date(civil.day)
    case .floating: .floating(civil)
    case .utc: .utc(civil)
    case .zoned(_, let zone): .zoned(civil, zone)
    }
  }

  /// The moment of a UTC time; `nil` for the forms that need zone rules.
  public var utcInstant: Instant? {
    if case .utc(let time) = self { Instant(seconds: time.secondsSinceEpoch) } else { nil }
  }

  /// The UTC form of `instant`, without fractions of a second.
  public init(_ instant: Instant) {
    self = .utc(CivilDateTime(secondsSinceEpoch: instant.wholeSeconds))
  }
}

/// A DURATION of RFC 5545 (section 3.3.6): nominal days, whose length depends on the zone, and exact seconds.
public struct CalendarDuration: Hashable, Sendable {
  /// Whole days on the wall clock (a week has seven); negative for durations back in time.
  public var days: Int
  /// Additional exact seconds; with the same sign as `days`.
  public var seconds: Int

  /// A duration of `days` and `seconds`.
  public init(days: Int = 0, seconds: Int = 0) {
    self.days = days
    self.seconds = seconds
  }

  /// The empty duration.
  public static let zero = CalendarDuration()

  /// The length in seconds if each day has 24 hours.
  public var nominalSeconds: Int { days * 86_400 + seconds }

  /// Parses RFC 5545's text, such as `-PT15M`, `P1DT2H` or `P2W`; `nil` if it is not a duration.
  ///
  /// More lenient than the grammar: units after the `T` may come in any order, as some exporters write them.
  /// Numbers have at most ten digits, so that none overflows.
  public init?(text: some StringProtocol) {
    var rest = Substring(text.uppercased())
    var sign = 1
    if let first = rest.first, first == "+" || first == "-" {
      sign = first == "-" ? -1 : 1
      rest.removeFirst()
    }
    guard rest.popFirst() == "P" else { return nil }
    var days = 0
    var seconds = 0
    var inTime = false
    var units = 0
    while !rest.isEmpty {
      if rest.first == "T" {
        guard !inTime else { return nil }
        inTime = true
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, digits.count <= 10, let value = Int(digits) else { return nil }
      rest.removeFirst(digits.count)
      switch (rest.popFirst(), inTime) {
      case ("W", false): days += value * 7
      case ("D", false): days += value
      case ("H", true): seconds += value * 3600
      case ("M", true): seconds += value * 60
      case ("S", true): seconds += value
      default: return nil
      }
      units += 1
    }
    guard units > 0 else { return nil }
    self.init(days: sign * days, seconds: sign * seconds)
  }

  /// RFC 5545's text: `-P1DT2H30M`; `PT0S` for an empty duration.
  public var text: String {
    if days == 0 && seconds == 0 { return "PT0S" }
    // The text has one sign, so parts of different signs become seconds.
    let unlike = (days < 0 && seconds > 0) || (days > 0 && seconds < 0)
    let days = unlike ? 0 : abs(self.days)
    let seconds = unlike ? abs(nominalSeconds) : abs(self.seconds)
    var text = (unlike ? nominalSeconds < 0 : self.days < 0 || self.seconds < 0) ? "-P" : "P"
    if days != 0 && days % 7 == 0 && seconds == 0 { return text + "\(days / 7)W" }
    if days != 0 { text += "\(days)D" }
    if seconds != 0 {
      text += "T"
      if seconds / 3600 != 0 { text += "\(seconds / 3600)H" }
      // Hours and seconds need minutes between them.
      if seconds / 60 % 60 != 0 || seconds / 3600 != 0 && seconds % 60 != 0 {
        text += "\(seconds / 60 % 60)M"
      }
      if seconds % 60 != 0 { text += "\(seconds % 60)S" }
    }
    return text
  }
}

/// The rules of a zone from a file: VTIMEZONE of RFC 5545 (section 3.6.5).
///
/// Used for zones that the system's time zone data does not have.
public struct TimeZoneDefinition: Hashable, Sendable {
  /// A STANDARD or DAYLIGHT part: an offset and when it applies.
  public struct Observance: Hashable, Sendable {
    /// Whether it is DAYLIGHT.
    public var isDaylight: Bool
    /// When it first begins, on the wall clock before the change; DTSTART.
    public var start: CivilDateTime
    /// Seconds east of UTC before it begins; TZOFFSETFROM.
    public var offsetFrom: Int
    /// Seconds east of UTC after it begins; TZOFFSETTO.
    public var offsetTo: Int
    /// Its abbreviation; TZNAME.
    public var name: String?
    /// When it repeats; RRULE.
    public var rules: [RecurrenceRule]
    /// Additional beginnings; RDATE.
    public var dates: [CivilDateTime]

    /// An observance.
    public init(
      isDaylight: Bool, start: CivilDateTime, offsetFrom: Int, offsetTo: Int, name: String? = nil,
      rules: [RecurrenceRule] = [], dates: [CivilDateTime] = []
    ) {
      self.isDaylight = isDaylight
      self.start = start
      self.offsetFrom = offsetFrom
      self.offsetTo = offsetTo
      self.name = name
      self.rules = rules
      self.dates = dates
    }
  }

  /// The TZID that times refer to.
  public var id: TimeZoneID
  /// Its parts, in the order of the file.
  public var observances: [Observance]
  /// The component's text, unfolded, with lines joined by newlines. It is exported again.
  public var text: String

  /// A zone's rules.
  public init(id: TimeZoneID, observances: [Observance], text: String) {
    self.id = id
    self.observances = observances
    self.text = text
  }
}
