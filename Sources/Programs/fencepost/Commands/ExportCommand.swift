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
      Writes properties from other programs unchanged. Each list is a calendar of the file, with its name and colour, \
      so that an import puts each item where it was.
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
    let documents = try store.read { reader in
      if let name { return [try document(of: reader.lists(called: name), in: reader)] }
      let all = try reader.calendars()
      if isJSCalendar { return [try document(of: all, isNamed: false, in: reader)] }
      // A calendar for each list, so that an import puts each item where it was.
      let lists = try all.map { try document(of: [$0], in: reader) }
        .filter { !$0.items.isEmpty || !$0.preserved.components.isEmpty }
      return lists.isEmpty ? [ICalendarDocument()] : lists
    }
    let text =
      isJSCalendar
      ? documents.map(jsCalendar).joined() : documents.map { ICalendarWriter().text(of: $0) }.joined()
    if let path = parsed.value(.output), path != "-" {
      try output(to: path).finish(text)
    } else {
      try console.write(text)
    }
  }

  /// The items of lists as one calendar.
  ///
  /// - Parameter isNamed: Whether it has the name and colour of the first one.
  private func document(
    of lists: [ItemCalendar], isNamed: Bool = true, in reader: borrowing StoreReader
  ) throws -> ICalendarDocument {
    var document = ICalendarDocument()
    var components: [PreservedComponent] = []
    if isNamed, let first = lists.first {
      document.setName(first.title, color: first.color)
      if first.kind == .birthday { document.setHoldsBirthdays() }
    }
    for list in lists {
      document.items += try reader.items(in: list.id)
      components += try reader.preservedComponents(in: list.id)
    }
    document.preserved.components = components.map(\.text)
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
