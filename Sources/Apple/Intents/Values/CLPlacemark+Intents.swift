public import Contacts
public import CoreLocation

extension CLPlacemark {
  /// A place with a position, and an optional name and address.
  public convenience init(location: CLLocation, name: String?, postalAddress: CNPostalAddress?) {
    self.init(
      location: location, region: nil, name: name, address: (postalAddress ?? CNPostalAddress()).value)
  }
}
