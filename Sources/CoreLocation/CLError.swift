public import Foundation

/// The domain of CoreLocation's errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// The key under which an error names another region that can be watched.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// Why CoreLocation could not do what was asked.
///
/// Catch it as on Apple's systems: `catch CLError.denied`, `error as? CLError`, or as an `NSError` of ``kCLErrorDomain``.
public struct CLError: _BridgedStoredNSError {
  /// The error as `NSError`.
  public let _nsError: NSError

  /// The error in `error`, whose domain must be ``kCLErrorDomain``.
  public init(_nsError error: NSError) {
    _nsError = error
  }

  /// ``kCLErrorDomain``.
  public static var _nsErrorDomain: String { kCLErrorDomain }

  /// ``kCLErrorDomain``.
  public static var errorDomain: String { kCLErrorDomain }

  /// The codes, with Apple's numbers.
  public enum Code: Int, Sendable, _ErrorCodeProtocol {
    /// The error that has these codes.
    public typealias _ErrorType = CLError

    /// The position is not known.
    case locationUnknown = 0
    /// The app may not know the position.
    case denied = 1
    /// The network, or who is asked there, can't be reached.
    case network = 2
    /// The heading is not known.
    case headingFailure = 3
    /// The app may not watch regions.
    case regionMonitoringDenied = 4
    /// A region can't be watched.
    case regionMonitoringFailure = 5
    /// A region can't be watched at once.
    case regionMonitoringSetupDelayed = 6
    /// Crossings are told of late.
    case regionMonitoringResponseDelayed = 7
    /// No place was found.
    case geocodeFoundNoResult = 8
    /// Only a part of the place was found.
    case geocodeFoundPartialResult = 9
    /// The search was canceled.
    case geocodeCanceled = 10
    /// Positions can't be told later.
    case deferredFailed = 11
    /// Positions are not told.
    case deferredNotUpdatingLocation = 12
    /// Positions are wanted too coarse to be told later.
    case deferredAccuracyTooLow = 13
    /// Positions are filtered by distance.
    case deferredDistanceFiltered = 14
    /// Telling later was canceled.
    case deferredCanceled = 15
    /// Ranging is not to be had.
    case rangingUnavailable = 16
    /// Ranging failed.
    case rangingFailure = 17
    /// The user did not answer.
    case promptDeclined = 18
    /// The past is not known.
    case historicalLocationError = 19
  }

  /// The other region, of an error about one.
  public var alternateRegion: CLRegion? { userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }

  /// An error of our own, with a text that says what to do.
  static func make(_ code: Code, _ text: String) -> CLError {
    CLError(code, userInfo: [NSLocalizedDescriptionKey: text])
  }
}

extension CLError {
  /// The position is not known.
  public static var locationUnknown: Code { .locationUnknown }
  /// The app may not know the position.
  public static var denied: Code { .denied }
  /// The network can't be reached.
  public static var network: Code { .network }
  /// The heading is not known.
  public static var headingFailure: Code { .headingFailure }
  /// The app may not watch regions.
  public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
  /// A region can't be watched.
  public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
  /// A region can't be watched at once.
  public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
  /// Crossings are told of late.
  public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
  /// No place was found.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// Only a part of the place was found.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The search was canceled.
  public static var geocodeCanceled: Code { .geocodeCanceled }
  /// Positions can't be told later.
  public static var deferredFailed: Code { .deferredFailed }
  /// Positions are not told.
  public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
  /// Positions are wanted too coarse to be told later.
  public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
  /// Positions are filtered by distance.
  public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
  /// Telling later was canceled.
  public static var deferredCanceled: Code { .deferredCanceled }
  /// Ranging is not to be had.
  public static var rangingUnavailable: Code { .rangingUnavailable }
  /// Ranging failed.
  public static var rangingFailure: Code { .rangingFailure }
  /// The user did not answer.
  public static var promptDeclined: Code { .promptDeclined }
  /// The past is not known.
  public static var historicalLocationError: Code { .historicalLocationError }
}
