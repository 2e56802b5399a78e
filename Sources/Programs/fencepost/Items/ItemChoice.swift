import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostItems
import FencepostPhrases

extension FencepostTable {
  static let item = Positional(
    .id, .required, "Identifier of an item, a unique prefix of it, or words from its title",
    completion: .program("items"))

  static let items = Positional(
    .id, .oneOrMore, "Identifier of an item, a unique prefix of it, or words from its title",
    completion: .program("items"))

  static let reminders = Positional(
    .id, .oneOrMore, "Identifier of a reminder, a unique prefix of it, or words from its title",
    completion: .program("reminders"))

  static let occurrenceOptions: [Option] = [
    .value(
      .span, "SPAN", completion: .choices(["this", "future", "all"]), category: "Recurring items",
      "One occurrence, it and all later ones, or all; the default is `this` with `--occurrence`, else `all`"),
    .value(
      .occurrence, "WHEN", category: "Recurring items",
      "The occurrence at this time or on this day; the default is the next one"),
  ]
}

extension CommandContext {
  /// The item that `prefix` identifies, with the part of its series that `--span` and `--occurrence` select.
  func choice(_ prefix: String, in reader: borrowing StoreReader) throws -> SeriesChoice {
    try choice(of: reader.item(meant: prefix), in: reader)
  }

  /// The part of an item's series that the options select.
  func choice(of item: CalendarItem, in reader: borrowing StoreReader) throws -> SeriesChoice {
    let time = try parsed.value(.occurrence, as: dates.time)
    let span = parsed.value(.span).flatMap(SeriesSpan.init(rawValue:))
    do {
      return try SeriesChoice(
        of: item, span: span, occurrence: time, in: reader, resolver: resolver, now: now)
    } catch ItemError.notRecurring(let title) {
      throw CommandError("'\(title)' does not repeat; don't use --occurrence or --span with it")
    } catch ItemError.occurrenceOfAll {
      throw parsed.misuse("--occurrence can't be used with --span all")
    } catch ItemError.noUpcoming(let title) {
      throw CommandError("'\(title)' has no upcoming occurrence; choose one with --occurrence")
    } catch ItemError.noOccurrence(let title, let next?) {
      throw CommandError(
        "'\(title)' has no occurrence then; the next one is \(TimeText(context: self).text(next))")
    } catch let error as ItemError {
      throw CommandError("\(error)")
    }
  }
}
