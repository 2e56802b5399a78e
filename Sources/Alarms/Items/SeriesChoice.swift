public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence

/// The part of a series that a change concerns.
public enum SeriesSpan: String, Sendable, CaseIterable {
  /// One occurrence.
  case this
  /// One occurrence and all later ones.
  case future
  /// All occurrences.
  case all
}

/// A chosen item, with the chosen occurrence.
public struct SeriesChoice: Sendable {
  /// The item.
  public var item: CalendarItem
  /// The series of the item; `nil` if it does not belong to one.
  public var series: EditableSeries?
  /// The chosen span.
  public var span: SeriesSpan
  /// The chosen occurrence, by its start according to the rule; `nil` for all.
  public var occurrence: CalendarTime?
  /// The actual start of the chosen occurrence.
  public var start: CalendarTime?

  private init(_ item: CalendarItem, series: EditableSeries? = nil, span: SeriesSpan) {
    self.item = item
    self.series = series
    self.span = span
  }

  /// Finds the part of the series that the user chose.
  ///
  /// The default is all occurrences of a recurring item, or the given occurrence. A span that needs an
  /// occurrence uses the next one by default.
  ///
  /// - Parameters:
  ///   - item: The item, or a single occurrence of a series that was changed before.
  ///   - requested: The span; `nil` for the default.
  ///   - time: The time or day of the occurrence; `nil` for the default.
  ///   - reader: The store.
  ///   - resolver: The time zones.
  ///   - now: The current time.
  /// - Throws: ``ItemError``.
  public init(
    of item: CalendarItem, span requested: SeriesSpan?, occurrence time: CalendarTime?,
    in reader: borrowing StoreReader, resolver: TimeResolver, now: Instant
  ) throws {
    let items = try reader.items(uid: item.uid, in: item.calendar)
    guard let series = EditableSeries(items, resolver: resolver) else {
      guard time == nil, requested == nil || requested == .all else {
        throw ItemError.notRecurring(item.title)
      }
      self.init(item, span: .all)
      return
    }
    if let detachment = item.detachment, time == nil {
      // An occurrence that was changed before has its own identifier.
      self.init(item, series: series, span: requested ?? .this)
      occurrence = detachment.occurrence
      start = item.anchor
      return
    }
    self.init(series.master, series: series, span: requested ?? (time == nil ? .all : .this))
    if span == .all {
      guard time == nil else { throw ItemError.occurrenceOfAll }
      return
    }
    let found = try Self.occurrence(time, of: series, resolver: resolver, now: now)
    occurrence = found.recurrenceID ?? found.start
    start = found.start
    if found.isDetached,
      let detached = items.first(where: { $0.detachment?.occurrence == found.recurrenceID })
    {
      self.item = detached
    }
  }

  /// The items of the whole series.
  public var allItems: [CalendarItem] { series.map { [$0.master] + $0.detached } ?? [item] }

  /// Whether both choose the same.
  public func isSame(as other: SeriesChoice) -> Bool {
    item.id == other.item.id && span == other.span && occurrence == other.occurrence
  }

  /// The occurrence at a time or on a day; the next one for `nil`.
  private static func occurrence(
    _ time: CalendarTime?, of series: EditableSeries, resolver: TimeResolver, now: Instant
  ) throws(ItemError) -> Occurrence {
    let all = OccurrenceSeries([series.master] + series.detached, resolver: resolver)
    let title = series.master.title
    guard let time else {
      // An open reminder stays at its occurrence, even if it is overdue.
      if series.master.reminder != nil, let first = all.firstOccurrence(startingAfter: .distantPast) {
        return first
      }
      if let next = all.occurrences(in: now..<Instant.distantFuture).first(where: { _ in true }) {
        return next
      }
      throw .noUpcoming(title)
    }
    let start = resolver.instant(of: time)
    // A moved occurrence is identified by its start according to the rule.
    if let moved = series.detached.first(where: { item in
      item.detachment.map { !time.isDate && resolver.instant(of: $0.occurrence) == start } ?? false
    }), let anchor = moved.anchor {
      let at = resolver.instant(of: anchor)
      let named = all.occurrences(startingIn: at..<at.adding(seconds: 1)).first {
        $0.recurrenceID.map { resolver.instant(of: $0) == start } ?? false
      }
      if let named { return named }
    }
    let end =
      time.isDate
      ? resolver.instant(of: .date(time.day.adding(days: 1))) : start.adding(seconds: 1)
    let found = Array(all.occurrences(startingIn: start..<max(start, end)).prefix(2))
    if found.count == 1 { return found[0] }
    if found.count > 1 { throw .severalOccurrences(title) }
    throw .noOccurrence(title, next: all.firstOccurrence(startingAfter: start)?.start)
  }
}
