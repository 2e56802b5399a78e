public import CoreLocation

extension CLPlacemark {
  /// The address of the place; `nil` if no part of it is known.
  public var postalAddress: CNPostalAddress? {
    let address = CNPostalAddress(address)
    return address.isEqual(CNPostalAddress()) ? nil : address
  }
}
