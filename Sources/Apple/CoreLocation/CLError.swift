public import Foundation

/// The domain of CoreLocation's errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// The key of the alternative region in an error.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// An error of CoreLocation.
///
/// Catch it like on Apple's systems: `catch CLError.denied`, `error as? CLError`, or as an `NSError` of
/// ``kCLErrorDomain``.
public struct CLError: _BridgedStoredNSError {
  /// The error as `NSError`.
  public let _nsError: NSError

  /// Wraps `error`, whose domain must be ``kCLErrorDomain``.
  public init(_nsError error: NSError) {
    _nsError = error
  }

  /// ``kCLErrorDomain``.
  public static var _nsErrorDomain: String { kCLErrorDomain }

  /// ``kCLErrorDomain``.
  public static var errorDomain: String { kCLErrorDomain }

  /// The codes, with Apple's numbers.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error type of these codes.
    public typealias _ErrorType = CLError

    /// The position is unknown.
    case locationUnknown = 0
    /// The app has no permission to use the position.
    case denied = 1
    /// The network or the server can't be reached.
    case network = 2
    /// The heading is unknown.
    case headingFailure = 3
    /// The app has no permission to monitor regions.
    case regionMonitoringDenied = 4
    /// A region can't be monitored.
    case regionMonitoringFailure = 5
    /// Monitoring of a region starts late.
    case regionMonitoringSetupDelayed = 6
    /// Events of a region come late.
    case regionMonitoringResponseDelayed = 7
    /// No place was found.
    case geocodeFoundNoResult = 8
    /// The search found only part of the place.
    case geocodeFoundPartialResult = 9
    /// The search was canceled.
    case geocodeCanceled = 10
    /// Deferred updates failed.
    case deferredFailed = 11
    /// Deferred updates need location updates, which are off.
    case deferredNotUpdatingLocation = 12
    /// Deferred updates need a higher accuracy.
    case deferredAccuracyTooLow = 13
    /// Deferred updates don't work with a distance filter.
    case deferredDistanceFiltered = 14
    /// Deferred updates were canceled.
    case deferredCanceled = 15
    /// Ranging is unavailable.
    case rangingUnavailable = 16
    /// Ranging failed.
    case rangingFailure = 17
    /// The user did not answer.
    case promptDeclined = 18
    /// The past position is unknown.
    case historicalLocationError = 19
  }

  /// The alternative region of an error about a region.
  public var alternateRegion: CLRegion? { userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }

  /// One of our errors, with a text that says what to do.
  static func make(_ code: Code, _ text: String) -> CLError {
    CLError(code, userInfo: [NSLocalizedDescriptionKey: text])
  }
}

extension CLError {
  /// The position is unknown.
  public static var locationUnknown: Code { .locationUnknown }
  /// The app has no permission to use the position.
  public static var denied: Code { .denied }
  /// The network or the server can't be reached.
  public static var network: Code { .network }
  /// The heading is unknown.
  public static var headingFailure: Code { .headingFailure }
  /// The app has no permission to monitor regions.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// A region can't be monitored.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// Monitoring of a region starts late.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// Events of a region come late.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// No place was found.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// The search found only part of the place.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The search was canceled.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// Deferred updates failed.
  public static var deferredFailed: Code { .deferredFailed }
  /// Deferred updates need location updates, which are off.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// Deferred updates need a higher accuracy.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// Deferred updates don't work with a distance filter.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// Deferred updates were canceled.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// Ranging is unavailable.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// Ranging failed.
  public static var rangingFailure: Code { .rangingFailure }
  /// The user did not answer.
  public static var promptDeclined: Code { .promptDeclined }
  /// The past position is unknown.
  public static var historicalLocationError: Code { .historicalLocationError }
}
