import CoreLocation

/// A program that imports no other module: CoreLocation exports Foundation.
func position(at date: Date) -> CLLocation {
  CLLocation(
    coordinate: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.4), altitude: 0, horizontalAccuracy: 5,
    verticalAccuracy: -1, timestamp: date)
}
