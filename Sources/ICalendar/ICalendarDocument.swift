public import CalendarModel

/// What an iCalendar file says.
public struct ICalendarDocument: Hashable, Sendable {
  /// Its events and reminders, in its order. Empty where they were handed out one by one.
  public var items: [CalendarItem] = []
  /// The zones that it defines, in its order.
  public var timeZones: [TimeZoneDefinition] = []
  /// The calendar's name; X-WR-CALNAME, or NAME of RFC 7986.
  public var name: String?
  /// The calendar's colour; X-APPLE-CALENDAR-COLOR, else COLOR of RFC 7986.
  public var color: Color?
  /// METHOD, in upper case: `PUBLISH`, `REQUEST` and so on.
  public var method: String?
  /// Properties of VCALENDAR that this type has no field for, and components that are neither event,
  /// reminder nor time zone, or that are messages, kept to be written again.
  public var preserved = PreservedContent()
  /// What was wrong with it, in its order, and no more than ``ICalendarReader/Limits/warnings`` of them.
  public var warnings: [Warning] = []
  /// How many warnings there were beyond ``warnings``.
  public var omittedWarnings = 0

  /// True where the file ends within a calendar: it was cut off, and may lack items.
  public var isCutOff = false

  /// Something wrong with a file that did not keep the rest from being read.
  public struct Warning: Hashable, Sendable, CustomStringConvertible {
    /// The file, by the name it was read by.
    public var file: String
    /// The line, counted from 1, on which what is wrong begins.
    public var line: Int
    /// What is wrong and what became of it.
    public var message: String

    /// A warning.
    public init(file: String, line: Int, message: String) {
      self.file = file
      self.line = line
      self.message = message
    }

    /// `file:line: message`.
    public var description: String { "\(file):\(line): \(message)" }
  }

  /// An empty document.
  public init() {}

  /// A document of `items`.
  public init(items: [CalendarItem], timeZones: [TimeZoneDefinition] = [], name: String? = nil) {
    self.items = items
    self.timeZones = timeZones
    self.name = name
  }

  /// Tells the calendar's name and colour, for programs of all kinds: the colour exactly, as Apple does, and by the nearest
  /// name that RFC 7986 has for it.
  public mutating func tell(name: String, color: Color?) {
    self.name = name
    self.color = color
    if let color {
      preserved.properties += [
        "X-APPLE-CALENDAR-COLOR:\(color.hexadecimal)", "COLOR:\(color.nearestCSSName)",
      ]
    }
  }

  /// Seconds between two looks at the calendar that it asks for: REFRESH-INTERVAL of RFC 7986, or Microsoft's
  /// X-PUBLISHED-TTL; `nil` where it says none.
  public var refreshInterval: Int? {
    for name in ["REFRESH-INTERVAL", "X-PUBLISHED-TTL"] {
      for line in preserved.properties.lazy.compactMap({ ContentLine($0) }) where line.name == name {
        guard let duration = CalendarDuration(text: line.word) else { continue }
        let (days, isTooLong) = duration.days.multipliedReportingOverflow(by: 86_400)
        let (seconds, overflow) = days.addingReportingOverflow(duration.seconds)
        if !isTooLong && !overflow && seconds > 0 { return seconds }
      }
    }
    return nil
  }
}
