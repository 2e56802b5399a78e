package import FencepostGeocoding
public import Foundation

/// An immutable postal address. Unknown parts are empty.
///
/// Addresses with the same parts are equal.
open class CNPostalAddress: NSObject, NSCopying, NSMutableCopying {
  fileprivate var parts = Parts()

  /// The parts of the address.
  fileprivate struct Parts: Hashable {
    var street = ""
    var subLocality = ""
    var city = ""
    var subAdministrativeArea = ""
    var state = ""
    var postalCode = ""
    var country = ""
    var isoCountryCode = ""
  }

  /// The street and house number; several lines are possible.
  open var street: String { parts.street }
  /// The suburb.
  open var subLocality: String { parts.subLocality }
  /// The town.
  open var city: String { parts.city }
  /// The county.
  open var subAdministrativeArea: String { parts.subAdministrativeArea }
  /// The state or province.
  open var state: String { parts.state }
  /// The postal code.
  open var postalCode: String { parts.postalCode }
  /// The country.
  open var country: String { parts.country }
  /// The country code: two letters (ISO 3166-1).
  open var isoCountryCode: String { parts.isoCountryCode }

  /// An empty address.
  public override init() {}

  /// Converts an address from its package type.
  package convenience init(_ address: PostalAddress) {
    self.init()
    parts.street = [address.houseNumber, address.street].compactMap { $0 }.joined(separator: " ")
    parts.subLocality = address.suburb ?? ""
    parts.city = address.city ?? ""
    parts.subAdministrativeArea = address.county ?? ""
    parts.state = address.state ?? ""
    parts.postalCode = address.postalCode ?? ""
    parts.country = address.country ?? ""
    parts.isoCountryCode = address.countryCode ?? ""
  }

  /// The address as a value. Empty parts are `nil`, and several lines of a street are joined.
  package var value: PostalAddress {
    func text(_ part: String) -> String? {
      let text = part.split(whereSeparator: \.isNewline).joined(separator: ", ")
      return text.isEmpty ? nil : text
    }
    var address = PostalAddress()
    address.street = text(street)
    address.suburb = text(subLocality)
    address.city = text(city)
    address.county = text(subAdministrativeArea)
    address.state = text(state)
    address.postalCode = text(postalCode)
    address.country = text(country)
    address.countryCode = text(isoCountryCode)?.uppercased()
    return address
  }

  /// An immutable copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = CNPostalAddress()
    copy.parts = parts
    return copy
  }

  /// A mutable copy: a ``CNMutablePostalAddress``.
  open func mutableCopy(with zone: NSZone? = nil) -> Any {
    let copy = CNMutablePostalAddress()
    copy.parts = parts
    return copy
  }

  /// True for an address with the same parts.
  open override func isEqual(_ object: Any?) -> Bool { (object as? CNPostalAddress)?.parts == parts }

  /// Equal for equal addresses.
  open override var hash: Int { parts.hashValue }
}

/// A mutable postal address.
open class CNMutablePostalAddress: CNPostalAddress {
  /// The street and house number; several lines are possible.
  open override var street: String {
    get { parts.street }
    set { parts.street = newValue }
  }
  /// The suburb.
  open override var subLocality: String {
    get { parts.subLocality }
    set { parts.subLocality = newValue }
  }
  /// The town.
  open override var city: String {
    get { parts.city }
    set { parts.city = newValue }
  }
  /// The county.
  open override var subAdministrativeArea: String {
    get { parts.subAdministrativeArea }
    set { parts.subAdministrativeArea = newValue }
  }
  /// The state or province.
  open override var state: String {
    get { parts.state }
    set { parts.state = newValue }
  }
  /// The postal code.
  open override var postalCode: String {
    get { parts.postalCode }
    set { parts.postalCode = newValue }
  }
  /// The country.
  open override var country: String {
    get { parts.country }
    set { parts.country = newValue }
  }
  /// The country code: two letters (ISO 3166-1).
  open override var isoCountryCode: String {
    get { parts.isoCountryCode }
    set { parts.isoCountryCode = newValue }
  }
}
