public import Foundation

/// A place with its contact details.
open class MKMapItem: NSObject {
  /// The position and address.
  public let placemark: MKPlacemark
  /// Its name, initially that of the placemark.
  open var name: String?
  /// Its phone number.
  open var phoneNumber: String?
  /// Its web page.
  open var url: URL?
  /// Its time zone.
  open var timeZone: TimeZone?

  /// A place.
  public init(placemark: MKPlacemark) {
    self.placemark = placemark
    name = placemark.name
    timeZone = placemark.timeZone
  }

  /// False: the position of the device is unknown here.
  open var isCurrentLocation: Bool { false }
}
