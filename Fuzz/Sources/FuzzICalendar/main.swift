import FencepostCalendarModel
import FencepostICalendar

/// Reads bytes as iCalendar. The result must be writable, and read back as the same number of items.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let reader = ICalendarReader(calendar: Identifier(rawValue: "c"))
  guard let document = try? reader.read(bytes, name: "fuzz") else { return 0 }
  let text = ICalendarWriter().text(of: document)
  guard let again = try? reader.read(Array(text.utf8), name: "again") else {
    fatalError("what was written cannot be read")
  }
  precondition(again.items.count == document.items.count)
  return 0
}
