public import CalendarModel

/// Between which moments all occurrences of an item lie: what the store finds items in a window by.
///
/// Bounds may be wider than they need to be, never narrower: they say which items are worth expanding, and
/// the Recurrence room says what is in the window.
public struct OccurrenceBounds: Hashable, Sendable {
  /// Not after the first occurrence's start; `nil` for an item with no time at all.
  public var first: Instant?
  /// Not before the last occurrence's end; `nil` where no end is known.
  public var last: Instant?

  /// Bounds.
  public init(first: Instant?, last: Instant?) {
    self.first = first
    self.last = last
  }
}

extension OccurrenceBounds {
  /// How far a wall clock can be from UTC, and a little more: no zone in the tz database has ever been
  /// 16 hours off. Bounds that leave this much room hold in whichever zone the reader is, and after
  /// any change of a zone's rules.
  static let zoneMargin: Int64 = 86_400 * 1_000_000

  /// The bounds that can be told without zone rules and without expanding a rule.
  ///
  /// A rule that ends by COUNT has no known end here; whoever expands it can give a better one to
  /// ``StoreWriter/save(_:bounds:)``.
  public init(_ item: CalendarItem) {
    guard let anchor = item.anchor else {
      self.init(first: nil, last: nil)
      return
    }
    let start = anchor.about
    let end = max(start, item.end?.about ?? start)
    // A whole day lasts until the next; the end of an all-day event is the day after already.
    let length = (end - start) &+ (anchor.isDate ? Self.zoneMargin : 0)
    var first = start
    var last: Int64? = start
    if let recurrence = item.recurrence {
      for rule in recurrence.rules {
        if case .until(let until) = rule.end {
          last = last.map { max($0, until.about) }
        } else {
          last = nil
        }
      }
      for date in recurrence.dates {
        first = min(first, date.start.about)
        last = last.map { max($0, date.start.about, (date.end?.about ?? .min).subtracting(length)) }
      }
    }
    self.init(
      first: Instant(microseconds: first.subtracting(Self.zoneMargin)),
      last: last.map { Instant(microseconds: $0.adding(length).adding(Self.zoneMargin)) })
  }

  /// Items are indexed by the smallest of these that their bounds fit in; see ``Schema``. A window's query
  /// looks, for each, at the items that begin no more than that before the window: a B-tree then does the
  /// work of an interval tree.
  static let spans: [Int64] = (0..<15).map { 3_600_000_000 << (3 * $0) }.filter { $0 > 0 }

  /// The number of the span that these bounds fit in; the number after the last for those with no end.
  var span: Int? {
    guard let first else { return nil }
    guard let last else { return Self.spans.count }
    let (length, overflow) = last.microseconds.subtractingReportingOverflow(first.microseconds)
    if overflow { return Self.spans.count }
    return Self.spans.firstIndex { $0 >= length } ?? Self.spans.count
  }
}

extension CalendarTime {
  /// The moment that this time would name in UTC, in microseconds: right to a day.
  var about: Int64 { Instant(seconds: civil.secondsSinceEpoch).microseconds }
}

extension CalendarItem {
  /// DTEND of an event, DUE of a reminder.
  var end: CalendarTime? {
    switch details {
    case .event(let event): event.end
    case .reminder(let reminder): reminder.due
    }
  }
}

extension Int64 {
  /// The sum, or the end of the range that it is beyond.
  func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, or the end of the range that it is beyond.
  func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
