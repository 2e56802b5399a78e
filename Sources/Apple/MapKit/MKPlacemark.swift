public import Contacts
public import CoreLocation
import FencepostGeocoding
public import Foundation

/// A place on a map: a position, with an optional address.
///
/// `@unchecked Sendable`: it is immutable, like its base class.
open class MKPlacemark: CLPlacemark, MKAnnotation, @unchecked Sendable {
  /// A place without an address.
  public convenience init(coordinate: CLLocationCoordinate2D) {
    self.init(coordinate: coordinate, address: PostalAddress())
  }

  /// A place with an address.
  public convenience init(coordinate: CLLocationCoordinate2D, postalAddress: CNPostalAddress) {
    self.init(coordinate: coordinate, address: postalAddress.value)
  }

  /// A place with the parts of an address by the keys of Apple's address book: `Street`, `City`, `State`,
  /// `ZIP`, `Country`, `CountryCode` and `SubLocality`.
  public convenience init(coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?) {
    let address = CNMutablePostalAddress()
    func text(_ key: String) -> String { addressDictionary?[key] as? String ?? "" }
    address.street = text("Street")
    address.subLocality = text("SubLocality")
    address.city = text("City")
    address.state = text("State")
    address.postalCode = text("ZIP")
    address.country = text("Country")
    address.isoCountryCode = text("CountryCode")
    self.init(coordinate: coordinate, postalAddress: address)
  }

  /// A copy of another placemark.
  public override init(placemark: CLPlacemark) { super.init(placemark: placemark) }

  /// Reads a place from an archive.
  public required init?(coder: NSCoder) { super.init(coder: coder) }

  private init(coordinate: CLLocationCoordinate2D, address: PostalAddress) {
    super.init(
      location: CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude),
      name: address.street, address: address)
  }

  /// The position; 0° N, 0° E if it has none.
  open var coordinate: CLLocationCoordinate2D {
    location?.coordinate ?? CLLocationCoordinate2D(latitude: 0, longitude: 0)
  }

  /// The country code: two letters (ISO 3166-1).
  open var countryCode: String? { isoCountryCode }

  /// The name of the place.
  open var title: String? { name }

  /// Always `nil`.
  open var subtitle: String? { nil }
}
