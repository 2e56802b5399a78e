import FencepostSpatiotemporal

/// The details of an item, in addition to its title, that notifications show.
public struct FiringDetails: Hashable, Sendable {
  /// The start.
  public var start: CalendarTime?
  /// An event's end, or a reminder's due time.
  public var end: CalendarTime?
  /// The location as text.
  public var location: String?
  /// The notes, cut off if long.
  public var notes: String?
  /// Its URL.
  public var url: String?
  /// The address to join its conference, if it has one outside its texts.
  public var conference: String?

  /// Longer texts are cut off, because channels limit messages.
  public static let mostCharacters = 2_000

  /// Details; all are `nil` by default. Cuts off long texts.
  public init(
    start: CalendarTime? = nil, end: CalendarTime? = nil, location: String? = nil, notes: String? = nil,
    url: String? = nil, conference: String? = nil
  ) {
    self.start = start
    self.end = end
    self.location = Self.shortened(location)
    self.notes = Self.shortened(notes)
    self.url = Self.shortened(url)
    self.conference = conference
  }

  /// The details of an item.
  public init(_ item: CalendarItem) {
    self.init(
      start: item.start, end: item.event?.end ?? item.reminder?.due,
      location: Self.location(item.location, place: item.structuredLocation?.title), notes: item.notes,
      url: item.url, conference: item.preserved.properties.lazy.compactMap(Conference.address(inLine:)).first)
  }

  /// The address to join: that of its conference, otherwise a link of a known service in the URL, the location or the notes.
  public var joinAddress: String? { conference ?? JoinLink.first(in: [url, location, notes]) }

  /// The location as text: the given text, otherwise the name of the place.
  public static func location(_ text: String?, place: String?) -> String? {
    [text, place].compactMap { $0 }.first { !$0.isEmpty }
  }

  /// The same details for the occurrence that starts (or, without a start, is due) at that time; unchanged for `nil`.
  public func taking(place occurrence: CalendarTime?) -> FiringDetails {
    guard let occurrence else { return self }
    var moved = self
    guard let start else {
      if end != nil { moved.end = occurrence }
      return moved
    }
    moved.start = occurrence
    if let end {
      let length = end.civil.secondsSinceEpoch - start.civil.secondsSinceEpoch
      moved.end = end.with(
        civil: CivilDateTime(secondsSinceEpoch: occurrence.civil.secondsSinceEpoch + length))
    }
    return moved
  }

  private static func shortened(_ text: String?) -> String? {
    guard let text, !text.isEmpty else { return nil }
    // Most texts are short enough without counting.
    guard text.utf8.count > mostCharacters, text.count > mostCharacters else { return text }
    return text.prefix(mostCharacters - 1) + "…"
  }
}
