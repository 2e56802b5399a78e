import FencepostCalendarModel
import FencepostItems
import FencepostJSON
import FencepostRecurrence
import FencepostSpatiotemporal

private let resolver = TimeResolver(floating: .utc)

/// Reads bytes as an object of JSCalendar. What is read must be written as an object that changes nothing.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let json = try? JSONValue(reading: bytes, maxDepth: JSCalendarPatch.maxDepth),
    let patch = try? JSCalendarPatch(json, resolver: resolver), let new = try? patch.newItem(at: .epoch)
  else { return 0 }
  let text = JSCalendarWriter(resolver: resolver).object(new.item, occurrences: new.occurrences).line
  guard let written = try? JSONValue(reading: Array(text.utf8), maxDepth: JSCalendarPatch.maxDepth),
    let again = try? JSCalendarPatch(written, resolver: resolver)
  else { fatalError("what was written cannot be read") }
  var item = new.item
  guard let changes = try? again.apply(to: &item, occurrences: new.occurrences, at: .epoch) else {
    fatalError("what was written is refused")
  }
  precondition(item == new.item && changes.saved.isEmpty && changes.removed.isEmpty, "what was written changes the item")
  return 0
}
