import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostICalendar
import FencepostInterchange
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
      force,
    ],
    action: .look { try $0.export() })
}

extension CommandContext {
  /// `export [--list NAME] [--format NAME] [-o FILE]`.
  func export() throws {
    let name = parsed.value(.list)
    let store = try openStoreToRead()
    let isJSCalendar = parsed.value(.format) == "jscalendar"
    let whole = try store.read { reader in
      let lists = try name.map { try reader.lists(called: $0) } ?? reader.calendars()
      return try CalendarExport.document(
        of: lists, isOfOneName: name != nil, marksLists: !isJSCalendar, in: reader)
    }
    let text = isJSCalendar ? jsCalendar(whole) : ICalendarWriter().text(of: whole)
    if let path = parsed.value(.output), path != "-" {
      try output(to: path, as: isJSCalendar ? .jsCalendar : .calendar).finish(text)
    } else {
      try console.write(text)
    }
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
