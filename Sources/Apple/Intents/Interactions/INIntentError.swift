public import Foundation

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
