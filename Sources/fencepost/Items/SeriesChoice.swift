import CalendarModel
import CalendarStore
import CommandLineTable
import Phrases
import Recurrence

/// What of a series a command is about.
enum SeriesSpan: String, CaseIterable {
  /// One occurrence.
  case this
  /// One occurrence and all later ones.
  case future
  /// All occurrences.
  case all
}

/// A chosen item, with the chosen occurrence.
struct SeriesChoice {
  /// The item.
  var item: CalendarItem
  /// The series that it belongs to, where it belongs to one.
  var series: EditableSeries?
  /// The chosen span.
  var span: SeriesSpan
  /// Which occurrence, by the start that the rule gave it; `nil` for all.
  var occurrence: CalendarTime?
  /// When that occurrence takes place.
  var start: CalendarTime?

  /// The items that go where all of the series goes.
  var allItems: [CalendarItem] { series.map { [$0.master] + $0.detached } ?? [item] }

  /// Whether another choice is the same.
  func isSame(as other: SeriesChoice) -> Bool {
    item.id == other.item.id && span == other.span && occurrence == other.occurrence
  }
}

extension CommandContext {
  /// The item that `prefix` begins the identifier of, and what of its series `--span` and `--occurrence` mean.
  ///
  /// The default is all occurrences of a recurring item, or the given occurrence. A span that needs an occurrence uses
  /// the next one by default.
  func choice(_ prefix: String, in reader: borrowing StoreReader) throws -> SeriesChoice {
    try choice(of: reader.item(meant: prefix), in: reader)
  }

  /// What of the series of `item` the options mean.
  func choice(of item: CalendarItem, in reader: borrowing StoreReader) throws -> SeriesChoice {
    let words = try parsed.value(.occurrence, as: dates.time)
    let said = parsed.value(.span).flatMap(SeriesSpan.init(rawValue:))
    let items = try reader.items(uid: item.uid).filter { $0.calendar == item.calendar }
    guard let series = EditableSeries(items, resolver: resolver) else {
      guard words == nil, said == nil || said == .all else {
        throw CommandError("'\(item.title)' does not repeat; don't use --occurrence or --span with it")
      }
      return SeriesChoice(item: item, span: .all)
    }
    if let detachment = item.detachment, words == nil {
      // An occurrence that was changed before has an identifier of its own.
      return SeriesChoice(
        item: item, series: series, span: said ?? .this, occurrence: detachment.occurrence, start: item.anchor
      )
    }
    let span = said ?? (words == nil ? .all : .this)
    var choice = SeriesChoice(item: series.master, series: series, span: span)
    if span == .all {
      guard words == nil else {
        throw parsed.misuse("--occurrence can't be used with --span all")
      }
      return choice
    }
    let found = try occurrence(words, of: series)
    choice.occurrence = found.recurrenceID ?? found.start
    choice.start = found.start
    if found.isDetached,
      let detached = items.first(where: { $0.detachment?.occurrence == found.recurrenceID })
    {
      choice.item = detached
    }
    return choice
  }

  /// The occurrence that takes place at a time, or on a day; the one to come for `nil`.
  private func occurrence(_ time: CalendarTime?, of series: EditableSeries) throws -> Occurrence {
    let all = OccurrenceSeries([series.master] + series.detached, resolver: resolver)
    let title = series.master.title
    guard let time else {
      // A reminder waits for its occurrence however late it is.
      if series.master.reminder != nil, let first = all.firstOccurrence(startingAfter: .distantPast) {
        return first
      }
      if let next = all.occurrences(in: now..<Instant.distantFuture).first(where: { _ in true }) {
        return next
      }
      throw CommandError("'\(title)' has no upcoming occurrence; choose one with --occurrence")
    }
    let start = resolver.instant(of: time)
    let end =
      time.isDate
      ? resolver.instant(of: .date(time.day.adding(days: 1))) : start.adding(seconds: 1)
    let found = Array(all.occurrences(startingIn: start..<max(start, end)).prefix(2))
    if found.count == 1 { return found[0] }
    if found.count > 1 {
      throw CommandError("'\(title)' occurs several times on that day; add the time")
    }
    let times = TimeText(context: self)
    let next = all.firstOccurrence(startingAfter: start).map { "; the next one is \(times.text($0.start))" }
    throw CommandError("'\(title)' has no occurrence then" + (next ?? ""))
  }
}
