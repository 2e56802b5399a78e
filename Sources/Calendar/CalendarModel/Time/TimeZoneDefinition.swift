public import FencepostSpatiotemporal

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
