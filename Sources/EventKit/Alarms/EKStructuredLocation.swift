import CalendarModel
public import CoreLocation
public import Foundation
import Geodesy

/// A place with a name, and where it is.
open class EKStructuredLocation: EKObject, NSCopying {
  /// What the model says besides title, coordinate and radius.
  private var base: StructuredLocation
  /// Its name.
  open var title: String?
  /// Where it is; `nil` for a place that is a name only, at which no alarm can go off.
  open var geoLocation: CLLocation?
  /// How far it reaches around ``geoLocation``, in metres; 0 for the default, which is 100 m here.
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

  /// Takes on what the store says.
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
    // An outline belongs to the place that it was drawn around.
    if place.coordinate != base.coordinate { place.outline = [] }
    return place
  }

  /// A copy that is changed on its own.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = EKStructuredLocation(base)
    copy.title = title
    copy.geoLocation = geoLocation
    copy.radius = radius
    return copy
  }
}
