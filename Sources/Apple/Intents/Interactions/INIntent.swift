public import Foundation

/// Something that a person wants from an app.
open class INIntent: NSObject, NSCopying {
  /// An identifier that the app chooses.
  open var identifier: String?

  /// An intent.
  public override init() {}

  /// A new intent with the same identifier.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = INIntent()
    copy.identifier = identifier
    return copy
  }
}

/// An app's answer to an intent.
open class INIntentResponse: NSObject, NSCopying {
  /// The data that the app needs to continue.
  open var userActivity: NSUserActivity?

  /// An answer.
  public override init() {}

  /// The same object.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A person wants the details of a reservation.
open class INGetReservationDetailsIntent: INIntent {
  /// The booking.
  public let reservationContainerReference: INSpeakableString?
  /// The booked items.
  public let reservationItemReferences: [INSpeakableString]?

  /// An intent.
  public init(
    reservationContainerReference: INSpeakableString? = nil,
    reservationItemReferences: [INSpeakableString]? = nil
  ) {
    self.reservationContainerReference = reservationContainerReference
    self.reservationItemReferences = reservationItemReferences
  }

  /// A new intent with the same parts.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = INGetReservationDetailsIntent(
      reservationContainerReference: reservationContainerReference,
      reservationItemReferences: reservationItemReferences)
    copy.identifier = identifier
    return copy
  }
}

/// Whether the app has the details.
public enum INGetReservationDetailsIntentResponseCode: Int, Sendable {
  case unspecified = 0
  case ready = 1
  case inProgress = 2
  case success = 3
  case failure = 4
  case failureRequiringAppLaunch = 5
}

/// The details of reservations.
open class INGetReservationDetailsIntentResponse: INIntentResponse {
  /// Whether the app has them.
  public let code: INGetReservationDetailsIntentResponseCode
  /// The reservations.
  open var reservations: [INReservation]?

  /// An answer without reservations yet.
  public init(code: INGetReservationDetailsIntentResponseCode, userActivity: NSUserActivity?) {
    self.code = code
    super.init()
    self.userActivity = userActivity
  }
}

/// The domain of the errors of intents.
public let INIntentErrorDomain: String = "IntentsErrorDomain"

/// An error of a donation. The description contains the reason.
public struct INIntentError: _BridgedStoredNSError {
  /// The error as `NSError`.
  public let _nsError: NSError

  /// Wraps `error`, whose domain must be ``INIntentErrorDomain``.
  public init(_nsError error: NSError) { _nsError = error }

  /// ``INIntentErrorDomain``.
  public static var _nsErrorDomain: String { INIntentErrorDomain }

  /// ``INIntentErrorDomain``.
  public static var errorDomain: String { INIntentErrorDomain }

  /// The codes, with Apple's numbers.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error type of these codes.
    public typealias _ErrorType = INIntentError

    /// Interactions can't be donated here.
    case interactionOperationNotSupported = 1900
    /// The donation failed.
    case donatingInteraction = 1901
    /// The donations can't be deleted.
    case deletingAllInteractions = 1902
    /// Donations can't be deleted by their identifiers.
    case deletingInteractionWithIdentifiers = 1903
    /// Donations can't be deleted by their group.
    case deletingInteractionWithGroupIdentifier = 1904
  }

  static func make(_ code: Code, _ reason: any Error) -> INIntentError {
    INIntentError(
      _nsError: NSError(
        domain: INIntentErrorDomain, code: code.rawValue,
        userInfo: [NSLocalizedDescriptionKey: "\(reason)", NSUnderlyingErrorKey: reason]))
  }
}
