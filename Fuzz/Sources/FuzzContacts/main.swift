import FencepostCalendarModel
import FencepostICalendar
import FencepostInterchange

/// Reads bytes as vCards. The resulting events must be writable and readable again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let calendar = Identifier<ItemCalendar>(rawValue: "c")
  var events: [CalendarItem] = []
  _ = try? ContactReader().forEachContact(bytes, name: "fuzz") {
    events += BirthdayEvents.events(of: $0, in: calendar)
  }
  if events.isEmpty { return 0 }
  let text = ICalendarWriter().text(of: ICalendarDocument(items: events))
  guard let again = try? ICalendarReader(calendar: calendar).read(Array(text.utf8), name: "again") else {
    fatalError("what was written cannot be read")
  }
  precondition(again.items.count == events.count)
  return 0
}
