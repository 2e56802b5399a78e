public import Foundation

/// What an app implements to hear of positions and regions. All methods are called on the main queue, and all
/// are optional.
public protocol CLLocationManagerDelegate: NSObjectProtocol {
  /// The permission changed, or the manager has just got this delegate.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// The older form of ``locationManagerDidChangeAuthorization(_:)``, called if that is not implemented.
  func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// There is no position, or no permission for it.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// New positions, the newest last.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// The device came into a region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The device left a region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// The state of a region, after a crossing or a request.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// A region is watched from now on.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// A region can't be watched.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error)
  /// A visit began or ended. Never called here.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
  /// A new heading. Never called here.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Whether the system may ask to calibrate the compass. Never called here.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
  /// Beacons were found. Never called here.
  func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying constraint: CLBeaconIdentityConstraint)
  /// Beacons can't be found.
  func locationManager(
    _ manager: CLLocationManager, didFailRangingFor constraint: CLBeaconIdentityConstraint,
    error: any Error)
  /// Updates pause. Never called here.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// Updates go on after a pause. Never called here.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
  /// Deferred updates ended. Never called here.
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)
}

extension CLLocationManagerDelegate {
  /// Calls the older form.
  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    locationManager(manager, didChangeAuthorization: manager.authorizationStatus)
  }
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  ) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
  /// Does nothing.
  public func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {}
  /// False.
  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool { false }
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didRange beacons: [CLBeacon],
    satisfying constraint: CLBeaconIdentityConstraint
  ) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didFailRangingFor constraint: CLBeaconIdentityConstraint, error: any Error
  ) {}
  /// Does nothing.
  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
  /// Does nothing.
  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}
  /// Does nothing.
  public func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {}
}
