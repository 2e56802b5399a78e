import CoreLocation
public import Foundation

/// The domain of MapKit's errors.
public let MKErrorDomain = "MKErrorDomain"

/// An error of MapKit.
public struct MKError: _BridgedStoredNSError {
  /// The error as `NSError`.
  public let _nsError: NSError

  /// Wraps `error`, whose domain must be ``MKErrorDomain``.
  public init(_nsError error: NSError) { _nsError = error }

  /// ``MKErrorDomain``.
  public static var _nsErrorDomain: String { MKErrorDomain }

  /// ``MKErrorDomain``.
  public static var errorDomain: String { MKErrorDomain }

  /// The codes, with Apple's numbers.
  public enum Code: UInt, Sendable, _ErrorCodeProtocol {
    /// The error type of these codes.
    public typealias _ErrorType = MKError

    /// The search was cancelled, or failed for an unknown reason.
    case unknown = 1
    /// The server can't be reached.
    case serverFailure
    /// Too many requests.
    case loadingThrottled
    /// No place was found.
    case placemarkNotFound
    /// No way was found.
    case directionsNotFound
    /// The answer can't be read.
    case decodingFailed
  }

  /// The search was cancelled, or failed for an unknown reason.
  public static var unknown: Code { .unknown }
  /// The server can't be reached.
  public static var serverFailure: Code { .serverFailure }
  /// Too many requests.
  public static var loadingThrottled: Code { .loadingThrottled }
  /// No place was found.
  public static var placemarkNotFound: Code { .placemarkNotFound }
  /// No way was found.
  public static var directionsNotFound: Code { .directionsNotFound }
  /// The answer can't be read.
  public static var decodingFailed: Code { .decodingFailed }

  /// The geocoder's error, with its text.
  init(_ error: CLError) {
    let code: Code =
      switch error.code {
      case .network: .serverFailure
      case .geocodeFoundNoResult, .geocodeFoundPartialResult: .placemarkNotFound
      default: .unknown
      }
    self.init(code, userInfo: [NSLocalizedDescriptionKey: error.localizedDescription])
  }
}
