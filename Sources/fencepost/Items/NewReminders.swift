import CalendarModel
import CommandLineTable
import Phrases

extension CommandContext {
  /// The reminders for the titles of `add`; `-` reads one per line from standard input.
  ///
  /// After `add reminder` a title is taken as it stands; after `add` alone it is a ``Phrases/QuickEntry``.
  func newReminders() throws -> [CalendarItem] {
    var titles: [String] = []
    for word in parsed.positionals("title") {
      if word == "-" { titles += try titlesOfInput() } else { titles.append(word) }
    }
    guard !titles.isEmpty else { throw CommandError("standard input has no line with a title") }
    return try titles.map { parsed.isFallback ? try quickReminder($0) : try reminder(title: title($0)) }
  }

  /// The non-blank lines of standard input.
  private func titlesOfInput() throws -> [String] {
    var titles: [String] = []
    while let line = console.readLine() {
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      guard titles.count < 10_000 else { throw CommandError("standard input has more than 10,000 lines") }
      titles.append(line)
    }
    return titles
  }

  private func reminder(
    title: String, details: ReminderDetails = ReminderDetails(),
    _ change: (inout CalendarItem) -> Void = { _ in },
    arriving place: StructuredLocation? = nil
  ) throws -> CalendarItem {
    var item = CalendarItem(calendar: .init(rawValue: ""), title: title, details: .reminder(details))
    item.created = now
    item.lastModified = now
    item.timeZone = item.anchor?.zone
    change(&item)
    try apply(to: &item, arriving: place)
    return item
  }

  private func quickReminder(_ text: String) throws -> CalendarItem {
    let entry: QuickEntry
    do {
      entry = try QuickEntry(text, dates: dates)
    } catch {
      throw parsed.misuse("\(error)")
    }
    for (option, isSaid) in [
      ("due", entry.due != nil), ("repeat", entry.rule != nil), ("priority", entry.priority != nil),
    ] where isSaid && parsed.argument(option)?.index != nil {
      throw parsed.misuse("'\(text)' and --\(option) both say it; leave one of them out")
    }
    var details = ReminderDetails()
    details.due = entry.due
    return try reminder(
      title: entry.title, details: details,
      {
        $0.categories = entry.tags
        $0.priority = entry.priority ?? 0
        $0.recurrence = entry.rule.map { Recurrence(rules: [$0]) }
      }, arriving: entry.place.map { try place($0) })
  }
}
