import CoreLocation
import Foundation

// A program in Apple's style with a delegate: it watches a circle and prints what its delegate hears.

final class Watcher: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()

  func start() {
    manager.delegate = self
    manager.desiredAccuracy = kCLLocationAccuracyBest
    manager.requestAlwaysAuthorization()
  }

  private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedAlways, .authorizedWhenInUse:
      let square = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), radius: 100, identifier: "Square")
      say("known \(manager.monitoredRegions.map(\.identifier).sorted())")
      manager.startMonitoring(for: square)
      manager.startUpdatingLocation()
    case .denied, .restricted:
      say("denied")
      exit(1)
    default: say("asking")
    }
  }

  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion) {
    say("watching \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
    guard let location = locations.last else { return }
    say("at \(location.coordinate.latitude)")
  }

  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    say("entered \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    say("left \(region.identifier)")
    exit(0)
  }

  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) {
    say("state \(state.rawValue) of \(region.identifier)")
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
    say("failed \((error as? CLError)?.code.rawValue ?? -1)")
  }

  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
  ) {
    say("can't watch: \(error.localizedDescription)")
    exit(1)
  }
}

let watcher = Watcher()
watcher.start()
RunLoop.main.run()
