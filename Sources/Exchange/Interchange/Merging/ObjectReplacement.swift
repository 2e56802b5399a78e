public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostICalendar

extension StoreWriter {
  /// Makes the items of one UID in a calendar those of an object, which a server or client has as a whole.
  ///
  /// Cost: some tens of microseconds an item. The items that are there are not read again.
  ///
  /// - Parameters:
  ///   - items: The items of the object, with one UID.
  ///   - zones: The zones that the object defines.
  ///   - known: The items of the UID that the calendar has. Those that the object lacks are removed.
  ///   - calendar: The calendar, which gets the object's revision even if it is older.
  ///   - now: The current time.
  /// - Returns: Whether that changed something.
  @discardableResult
  public func replaceObject(
    _ items: [CalendarItem], zones: [TimeZoneDefinition], over known: [CalendarItem],
    in calendar: Identifier<ItemCalendar>, at now: Instant
  ) throws -> Bool {
    var merge = CalendarMerge(only: calendar, prunes: false, at: now)
    for zone in zones { try merge.apply(.timeZone(zone), in: self) }
    let byOccurrence = Dictionary(grouping: known) { $0.detachment?.occurrence }
    var merged: Set<Identifier<CalendarItem>> = []
    for item in items {
      // Its zone may have had another name when the copy was saved.
      let others = item.detachment.map { merge.zones.names(of: $0.occurrence) } ?? []
      let change = try merge.apply(item, in: self) { renamed in
        let names = [renamed.detachment?.occurrence] + others.filter { $0 != renamed.detachment?.occurrence }
        return names.flatMap { byOccurrence[$0] ?? [] }
      }
      merged.insert(change.item)
    }
    try merge.saveZones(in: self)
    var isChange = merge.counts.isChange
    for item in known where !merged.contains(item.id) {
      try remove(item.id)
      isChange = true
    }
    return isChange
  }
}
