public import Spatiotemporal

/// The rules of a zone that came with a file: VTIMEZONE of RFC 5545 (section 3.6.5).
///
/// Used for zones that the system's time zone data does not know by name.
public struct TimeZoneDefinition: Hashable, Sendable {
  /// A STANDARD or DAYLIGHT part: from when on which offset holds.
  public struct Observance: Hashable, Sendable {
    /// True for DAYLIGHT.
    public var isDaylight: Bool
    /// When it first begins, on the wall clock that held until then; DTSTART.
    public var start: CivilDateTime
    /// Seconds east of UTC until it begins; TZOFFSETFROM.
    public var offsetFrom: Int
    /// Seconds east of UTC once it has begun; TZOFFSETTO.
    public var offsetTo: Int
    /// Its abbreviation; TZNAME.
    public var name: String?
    /// When it begins again; RRULE.
    public var rules: [RecurrenceRule]
    /// When it begins besides; RDATE.
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

  /// The TZID by which times name it.
  public var id: TimeZoneID
  /// Its parts, in the order in which they stood.
  public var observances: [Observance]
  /// The component's text, unfolded, lines joined by newlines, to be written again.
  public var text: String

  /// A zone's rules.
  public init(id: TimeZoneID, observances: [Observance], text: String) {
    self.id = id
    self.observances = observances
    self.text = text
  }
}
