import CalendarModel
import Recurrence

/// Reads any bytes as the text of a recurrence rule, and a hundred occurrences of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  guard let rule = try? RecurrenceRule(text: text) else { return 0 }
  var iterator = RuleExpansion(rule, start: CivilDateTime(year: 2026, month: 1, day: 31, hour: 2, minute: 30))
    .makeIterator()
  var last: CivilDateTime?
  for _ in 0..<100 {
    guard let next = iterator.next() else { break }
    precondition(last.map { $0 < next } ?? true)
    last = next
  }
  return 0
}
