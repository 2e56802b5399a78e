import FencepostCalendarModel
public import Foundation

/// A day of the week, with its number within the month or year.
open class EKRecurrenceDayOfWeek: NSObject, NSCopying, NSSecureCoding {
  /// The day.
  public let dayOfTheWeek: EKWeekday
  /// The number: 2 for the second, -1 for the last, 0 for every one; within ±53.
  public let weekNumber: Int

  /// Every such day.
  public convenience init(_ dayOfTheWeek: EKWeekday) {
    self.init(dayOfTheWeek: dayOfTheWeek, weekNumber: 0)
  }

  /// The `weekNumber`th such day.
  public convenience init(_ dayOfTheWeek: EKWeekday, weekNumber: Int) {
    self.init(dayOfTheWeek: dayOfTheWeek, weekNumber: weekNumber)
  }

  /// The `weekNumber`th such day. A number beyond ±53 counts as 0; Apple's class raises an exception.
  public init(dayOfTheWeek: EKWeekday, weekNumber: Int) {
    self.dayOfTheWeek = dayOfTheWeek
    self.weekNumber = (-53...53).contains(weekNumber) ? weekNumber : 0
  }

  convenience init(_ day: RecurrenceRule.WeekdayNumber) {
    self.init(
      dayOfTheWeek: EKWeekday(rawValue: day.weekday.rawValue) ?? .sunday, weekNumber: day.ordinal)
  }

  var value: RecurrenceRule.WeekdayNumber {
    RecurrenceRule.WeekdayNumber(Weekday(rawValue: dayOfTheWeek.rawValue) ?? .sunday, ordinal: weekNumber)
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Reads a day from an archive; `nil` if it is invalid.
  public required init?(coder: NSCoder) {
    guard let day = EKWeekday(rawValue: coder.decodeInteger(forKey: "dayOfTheWeek")) else { return nil }
    dayOfTheWeek = day
    weekNumber = coder.decodeInteger(forKey: "weekNumber")
  }

  /// Writes both numbers to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(dayOfTheWeek.rawValue, forKey: "dayOfTheWeek")
    coder.encode(weekNumber, forKey: "weekNumber")
  }

  /// Compares day and number.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKRecurrenceDayOfWeek else { return false }
    return value == other.value
  }

  /// Hashes day and number.
  open override var hash: Int { value.hashValue }
}
