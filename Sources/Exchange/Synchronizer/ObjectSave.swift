import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostInterchange

/// Makes the items of a UID in a calendar those of an object.
struct ObjectSave {
  let uid: String
  let calendar: Identifier<ItemCalendar>
  let now: Instant

  /// - Parameter isEdit: True if the user changes the items now.
  /// - Returns: True if that changed something.
  @discardableResult
  func save(_ content: ObjectText.Content, isEdit: Bool = false, in writer: borrowing StoreWriter) throws
    -> Bool
  {
    var merge = CalendarMerge(only: calendar, prunes: false, at: now)
    for zone in content.document.timeZones { try merge.take(.timeZone(zone), in: writer) }
    var ids: Set<Identifier<CalendarItem>> = []
    for var item in content.document.items {
      if isEdit { item.lastModified = now }
      try merge.take(.item(item), in: writer) { ids.insert($0.item) }
    }
    try merge.saveZones(in: writer)
    var isChange = merge.counts.isChange
    for item in try writer.reader.items(uid: uid, in: calendar) where !ids.contains(item.id) {
      try writer.remove(item.id)
      isChange = true
    }
    return isChange
  }
}
