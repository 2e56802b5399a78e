public import CalendarModel
internal import Recurrence

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

  /// The bounds of an item's occurrences, told without zone rules, so that they hold in any zone.
  ///
  /// There is no end where a rule has none, where it has a COUNT whose last occurrence can't be found in
  /// short, and where a detached occurrence stands for all later ones (RANGE=THISANDFUTURE), which it moves.
  public init(_ item: CalendarItem) {
    guard let anchor = item.anchor else {
      self.init(first: nil, last: nil)
      return
    }
    let start = anchor.about
    var first = start
    var last: Int64? = item.detachment?.andFuture == true ? nil : start
    let length = item.aboutLength
    for rule in item.recurrence?.rules ?? [] {
      last = last.flatMap { last in rule.aboutLast(from: anchor).map { max(last, $0) } }
    }
    for date in item.recurrence?.dates ?? [] {
      first = min(first, date.start.about)
      last = last.map { max($0, date.start.about, (date.end?.about ?? .min).subtracting(length)) }
    }
    self.init(
      first: Instant(microseconds: first.subtracting(Self.zoneMargin)),
      last: last.map { Instant(microseconds: $0.adding(length).adding(Self.zoneMargin)) })
  }

  /// Items are indexed by the smallest of these that their bounds fit in; see ``Schema``. A window's query
  /// looks, for each, at the items that begin no more than that before the window: a B-tree then does the
  /// work of an interval tree.
  ///
  /// An hour and its multiples by eight, as far as there are numbers for them, to a hundred thousand years. The last
  /// three are there for the numbers that stores have of what comes after: their meaning must not change.
  static let spans: [Int64] = (0..<11).map { 3_600_000_000 << (3 * $0) } + [.max, .max, .max]

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

extension RecurrenceRule {
  /// When the last occurrence starts, or a moment not before that, as ``CalendarTime/about`` tells it; `nil`
  /// where none is known.
  fileprivate func aboutLast(from start: CalendarTime) -> Int64? {
    switch end {
    case .never: nil
    case .count: RuleExpansion(self, start: start).lastCounted().map { CalendarTime.utc($0).about }
    // A day is over with its last second.
    case .until(let until): until.about.adding(until.isDate ? OccurrenceBounds.zoneMargin : 0)
    }
  }
}

extension CalendarItem {
  /// How long an occurrence takes at most, in microseconds, a day's margin aside.
  fileprivate var aboutLength: Int64 {
    guard let anchor else { return 0 }
    let length = max(0, (end ?? anchor).about.subtracting(anchor.about))
    // A whole day lasts until the next, and two zones may be a day apart.
    return anchor.isDate || end?.zone != anchor.zone ? length.adding(OccurrenceBounds.zoneMargin) : length
  }

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
