public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostICalendar

/// Items of lists as one calendar: many programs read no more than one of a file.
public enum CalendarExport {
  /// The items of lists, with the zones that they need.
  ///
  /// - Parameters:
  ///   - isOfOneName: Whether the lists have one name, which becomes the calendar's.
  ///   - marksLists: Whether the items of several lists say which one they are in.
  public static func document(
    of lists: [ItemCalendar], isOfOneName: Bool, marksLists: Bool = true, in reader: borrowing StoreReader
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

  /// The same as a file (RFC 5545).
  public static func text(
    of lists: [ItemCalendar], isOfOneName: Bool, in reader: borrowing StoreReader
  ) throws -> String {
    ICalendarWriter().text(of: try document(of: lists, isOfOneName: isOfOneName, in: reader))
  }
}
