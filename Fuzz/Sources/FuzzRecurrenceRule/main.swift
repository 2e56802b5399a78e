import FencepostCalendarModel
import FencepostRecurrence

/// Reads bytes as a recurrence rule, and computes a hundred occurrences, from the start and from a century
/// later. A second line is an exception rule.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  let lines = text.split(separator: "\n", maxSplits: 1)
  checkRepair(of: text)
  guard let first = lines.first, let rule = try? RecurrenceRule(text: first) else { return 0 }
  let start = CivilDateTime(year: 2026, month: 1, day: 31, hour: 2, minute: 30)
  let expansion = RuleExpansion(rule, start: start)
  let later = CivilDateTime(year: 2126, month: 1, day: 1)
  for var iterator in [expansion.makeIterator(), expansion.makeIterator(from: later)] {
    var last: CivilDateTime?
    for _ in 0..<100 {
      guard let next = iterator.next() else { break }
      precondition(last.map { $0 < next } ?? true)
      last = next
    }
  }
  if lines.count == 2, let exception = try? RecurrenceRule(text: lines[1]) {
    var item = CalendarItem(
      calendar: Identifier(rawValue: "c"), title: "",
      details: .event(EventDetails(start: .floating(start), end: .floating(start))))
    item.recurrence = Recurrence(rules: [rule], exceptionRules: [exception])
    let series = OccurrenceSeries(item, resolver: TimeResolver(floating: .utc))
    _ = series.bounds
    for _ in series.occurrences.prefix(100) {}
  }
  return 0
}

/// Repairs the text. What it gives must have a text that is valid and means the same, with either bound.
private func checkRepair(of text: String) {
  guard let repaired = try? RecurrenceRule.repairing(text) else { return }
  let start = CalendarTime.floating(CivilDateTime(year: 2026, month: 1, day: 31, hour: 2, minute: 30))
  for rule in [repaired.rule, repaired.bounded(from: start, in: TimeResolver(floating: .utc))] {
    guard let again = try? RecurrenceRule(text: rule.text) else { fatalError("a repaired rule is invalid") }
    precondition(again == rule)
  }
}
