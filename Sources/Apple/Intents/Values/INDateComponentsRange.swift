public import EventKit
public import Foundation

/// A span of time, in a calendar's form.
///
/// Components without a time zone are local to their place. Components without an hour are a whole day.
open class INDateComponentsRange: NSObject, NSCopying {
  /// The start.
  public let startDateComponents: DateComponents?
  /// The end.
  public let endDateComponents: DateComponents?
  /// The repetition; ignored for reservations.
  public let recurrenceRule: INRecurrenceRule?

  /// A span.
  public convenience init(start: DateComponents?, end: DateComponents?) {
    self.init(start: start, end: end, recurrenceRule: nil)
  }

  /// A repeating span.
  public init(start: DateComponents?, end: DateComponents?, recurrenceRule: INRecurrenceRule?) {
    startDateComponents = start
    endDateComponents = end
    self.recurrenceRule = recurrenceRule
  }

  /// The repetition of an EventKit rule, without a start.
  public convenience init(ekRecurrenceRule rule: EKRecurrenceRule) {
    self.init(
      start: nil, end: nil,
      recurrenceRule: INRecurrenceRule(
        interval: rule.interval, frequency: INRecurrenceFrequency(rule.frequency))
    )
  }

  /// The repetition as an EventKit rule; `nil` for none, or one that EventKit does not support.
  open func ekRecurrenceRule() -> EKRecurrenceRule? {
    guard let recurrenceRule, let frequency = recurrenceRule.frequency.eventKit else { return nil }
    return EKRecurrenceRule(recurrenceWith: frequency, interval: recurrenceRule.interval, end: nil)
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The period of a repetition.
public enum INRecurrenceFrequency: Int, Sendable {
  case unknown = 0
  case minute = 1
  case hourly = 2
  case daily = 3
  case weekly = 4
  case monthly = 5
  case yearly = 6

  init(_ frequency: EKRecurrenceFrequency) {
    self =
      switch frequency {
      case .daily: .daily
      case .weekly: .weekly
      case .monthly: .monthly
      case .yearly: .yearly
      }
  }

  var eventKit: EKRecurrenceFrequency? {
    switch self {
    case .daily: .daily
    case .weekly: .weekly
    case .monthly: .monthly
    case .yearly: .yearly
    case .unknown, .minute, .hourly: nil
    }
  }
}

/// A repetition: every `interval` days, weeks and so on.
open class INRecurrenceRule: NSObject, NSCopying {
  /// The interval in periods.
  public let interval: Int
  /// The period.
  public let frequency: INRecurrenceFrequency

  /// A rule.
  public init(interval: Int, frequency: INRecurrenceFrequency) {
    self.interval = interval
    self.frequency = frequency
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
