public import EventKit

extension EKStructuredLocation {
  /// The place of a map item, with its name and position. Without a ``EKStructuredLocation/radius`` it has
  /// 100 m, like all places with a position.
  public convenience init(mapItem: MKMapItem) {
    self.init(title: mapItem.name ?? "")
    geoLocation = mapItem.placemark.location
  }
}
