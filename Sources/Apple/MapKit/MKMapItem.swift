public import CoreLocation
import FencepostGeocoding
public import Foundation

/// A place with its contact details.
open class MKMapItem: NSObject {
  /// The position and address.
  public let placemark: MKPlacemark
  /// The position.
  public let location: CLLocation
  /// The address as text; `nil` if unknown.
  public let address: MKAddress?
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
    location =
      placemark.location
      ?? CLLocation(latitude: placemark.coordinate.latitude, longitude: placemark.coordinate.longitude)
    address = MKAddress(placemark.address)
    name = placemark.name
    timeZone = placemark.timeZone
  }

  /// A place at a position.
  public init(location: CLLocation, address: MKAddress?) {
    placemark = MKPlacemark(coordinate: location.coordinate)
    self.location = location
    self.address = address
  }

  /// The texts of the address; `nil` if its parts are unknown.
  open var addressRepresentations: MKAddressRepresentations? {
    placemark.address == PostalAddress() ? nil : MKAddressRepresentations(placemark.address)
  }

  /// False: the position of the device is unknown here.
  open var isCurrentLocation: Bool { false }
}
