public import FencepostCalendarModel
internal import FencepostRecurrence

/// The time range of all occurrences of an item. The store finds items in a window by it.
///
/// Bounds may be too wide, but never too narrow. They show which items are worth expanding; the Recurrence
/// room decides what is in the window.
public struct OccurrenceBounds: Hashable, Sendable {
  /// A lower bound of the first occurrence's start; `nil` for an item without a time.
  public var first: Instant?
  /// An upper bound of the last occurrence's end; `nil` if no end is known.
  public var last: Instant?

  /// Bounds.
  public init(first: Instant?, last: Instant?) {
    self.first = first
    self.last = last
  }
}

extension OccurrenceBounds {
  /// The maximum offset of a wall clock from UTC, with a margin: no zone in the tz database has ever been 16
  /// hours off. Bounds with this margin hold in any reader's zone, and after any change of a zone's rules.
  static let zoneMargin: Int64 = 86_400 * 1_000_000

  /// The bounds of an item's occurrences. Found without zone rules, so they hold in any zone.
  ///
  /// There is no end in three cases: a rule without an end, a COUNT whose last occurrence can't be found
  /// quickly, and a detached occurrence that moves all later ones (RANGE=THISANDFUTURE).
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

  /// Items are indexed by the smallest of these spans that their bounds fit in; see ``Schema``. For each
  /// span, a window's query looks at the items that begin at most that long before the window: so a B-tree
  /// works as an interval tree.
  ///
  /// An hour and its multiples by eight, up to a hundred thousand years. The last three keep the later
  /// numbers stable: stores contain them, so their meaning must not change.
  static let spans: [Int64] = (0..<11).map { 3_600_000_000 << (3 * $0) } + [.max, .max, .max]

  /// The number of the span that these bounds fit in. Bounds without an end get the number after the last.
  var span: Int? {
    guard let first else { return nil }
    guard let last else { return Self.spans.count }
    let (length, overflow) = last.microseconds.subtractingReportingOverflow(first.microseconds)
    if overflow { return Self.spans.count }
    return Self.spans.firstIndex { $0 >= length } ?? Self.spans.count
  }
}

extension CalendarTime {
  /// The moment of this time as if in UTC, in microseconds: correct to a day.
  var about: Int64 { Instant(seconds: civil.secondsSinceEpoch).microseconds }
}

extension RecurrenceRule {
  /// The start of the last occurrence, or a later moment, measured as ``CalendarTime/about``; `nil` if
  /// unknown.
  fileprivate func aboutLast(from start: CalendarTime) -> Int64? {
    switch end {
    case .never: nil
    case .count: RuleExpansion(self, start: start).lastCounted().map { CalendarTime.utc($0).about }
    // A day ends with its last second.
    case .until(let until): until.about.adding(until.isDate ? OccurrenceBounds.zoneMargin : 0)
    }
  }
}

extension CalendarItem {
  /// The maximum length of an occurrence in microseconds, without the margin of a day.
  fileprivate var aboutLength: Int64 {
    guard let anchor else { return 0 }
    let length = max(0, (end ?? anchor).about.subtracting(anchor.about))
    // A whole day lasts until the next, and two zones may differ by a day.
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
  /// The sum, clamped to the range.
  func adding(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The difference, clamped to the range.
  func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }
}
