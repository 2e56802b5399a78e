import FencepostCalendarModel
import FencepostCommandLineTable
import FencepostPhrases

extension CommandContext {
  /// The reminders for the titles of `add`; `-` reads one per line from standard input.
  ///
  /// `add reminder` uses a title unchanged; `add` alone parses it as a ``Phrases/QuickEntry``.
  func newReminders() throws -> [CalendarItem] {
    var titles: [(text: String, line: Int?)] = []
    for word in parsed.positionals(.title) {
      if word == "-" { titles += try titlesOfInput() } else { titles.append((word, nil)) }
    }
    guard !titles.isEmpty else { throw CommandError("standard input has no titles") }
    return try titles.map { text, line in
      do {
        return parsed.isFallback ? try quickReminder(text) : try reminder(title: title(text))
      } catch let error where line != nil {
        throw CommandError("line \(line ?? 0) of standard input: \(error)")
      }
    }
  }

  /// The non-blank lines of standard input, and their numbers.
  private func titlesOfInput() throws -> [(text: String, line: Int?)] {
    var titles: [(text: String, line: Int?)] = []
    var number = 0
    while let line = console.readLine() {
      number += 1
      guard line.contains(where: { !$0.isWhitespace }) else { continue }
      guard titles.count < 10_000 else { throw CommandError("standard input has more than 10,000 lines") }
      titles.append((line, number))
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
      (ValueKey.due, entry.due != nil), (.repeat, entry.rule != nil), (.priority, entry.priority != nil),
    ] where isSaid && parsed.isTyped(option) {
      throw parsed.misuse("'\(text)' and --\(option.name) set the same thing; use one of them")
    }
    if let unread = entry.unread, !parsed.isTyped(.due) {
      console.say(
        "fencepost: '\(unread)' stays in the title: it is not a time; "
          + "try --due 'friday 18:00' or 'every mon, wed 18:00'")
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
