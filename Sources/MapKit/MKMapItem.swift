public import Foundation

/// A place with what people know of it.
open class MKMapItem: NSObject {
  /// Where it is.
  public let placemark: MKPlacemark
  /// Its name; at first that of the placemark.
  open var name: String?
  /// Its phone number.
  open var phoneNumber: String?
  /// Its page.
  open var url: URL?
  /// Its time zone.
  open var timeZone: TimeZone?

  /// A place.
  public init(placemark: MKPlacemark) {
    self.placemark = placemark
    name = placemark.name
    timeZone = placemark.timeZone
  }

  /// False: nothing here knows where the device is.
  open var isCurrentLocation: Bool { false }
}
