public import Contacts
public import CoreLocation

extension CLPlacemark {
  /// A place with a position, and perhaps a name and an address.
  public convenience init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
    self.init(
      location: location, region: nil, name: name, address: (postalAddress ?? CNPostalAddress()).value)
  }
}
