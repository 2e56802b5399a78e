import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostICalendar
import FencepostItems
import FencepostJSON

extension FencepostTable {
  static let export = Command(
    "export", summary: "Write reminders and events as an iCalendar file, or as JSCalendar",
    discussion: [
      """
      Writes properties from other programs unchanged. Each item names its list, so that an import of the file puts \
      it where it was.
      """,
      """
      JSCalendar (RFC 8984) is a group of all items. It has no colour of the list, no journals, and no form for \
      properties that only iCalendar has.
      """,
    ],
    examples: [
      Example("fencepost export --list Errands -o errands.ics", "Export one list"),
      Example(
        "fencepost export --format jscalendar", "Export everything for a program that reads JSON"),
    ],
    options: [
      .value(.list, "NAME", completion: .program("lists"), "Only this list or calendar"),
      .value(
        .format, "NAME", completion: .choices(["icalendar", "jscalendar"]), default: "icalendar",
        "The format: `icalendar` or `jscalendar`"),
      .value(
        .output, "FILE", short: "o", completion: .file(extensions: ["ics", "json"]), "Write to this file"),
    ],
    action: .run { try $0.export() })
}

extension CommandContext {
  /// `export [--list NAME] [--format NAME] [-o FILE]`.
  func export() throws {
    let name = parsed.value(.list)
    let store = try openStoreToRead()
    let isJSCalendar = parsed.value(.format) == "jscalendar"
    let whole = try store.read { reader in
      let lists = try name.map { try reader.lists(called: $0) } ?? reader.calendars()
      return try document(of: lists, isOfOneName: name != nil, marksLists: !isJSCalendar, in: reader)
    }
    let text = isJSCalendar ? jsCalendar(whole) : ICalendarWriter().text(of: whole)
    if let path = parsed.value(.output), path != "-" {
      try output(to: path).finish(text)
    } else {
      try console.write(text)
    }
  }

  /// The items of lists as one calendar: many programs read no more than one of a file.
  ///
  /// - Parameters:
  ///   - isOfOneName: Whether the lists have one name, which becomes the calendar's.
  ///   - marksLists: Whether the items of several lists say which one they are in.
  private func document(
    of lists: [ItemCalendar], isOfOneName: Bool, marksLists: Bool, in reader: borrowing StoreReader
  ) throws -> ICalendarDocument {
    var contents = try lists.map { list in
      (list: list, items: try reader.items(in: list.id), others: try reader.preservedComponents(in: list.id))
    }
    if !isOfOneName { contents.removeAll { $0.items.isEmpty && $0.others.isEmpty } }
    var document = ICalendarDocument()
    if isOfOneName || marksLists && contents.count == 1, let first = contents.first?.list {
      document.setName(first.title, color: first.color)
      if first.kind == .birthday { document.setHoldsBirthdays() }
    }
    for content in contents {
      if marksLists, !isOfOneName, contents.count > 1 {
        document.add(content.list, with: content.items, content.others)
      } else {
        document.items += content.items
        document.preserved.components += content.others.map(\.text)
      }
    }
    let components = contents.flatMap(\.others)
    let used = document.items.reduce(into: Set<TimeZoneID>()) { used, item in
      used.formUnion(item.zonesOfTimes)
      if let zone = item.timeZone { used.insert(zone) }
    }.union(components.flatMap(\.timeZones))
    document.timeZones = try reader.timeZoneDefinitions().filter { used.contains($0.id) }
    return document
  }

  /// A group of JSCalendar with the items, each series with its changed occurrences.
  private func jsCalendar(_ document: ICalendarDocument) -> String {
    let detached = Dictionary(grouping: document.items.filter { $0.detachment != nil }, by: SeriesName.init)
    let masters = document.items.filter { $0.detachment == nil && $0.recurrence != nil }
    let names = Set(masters.map(SeriesName.init))
    let series = document.items.compactMap { item -> (item: CalendarItem, occurrences: [CalendarItem])? in
      let name = SeriesName(of: item)
      guard names.contains(name) else { return (item, []) }
      return item.detachment == nil ? (item, detached[name] ?? []) : nil
    }
    return JSCalendarWriter(resolver: resolver)
      .group(series, uid: "fencepost-items", title: document.name).line + "\n"
  }
}
