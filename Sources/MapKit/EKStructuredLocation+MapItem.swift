public import EventKit

extension EKStructuredLocation {
  /// The place of a map item, with its name and position. Like any place with a position it has a radius of 100 m unless
  /// ``EKStructuredLocation/radius`` says otherwise.
  public convenience init(mapItem: MKMapItem) {
    self.init(title: mapItem.name ?? "")
    geoLocation = mapItem.placemark.location
  }
}
