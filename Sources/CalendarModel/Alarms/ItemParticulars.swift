import Spatiotemporal

/// What is told of an item, beside its title, when an alarm of it goes off.
public struct ItemParticulars: Hashable, Sendable {
  /// When it starts.
  public var start: CalendarTime?
  /// An event's end; when a reminder is due.
  public var end: CalendarTime?
  /// Where, in words.
  public var location: String?
  /// Its notes, the beginning of long ones.
  public var notes: String?
  /// Its URL.
  public var url: String?

  /// Longer texts are cut off: a firing is told over channels that take no books.
  public static let mostCharacters = 2_000

  /// Particulars; long texts are cut off. None unless said.
  public init(
    start: CalendarTime? = nil, end: CalendarTime? = nil, location: String? = nil, notes: String? = nil,
    url: String? = nil
  ) {
    self.start = start
    self.end = end
    self.location = Self.shortened(location)
    self.notes = Self.shortened(notes)
    self.url = Self.shortened(url)
  }

  /// The particulars of an item.
  public init(_ item: CalendarItem) {
    self.init(
      start: item.start, end: item.event?.end ?? item.reminder?.due,
      location: Self.location(item.location, place: item.structuredLocation?.title), notes: item.notes,
      url: item.url)
  }

  /// Where, in words: what was said, else the name of the place.
  public static func location(_ text: String?, place: String?) -> String? {
    [text, place].compactMap { $0 }.first { !$0.isEmpty }
  }

  /// The same of the occurrence that starts (or, where there is no start, is due) then; for `nil` as they are.
  public func taking(place occurrence: CalendarTime?) -> ItemParticulars {
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
    // Most texts need not be counted.
    guard text.utf8.count > mostCharacters, text.count > mostCharacters else { return text }
    return text.prefix(mostCharacters - 1) + "…"
  }
}
