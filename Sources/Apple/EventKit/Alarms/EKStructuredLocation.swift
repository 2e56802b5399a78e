public import CoreLocation
import FencepostCalendarModel
import FencepostGeodesy
public import Foundation

/// A place with a name and a position.
open class EKStructuredLocation: EKObject, NSCopying {
  /// The model's value, besides title, coordinate and radius.
  private var base: StructuredLocation
  /// Its name.
  open var title: String?
  /// The position; `nil` for a place with only a name, where no alarm can go off.
  open var geoLocation: CLLocation?
  /// The radius around ``geoLocation``, in metres; 0 for the default of 100 m.
  open var radius: Double = 0

  /// A place with a name.
  public convenience init(title: String) {
    self.init(StructuredLocation(title: title))
  }

  /// A place without a name.
  public override convenience init() {
    self.init(StructuredLocation(title: ""))
    title = nil
  }

  init(_ place: StructuredLocation) {
    base = place
    title = place.title
    radius = place.radius
    geoLocation = place.coordinate.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// Loads a value from the store.
  func load(_ place: StructuredLocation) {
    guard place != value else { return base = place }
    base = place
    title = place.title
    radius = place.radius
    geoLocation = place.coordinate.map { CLLocation(latitude: $0.latitude, longitude: $0.longitude) }
  }

  /// The place as a value.
  var value: StructuredLocation {
    var place = base
    place.title = title ?? ""
    place.radius = radius.isFinite ? max(0, radius) : 0
    place.coordinate = geoLocation.map {
      Coordinate(latitude: $0.coordinate.latitude, longitude: $0.coordinate.longitude)
    }
    // An outline belongs to its position.
    if place.coordinate != base.coordinate { place.outline = [] }
    return place
  }

  /// An independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = EKStructuredLocation(base)
    copy.title = title
    copy.geoLocation = geoLocation
    copy.radius = radius
    return copy
  }
}
