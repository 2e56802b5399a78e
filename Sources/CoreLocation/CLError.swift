public import Foundation

/// The domain of CoreLocation's errors.
public let kCLErrorDomain = "kCLErrorDomain"

/// Why CoreLocation could not do what was asked.
public struct CLError: CustomNSError, Hashable, Sendable {
  /// The codes, with Apple's numbers.
  public enum Code: Int, Sendable {
    case locationUnknown = 0
    case denied = 1
    case network = 2
    case headingFailure = 3
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5
    case regionMonitoringSetupDelayed = 6
    case regionMonitoringResponseDelayed = 7
    case geocodeFoundNoResult = 8
    case geocodeFoundPartialResult = 9
    case geocodeCanceled = 10
  }

  /// Why.
  public let code: Code

  /// An error.
  public init(_ code: Code) { self.code = code }

  /// ``kCLErrorDomain``.
  public static var errorDomain: String { kCLErrorDomain }
  /// The code's number.
  public var errorCode: Int { code.rawValue }
  /// The text for the user.
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: localizedDescription] }

  /// One line that says what is wrong.
  public var localizedDescription: String {
    switch code {
    case .geocodeFoundNoResult:
      "No place was found: there is no geocoder here that works without a network. Give a coordinate instead."
    case .geocodeCanceled: "The search for a place was canceled."
    default: "CoreLocation failed (\(kCLErrorDomain) \(code.rawValue))."
    }
  }

  /// The position is not known.
  public static var locationUnknown: Code { .locationUnknown }
  /// The app may not know the position.
  public static var denied: Code { .denied }
  /// There is no network.
  public static var network: Code { .network }
  /// No place was found.
  public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
  /// Only a part of the place was found.
  public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
  /// The search was canceled.
  public static var geocodeCanceled: Code { .geocodeCanceled }
}

extension CLError.Code {
  /// Lets `catch CLError.denied` take an error with this code.
  public static func ~= (code: CLError.Code, error: any Error) -> Bool {
    (error as? CLError)?.code == code
  }
}
