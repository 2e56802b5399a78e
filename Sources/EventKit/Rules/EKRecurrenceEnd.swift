import CalendarModel
public import Foundation
import Recurrence

/// When a rule ends: at a date, or after so many occurrences.
open class EKRecurrenceEnd: NSObject, NSCopying, NSSecureCoding {
  /// The date of the last occurrence or later; `nil` where the end is counted.
  public let endDate: Date?
  /// How many occurrences there are, the first included; 0 where the end is a date.
  public let occurrenceCount: Int
  /// An UNTIL as it was said, so that a rule that is not changed is not rewritten.
  let until: CalendarTime?

  /// The end at a date.
  public convenience init(end endDate: Date) {
    self.init(endDate: endDate, occurrenceCount: 0, until: nil)
  }

  /// What ``init(end:)`` was called.
  @available(*, deprecated, renamed: "init(end:)")
  public convenience init(endDate: Date) { self.init(end: endDate) }

  /// The end after so many occurrences. Fewer than one, for which Apple's raises an exception, counts as one.
  public convenience init(occurrenceCount: Int) {
    self.init(endDate: nil, occurrenceCount: max(1, occurrenceCount), until: nil)
  }

  private init(endDate: Date?, occurrenceCount: Int, until: CalendarTime?) {
    self.endDate = endDate
    self.occurrenceCount = occurrenceCount
    self.until = until
  }

  /// The end of a rule; `nil` where it has none.
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

  /// The same object, for it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Reads what ``encode(with:)`` wrote.
  public required init?(coder: NSCoder) {
    let count = coder.decodeInteger(forKey: "occurrenceCount")
    guard count > 0 || coder.containsValue(forKey: "endDate") else { return nil }
    occurrenceCount = max(0, count)
    endDate =
      count > 0 ? nil : Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "endDate"))
    until = nil
  }

  /// Writes date or number.
  open func encode(with coder: NSCoder) {
    coder.encode(occurrenceCount, forKey: "occurrenceCount")
    if let endDate { coder.encode(endDate.timeIntervalSinceReferenceDate, forKey: "endDate") }
  }

  /// By date and number.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKRecurrenceEnd else { return false }
    return endDate == other.endDate && occurrenceCount == other.occurrenceCount
  }

  /// By date and number.
  open override var hash: Int { occurrenceCount ^ (endDate?.hashValue ?? 0) }
}

extension CalendarItem {
  /// Lets the rules of an item of whole days that were made or changed here end with a day: the one that it is at that
  /// moment where floating times are read. Of an UNTIL in UTC the day in UTC would count.
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
