import FencepostCalendarModel
import FencepostRecurrence
public import Foundation

/// The end of a rule: a date or a number of occurrences.
open class EKRecurrenceEnd: NSObject, NSCopying, NSSecureCoding {
  /// The date of the last occurrence or later; `nil` if the end is a number.
  public let endDate: Date?
  /// The number of occurrences, including the first; 0 if the end is a date.
  public let occurrenceCount: Int
  /// The UNTIL in its original form, so that an unchanged rule stays the same.
  let until: CalendarTime?

  /// An end at a date.
  public convenience init(end endDate: Date) {
    self.init(endDate: endDate, occurrenceCount: 0, until: nil)
  }

  /// The older name of ``init(end:)``.
  @available(*, deprecated, renamed: "init(end:)")
  public convenience init(endDate: Date) { self.init(end: endDate) }

  /// An end after a number of occurrences. A number below one counts as one; Apple's class raises an exception.
  public convenience init(occurrenceCount: Int) {
    self.init(endDate: nil, occurrenceCount: max(1, occurrenceCount), until: nil)
  }

  private init(endDate: Date?, occurrenceCount: Int, until: CalendarTime?) {
    self.endDate = endDate
    self.occurrenceCount = occurrenceCount
    self.until = until
  }

  /// The end of a rule; `nil` if it has none.
  convenience init?(_ end: RecurrenceRule.End, resolver: TimeResolver) {
    switch end {
    case .never: return nil
    case .count(let count): self.init(occurrenceCount: count)
    case .until(let time):
      self.init(endDate: resolver.date(of: time), occurrenceCount: 0, until: time)
    }
  }

  var value: RecurrenceRule.End {
    if let until { return .until(until) }
    if let endDate { return .until(CalendarTime(endDate.instant)) }
    return .count(occurrenceCount)
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Reads an end from an archive.
  public required init?(coder: NSCoder) {
    let count = coder.decodeInteger(forKey: "occurrenceCount")
    guard count > 0 || coder.containsValue(forKey: "endDate") else { return nil }
    occurrenceCount = max(0, count)
    endDate =
      count > 0 ? nil : Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "endDate"))
    until = nil
  }

  /// Writes the end to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(occurrenceCount, forKey: "occurrenceCount")
    if let endDate { coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: "endDate") }
  }

  /// Compares date and number.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKRecurrenceEnd else { return false }
    return endDate == other.endDate && occurrenceCount == other.occurrenceCount
  }

  /// Hashes date and number.
  open override var hash: Int { occurrenceCount ^ (endDate?.hashValue ?? 0) }
}

extension CalendarItem {
  /// For an item with whole days, converts the ends of new and changed rules to days: the day of that instant in the
  /// floating zone. With an UNTIL in UTC, the day in UTC would count.
  mutating func endRulesWithDays(since original: CalendarItem?, resolver: TimeResolver) {
    let known = original?.anchor?.isDate == true ? original?.recurrence?.rules ?? [] : []
    for index in recurrence?.rules.indices ?? 0..<0 {
      guard let rule = recurrence?.rules[index], !known.contains(rule),
        case .until(let time) = rule.end, let moment = time.utcInstant
      else { continue }
      recurrence?.rules[index].end = .until(.date(resolver.floating.civil(at: moment).day))
    }
  }
}
