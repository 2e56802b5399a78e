public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostICalendar
import FencepostRecurrence

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
    let identity = OccurrenceIdentity(of: items.first { $0.detachment == nil }, resolver: merge.resolver)
    for item in Self.latest(items, identity) {
      // Its zone may have had another name when the copy was saved.
      let others = item.detachment.map { merge.zones.names(of: $0.occurrence) } ?? []
      let change = try merge.apply(item, in: self) { renamed in
        guard let occurrence = renamed.detachment?.occurrence else { return byOccurrence[nil] ?? [] }
        let names = identity.spellings(of: occurrence, zone: item.start?.zone ?? item.timeZone)
        return (names + others.filter { !names.contains($0) }).flatMap { byOccurrence[$0] ?? [] }
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

  /// The items without those that a later revision of the same occurrence replaces.
  private static func latest(_ items: [CalendarItem], _ identity: OccurrenceIdentity) -> [CalendarItem] {
    var places: [Instant: Int] = [:]
    var latest: [CalendarItem] = []
    for item in items {
      guard let occurrence = item.detachment?.occurrence else {
        latest.append(item)
        continue
      }
      let instant = identity.instant(of: occurrence)
      if let place = places[instant] {
        if !item.isOlder(than: latest[place]) { latest[place] = item }
      } else {
        places[instant] = latest.count
        latest.append(item)
      }
    }
    return latest
  }
}
