import CalendarModel
import CalendarStore
import CommandLineTable
import Recurrence

extension CommandContext {
  /// `show ID…`.
  func show() throws {
    let store = try openStoreToRead()
    let prefixes = parsed.positionals("id")
    let found = try store.read { reader in
      try reader.items(meant: prefixes).map { item in
        let list = try reader.calendar(item.calendar)?.title ?? ""
        let series = try reader.series(of: item.id, resolver: resolver)
        return (item, list, series, try reader.related(to: item))
      }
    }
    for (index, (item, list, series, related)) in found.enumerated() {
      if json {
        try console.print(ItemLines(resolver: resolver).line(item, list: list))
        continue
      }
      if index > 0 { try console.print("") }
      for (name, value) in describe(item, list: list, series: series, related: related) {
        try print(name, value)
      }
    }
  }

  /// A name and what it says: side by side on a terminal, in as many lines as it takes.
  private func print(_ name: String, _ value: String) throws {
    guard console.isTerminal else { return try console.print("\(name)\t\(FiringTable.plain(value))") }
    let indent = 12
    var label = style.paint(TextWidth.padded(name, to: indent), .dim)
    for paragraph in value.split(separator: "\n", omittingEmptySubsequences: false) {
      for line in TextWidth.wrapped(FiringTable.plain(String(paragraph)), to: console.width - indent) {
        try console.print(line.isEmpty ? "" : label + (name == "title" ? style.paint(line, .bold) : line))
        label = String(repeating: " ", count: indent)
      }
    }
  }

  private func describe(
    _ item: CalendarItem, list: String, series: OccurrenceSeries?, related: RelatedItems
  ) -> [(String, String)] {
    let times = TimeText(context: self)
    var rows = [("title", item.title), (item.isEvent ? "calendar" : "list", list)]
    if let event = item.event {
      rows.append(("start", times.text(event.start)))
      rows.append(
        ("end", event.isAllDay ? times.day(event.end.day.adding(days: -1)) : times.text(event.end)))
      if event.status != .none { rows.append(("status", "\(event.status)")) }
      if event.availability != .busy && event.availability != .notSupported {
        rows.append(("shown as", "\(event.availability)"))
      }
    }
    if let reminder = item.reminder {
      if let start = reminder.start { rows.append(("start", times.text(start))) }
      if let due = reminder.due { rows.append(("due", times.text(due))) }
      rows.append(("done", reminder.isCompleted ? reminder.completed.map(times.text) ?? "yes" : "no"))
      if let percent = reminder.percentComplete, !reminder.isCompleted {
        rows.append(("so far", "\(percent) %"))
      }
      if reminder.isCancelled { rows.append(("status", "cancelled")) }
    }
    if let zone = item.start?.zone ?? item.anchor?.zone, zone != resolver.floating.id {
      rows.append(("time zone", zone.rawValue))
    }
    for rule in item.recurrence?.rules ?? [] {
      rows.append(("repeats", console.isTerminal ? RepeatPhrase.text(rule, times: times) : rule.text))
    }
    if item.recurrence != nil, let series {
      let next = series.occurrences(in: now..<Instant.distantFuture).prefix(3).map { times.brief($0.start) }
      if !next.isEmpty { rows.append(("next", next.joined(separator: ", "))) }
    }
    if let detachment = item.detachment { rows.append(("instead of", times.text(detachment.occurrence))) }
    if item.priority > 0 { rows.append(("priority", "\(item.priority)")) }
    if !item.categories.isEmpty { rows.append(("tags", item.categories.joined(separator: ", "))) }
    if let location = item.location { rows.append(("location", location)) }
    if let place = item.structuredLocation, place.coordinate != nil || !place.outline.isEmpty {
      rows.append(("place", TimeText.text(place)))
    }
    if let notes = item.notes { rows.append(("notes", notes)) }
    if let url = item.url { rows.append(("url", url)) }
    for (index, alarm) in item.alarms.enumerated() {
      rows.append((item.alarms.count > 1 ? "alarm \(index + 1)" : "alarm", times.text(alarm)))
    }
    if let organizer = item.organizer { rows.append(("organizer", organizer.name ?? organizer.url)) }
    for person in item.attendees {
      let status = person.status == .unknown ? "" : " (\(person.status))"
      rows.append(("attendee", (person.name ?? person.url) + status))
    }
    if let parent = related.parent { rows.append(("part of", parent)) }
    for part in related.parts { rows.append(("part", part)) }
    if item.classification != .public { rows.append(("class", item.classification.rawValue.lowercased())) }
    if let created = item.created { rows.append(("created", times.text(created))) }
    if let modified = item.lastModified { rows.append(("changed", times.text(modified))) }
    rows.append(("id", item.id.rawValue))
    if item.uid != item.id.rawValue { rows.append(("uid", item.uid)) }
    return rows
  }
}

/// The titles of the item that another is a part of, and of its own parts.
struct RelatedItems {
  var parent: String?
  var parts: [String]
}

extension StoreReader {
  /// The items that an item is related to (RELATED-TO, RFC 5545, section 3.8.4.5), in its list.
  borrowing func related(to item: CalendarItem) throws -> RelatedItems {
    let parent = try item.parentUID.flatMap { try items(uid: $0).first?.title }
    let parts =
      try item.isEvent ? [] : items(in: item.calendar).filter { $0.parentUID == item.uid }.map(\.title)
    return RelatedItems(parent: parent, parts: parts)
  }

  /// The items that words mean, each once. All are found before anything is done to one of them, as what is done may
  /// change what a word means.
  borrowing func items(meant words: [String]) throws -> [CalendarItem] {
    var items: [CalendarItem] = []
    for word in words {
      let item = try item(meant: word)
      if !items.contains(where: { $0.id == item.id }) { items.append(item) }
    }
    return items
  }

  /// The one item that a word means: its identifier, the beginning of it, or words of its title.
  ///
  /// What begins an identifier and has no digit in it may be meant as a word of a title too: `cafe`. Of titles,
  /// those of reminders that are done count where there is no other.
  borrowing func item(meant word: String) throws -> CalendarItem {
    if let item = try item(Identifier(rawValue: word)) { return item }
    var found = word.isEmpty ? [] : try items(idPrefix: word, limit: 5)
    if found.isEmpty || !word.contains(where: \.isNumber), word.count > 1 {
      let wanted = word.lowercased()
      let words = wanted.split(whereSeparator: \.isWhitespace)
      let titled =
        try words.isEmpty
        ? []
        : items(matching: word, limit: 1000).filter { item in
          let title = item.title.lowercased()
          return item.detachment == nil && words.allSatisfy { title.contains($0) }
        }
      let open = titled.filter { !$0.isSilenced }
      let candidates = open.isEmpty ? titled : open
      let exact = candidates.filter { $0.title.lowercased() == wanted }
      for item in exact.isEmpty ? candidates : exact where !found.contains(where: { $0.id == item.id }) {
        found.append(item)
      }
    }
    switch found.count {
    case 0:
      throw CommandError(
        "there is no item '\(word)', by identifier or by title; 'fencepost list' shows what there is")
    case 1: return found[0]
    default:
      let candidates = try found.prefix(4).map { item in
        "\(try uniquePrefix(of: item.id)) (\(FiringTable.plain(item.title)))"
      }
      let rest = found.count > 4 ? " and more" : ""
      throw CommandError(
        "'\(word)' may mean more than one item: \(candidates.joined(separator: ", "))" + rest)
    }
  }
}
