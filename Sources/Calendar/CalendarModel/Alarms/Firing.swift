public import FencepostGeodesy
public import FencepostSpatiotemporal

/// The event that an alarm went off. The ledger keeps each firing once.
public struct Firing: Hashable, Sendable {
  /// The cause.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case enter, leave, dwell, absolute, relative
  }

  /// The boundary crossing, for the proximity kinds.
  public struct Crossing: Hashable, Sendable {
    /// The name of the device.
    public var device: String
    /// The device's position at the fix that confirmed the crossing.
    public var position: Coordinate
    /// The accuracy of that fix in metres, if known.
    public var accuracy: Double?
    /// Whether ``Firing/time`` was interpolated between two fixes.
    public var isInterpolated: Bool
    /// The interval without positions of the device around the crossing, if it lasted minutes. The crossing
    /// may have been at any time in it, and ``Firing/time`` is an estimate.
    public var gap: ClosedRange<Instant>?
    /// The kind of evidence.
    public var source: CrossingSource

    /// A crossing.
    public init(
      device: String, position: Coordinate, accuracy: Double?, isInterpolated: Bool,
      gap: ClosedRange<Instant>? = nil, source: CrossingSource = .positions
    ) {
      self.device = device
      self.position = position
      self.accuracy = accuracy
      self.isInterpolated = isInterpolated
      self.gap = gap
      self.source = source
    }
  }

  /// The cause.
  public var kind: Kind
  /// The time of the crossing, or the due time.
  public var time: Instant
  /// When the crossing was confirmed and the alarm went off; `nil` if that is ``time``.
  public var confirmedAt: Instant?
  /// The alarm with its item and place.
  public var subject: AlarmSubject
  /// The occurrence's start, for the time kinds of a recurring item.
  public var occurrence: CalendarTime?
  /// The device and its position, for the proximity kinds.
  public var crossing: Crossing?
  /// Whether it went off late, because no engine ran at its time.
  public var isLate: Bool
  /// The number of earlier missed occurrences that it replaces.
  public var folded: Int

  /// A firing of a subject.
  public init(
    kind: Kind, time: Instant, confirmedAt: Instant? = nil, of subject: AlarmSubject,
    occurrence: CalendarTime? = nil, crossing: Crossing? = nil, isLate: Bool = false, folded: Int = 0
  ) {
    self.kind = kind
    self.time = time
    self.confirmedAt = confirmedAt
    self.subject = subject
    self.occurrence = occurrence
    self.crossing = crossing
    self.isLate = isLate
    self.folded = folded
  }

  /// A firing of an alarm of an item. The proximity kinds need both `place` and `crossing`.
  public init(
    kind: Kind, time: Instant, confirmedAt: Instant? = nil, alarm: Identifier<Alarm>,
    item: Identifier<CalendarItem>, occurrence: CalendarTime? = nil, place: StructuredLocation? = nil,
    crossing: Crossing? = nil, isLate: Bool = false, folded: Int = 0
  ) {
    self.init(
      kind: kind, time: time, confirmedAt: confirmedAt,
      of: AlarmSubject(alarm: alarm, item: item, place: place), occurrence: occurrence, crossing: crossing,
      isLate: isLate, folded: folded)
  }

  /// The alarm.
  public var alarm: Identifier<Alarm> { subject.alarm }
  /// The alarm's item.
  public var item: Identifier<CalendarItem> { subject.item }
  /// The place, for the proximity kinds.
  public var place: StructuredLocation? { subject.place }

  /// When the alarm went off. Firings are ordered by it.
  public var wentOffAt: Instant { confirmedAt ?? time }

  /// The unique key of the firing: the ledger holds each key once.
  ///
  /// Item, alarm and due time for the time kinds; item, alarm, device and crossing time for the others. It
  /// includes the item because some files give the alarms of several items one identifier.
  public var key: String {
    let what = crossing.map { "\(kind.rawValue)@\($0.device)" } ?? kind.rawValue
    return "\(item)/\(alarm)/\(what)/\(time.microseconds)"
  }
}

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
  public static let maximumCharacters = 2_000

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
      url: item.url,
      conference: Conference.address(
        inLines: item.preserved.properties, before: [item.url, item.location, item.notes]))
  }

  /// The address to join: that of its conference, otherwise a link of a known service in the URL, the
  /// location or the notes. A link goes before a number to call.
  ///
  /// - Parameter hosts: Hosts whose links are all to meetings: the setting `join-hosts`.
  public func joinAddress(at hosts: JoinHosts = JoinHosts()) -> String? {
    if let conference, !conference.lowercased().hasPrefix("tel:") { return conference }
    return JoinLink.first(in: [url, location, notes], at: hosts) ?? conference
  }

  /// The location as text: the given text, otherwise the name of the place.
  public static func location(_ text: String?, place: String?) -> String? {
    [text, place].compactMap { $0 }.first { !$0.isEmpty }
  }

  /// The same details for the occurrence that starts (or, without a start, is due) at that time; unchanged
  /// for `nil`.
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
    guard text.utf8.count > maximumCharacters, text.count > maximumCharacters else { return text }
    return text.prefix(maximumCharacters - 1) + "…"
  }
}

/// An alarm as its firings name it, with its item and place.
///
/// The firings of an alarm at crossings share one: to copy its texts for each would cost more than to find
/// the crossing.
public final class AlarmSubject: Sendable {
  // What each line of a replay needs comes first, so that fewer parts of an object are fetched from memory.

  /// The number of the alarm's fence in the store that it was read from, or `nil`.
  public let fence: Int64?
  /// What a list shows of the item; `nil` if that was not read with the alarm.
  public let heading: ItemHeading?
  /// The place, if the alarm waits for a crossing.
  public let place: StructuredLocation?
  /// The alarm.
  public let alarm: Identifier<Alarm>
  /// The alarm's item.
  public let item: Identifier<CalendarItem>

  /// A subject.
  public init(
    alarm: Identifier<Alarm>, item: Identifier<CalendarItem>, place: StructuredLocation? = nil,
    heading: ItemHeading? = nil, fence: Int64? = nil
  ) {
    self.alarm = alarm
    self.item = item
    self.place = place
    self.heading = heading
    self.fence = fence
  }
}

extension AlarmSubject: Hashable {
  /// Whether alarm, item and place are equal. The other properties only save a look at the store.
  public static func == (one: AlarmSubject, other: AlarmSubject) -> Bool {
    one === other || one.alarm == other.alarm && one.item == other.item && one.place == other.place
  }

  /// Hashes alarm and item.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(alarm)
    hasher.combine(item)
  }
}

/// The title of an item, and where it is listed.
public struct ItemHeading: Hashable, Sendable {
  /// The item's title.
  public var title: String
  /// The name of its list or calendar.
  public var list: String

  /// A heading.
  public init(title: String, list: String) {
    self.title = title
    self.list = list
  }
}

/// The next moment at which a time-based alarm goes off.
public struct DueTime: Hashable, Sendable {
  /// The kind: ``Firing/Kind/absolute`` or ``Firing/Kind/relative``; ``Firing/Kind/dwell`` for a stay that
  /// the engine waits for.
  public var kind: Firing.Kind
  /// The moment.
  public var time: Instant
  /// The alarm.
  public var alarm: Identifier<Alarm>
  /// The alarm's item.
  public var item: Identifier<CalendarItem>
  /// The occurrence's start, for a recurring item.
  public var occurrence: CalendarTime?
  /// The index of the repetition (REPEAT); 0 is the first time.
  public var repetition: Int
  /// The device that stays, for a dwell.
  public var device: String?

  /// A due time.
  public init(
    kind: Firing.Kind, time: Instant, alarm: Identifier<Alarm>, item: Identifier<CalendarItem>,
    occurrence: CalendarTime? = nil, repetition: Int = 0, device: String? = nil
  ) {
    self.kind = kind
    self.time = time
    self.alarm = alarm
    self.item = item
    self.occurrence = occurrence
    self.repetition = repetition
    self.device = device
  }
}
