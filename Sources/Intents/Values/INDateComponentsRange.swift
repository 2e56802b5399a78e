public import EventKit
public import Foundation

/// A span of time, as calendars show it.
///
/// Components without a time zone are local to their place. Components without an hour are a whole day.
open class INDateComponentsRange: NSObject, NSCopying {
  /// The start.
  public let startDateComponents: DateComponents?
  /// The end.
  public let endDateComponents: DateComponents?
  /// How it repeats; reservations ignore it.
  public let recurrenceRule: INRecurrenceRule?

  /// A span.
  public convenience init(start: DateComponents?, end: DateComponents?) {
    self.init(start: start, end: end, recurrenceRule: nil)
  }

  /// A span that repeats.
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

  /// The repetition as a rule of EventKit; `nil` for none, or one that EventKit does not have.
  open func ekRecurrenceRule() -> EKRecurrenceRule? {
    guard let recurrenceRule, let frequency = recurrenceRule.frequency.eventKit else { return nil }
    return EKRecurrenceRule(recurrenceWith: frequency, interval: recurrenceRule.interval, end: nil)
  }

  /// The same object, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// How often something repeats.
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

/// How something repeats: every `interval` days, weeks and so on.
open class INRecurrenceRule: NSObject, NSCopying {
  /// The number of periods from one to the next.
  public let interval: Int
  /// The period.
  public let frequency: INRecurrenceFrequency

  /// A rule.
  public init(interval: Int, frequency: INRecurrenceFrequency) {
    self.interval = interval
    self.frequency = frequency
  }

  /// The same object, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
