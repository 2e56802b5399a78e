public import Contacts
public import CoreLocation
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
      @unknown default: .unknown
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

/// A phrase for people, with the app's identifier for it.
open class INSpeakableString: NSObject, NSCopying {
  /// The app's identifier.
  public let vocabularyIdentifier: String?
  /// The phrase.
  public let spokenPhrase: String
  /// The pronunciation of the phrase.
  public let pronunciationHint: String?

  /// A phrase with an identifier.
  public init(vocabularyIdentifier: String, spokenPhrase: String, pronunciationHint: String?) {
    self.vocabularyIdentifier = vocabularyIdentifier
    self.spokenPhrase = spokenPhrase
    self.pronunciationHint = pronunciationHint
  }

  /// A phrase.
  public init(spokenPhrase: String) {
    vocabularyIdentifier = nil
    self.spokenPhrase = spokenPhrase
    pronunciationHint = nil
  }

  /// The older name of ``init(vocabularyIdentifier:spokenPhrase:pronunciationHint:)``.
  @available(*, deprecated, renamed: "init(vocabularyIdentifier:spokenPhrase:pronunciationHint:)")
  public convenience init(identifier: String, spokenPhrase: String, pronunciationHint: String?) {
    self.init(
      vocabularyIdentifier: identifier, spokenPhrase: spokenPhrase, pronunciationHint: pronunciationHint)
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True for an equal phrase with the same identifier.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? INSpeakableString else { return false }
    return vocabularyIdentifier == other.vocabularyIdentifier && spokenPhrase == other.spokenPhrase
      && pronunciationHint == other.pronunciationHint
  }

  /// Hashes the phrase.
  open override var hash: Int { spokenPhrase.hashValue }
}

/// A seat.
open class INSeat: NSObject, NSCopying {
  /// The section, or the carriage.
  public let seatSection: String?
  /// The row.
  public let seatRow: String?
  /// The number in the row.
  public let seatNumber: String?
  /// The type, for example `Window`.
  public let seatingType: String?

  /// A seat.
  public init(seatSection: String?, seatRow: String?, seatNumber: String?, seatingType: String?) {
    self.seatSection = seatSection
    self.seatRow = seatRow
    self.seatNumber = seatNumber
    self.seatingType = seatingType
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The seat as it is printed, such as `Coach 7, 12A`; `nil` if unknown.
  var text: String? {
    let row = seatRow ?? ""
    let place = row + (row.last?.isNumber == false ? " " : "") + (seatNumber ?? "")
    let parts = [seatSection, place.isEmpty ? nil : place].compactMap { $0 }
    return parts.isEmpty ? seatingType : parts.joined(separator: ", ")
  }
}

extension CLPlacemark {
  /// A place with a position, and an optional name and address.
  public convenience init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
    self.init(
      location: location, region: nil, name: name, address: (postalAddress ?? CNPostalAddress()).value)
  }
}
