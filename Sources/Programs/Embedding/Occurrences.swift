public import CFencepostEmbedding
import FencepostCalendarModel
import FencepostRecurrence
import FencepostSpatiotemporal

extension OccurrenceSeries {
  /// The series of an event that repeats by a rule.
  fileprivate init(rule: String, start: String, zone: String?) throws(Failure) {
    func invalid(_ message: String) -> Failure { Failure(code: FP_ERROR_FORMAT, message: message) }
    let parsed: RecurrenceRule
    do throws(RecurrenceRuleError) {
      parsed = try RecurrenceRule(text: rule)
    } catch {
      throw invalid("the rule '\(rule)': \(error)")
    }
    guard var first = CalendarTime(basicText: start) else {
      throw invalid("the start '\(start)' is neither a date nor a time, such as 20261126T090000")
    }
    // Floating times count in this zone, not in the machine's.
    let id = TimeZoneID(rawValue: zone ?? "UTC")
    guard let rules = TimeZoneDatabase.system.zone(id) else {
      throw invalid("there is no zone '\(id.rawValue)'")
    }
    if case .floating(let civil) = first { first = .zoned(civil, id) }
    var item = CalendarItem(
      calendar: Identifier(rawValue: ""), title: "", details: .event(EventDetails(start: first, end: first)))
    item.recurrence = Recurrence(rules: [parsed])
    self.init(item, resolver: TimeResolver(zones: .system, floating: rules))
  }
}

// MARK: The library's functions

/// See fencepost.h.
@c @implementation
public func fp_occurrences(
  _ rule: UnsafePointer<CChar>?, _ start: UnsafePointer<CChar>?, _ zone: UnsafePointer<CChar>?,
  _ after: Int64, _ before: Int64, _ out: UnsafeMutablePointer<Int64>?, _ capacity: Int,
  _ count: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<fp_error>?
) -> Int32 {
  Failure.reported(to: error) { () throws(Failure) in
    guard let count else { throw .null("count") }
    count.pointee = 0
    guard capacity >= 0 else { throw Failure(code: FP_ERROR_LENGTH, message: "the capacity is out of range") }
    guard let out else {
      if capacity > 0 { throw .null("out") }
      return
    }
    let series = try OccurrenceSeries(
      rule: text(rule, "rule"), start: text(start, "start"), zone: zone.map { String(cString: $0) })
    guard after < before, capacity > 0 else { return }
    let range = Instant(microseconds: after)..<Instant(microseconds: before)
    for occurrence in series.occurrences(startingIn: range) {
      out[count.pointee] = occurrence.startInstant.microseconds
      count.pointee += 1
      if count.pointee == capacity { return }
    }
  }
}
