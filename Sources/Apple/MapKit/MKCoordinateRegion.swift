public import CoreLocation

/// The size of a part of a map, in degrees.
public struct MKCoordinateSpan: Sendable {
  /// From south to north.
  public var latitudeDelta: CLLocationDegrees
  /// From west to east.
  public var longitudeDelta: CLLocationDegrees

  /// Nothing.
  public init() { self.init(latitudeDelta: 0, longitudeDelta: 0) }

  /// A size.
  public init(latitudeDelta: CLLocationDegrees, longitudeDelta: CLLocationDegrees) {
    self.latitudeDelta = latitudeDelta
    self.longitudeDelta = longitudeDelta
  }
}

/// A part of a map.
public struct MKCoordinateRegion: Sendable {
  /// The middle.
  public var center: CLLocationCoordinate2D
  /// The size.
  public var span: MKCoordinateSpan

  /// Nothing, at 0° N, 0° E.
  public init() {
    self.init(center: CLLocationCoordinate2D(latitude: 0, longitude: 0), span: MKCoordinateSpan())
  }

  /// A part of a map.
  public init(center: CLLocationCoordinate2D, span: MKCoordinateSpan) {
    self.center = center
    self.span = span
  }

  /// A part of a map by its size in metres.
  public init(
    center: CLLocationCoordinate2D, latitudinalMeters: CLLocationDistance,
    longitudinalMeters: CLLocationDistance
  ) {
    let degree = CLLocation(latitude: center.latitude, longitude: center.longitude)
    let north = CLLocation(
      latitude: center.latitude > 0 ? center.latitude - 1 : center.latitude + 1, longitude: center.longitude)
    let east = CLLocation(
      latitude: center.latitude,
      longitude: center.longitude > 0 ? center.longitude - 1 : center.longitude + 1)
    let (tall, wide) = (degree.distance(from: north), degree.distance(from: east))
    self.init(
      center: center,
      span: MKCoordinateSpan(
        latitudeDelta: min(180, latitudinalMeters / tall),
        longitudeDelta: wide > 0 ? min(360, longitudinalMeters / wide) : 360))
  }

  /// The circle for the geocoder, which lists near places first; `nil` if the region is empty.
  var circle: CLCircularRegion? {
    guard span.latitudeDelta > 0 || span.longitudeDelta > 0, CLLocationCoordinate2DIsValid(center) else {
      return nil
    }
    return CLCircularRegion(center: center, radius: 0, identifier: "")
  }

  /// The smallest part of a map with these places.
  init(around places: [CLLocationCoordinate2D]) {
    guard let first = places.first else {
      self.init()
      return
    }
    var (south, north, west, east) = (first.latitude, first.latitude, first.longitude, first.longitude)
    for place in places {
      (south, north) = (min(south, place.latitude), max(north, place.latitude))
      (west, east) = (min(west, place.longitude), max(east, place.longitude))
    }
    self.init(
      center: CLLocationCoordinate2D(latitude: (south + north) / 2, longitude: (west + east) / 2),
      span: MKCoordinateSpan(latitudeDelta: north - south, longitudeDelta: east - west))
  }
}
