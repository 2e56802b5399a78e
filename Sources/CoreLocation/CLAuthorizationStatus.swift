/// Whether an app may know where the device is. Raw values are Apple's.
public enum CLAuthorizationStatus: Int32, Sendable {
  case notDetermined = 0
  case restricted = 1
  case denied = 2
  case authorizedAlways = 3
  case authorizedWhenInUse = 4

  /// What `authorizedAlways` was called before there were two.
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// How exact the positions are that an app may know. Raw values are Apple's.
public enum CLAccuracyAuthorization: Int, Sendable {
  case fullAccuracy = 0
  case reducedAccuracy = 1
}
