package import FencepostGeocoding
import FencepostGeodesy
public import Foundation

/// A place with an address.
///
/// `@unchecked Sendable`: it is immutable.
open class CLPlacemark: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// The position.
  public let location: CLLocation?
  /// The area of the place.
  public let region: CLRegion?
  /// The name of the place, or its address in one line.
  public let name: String?
  /// The parts of the address.
  package let address: PostalAddress

  /// The street.
  open var thoroughfare: String? { address.street }
  /// The house number.
  open var subThoroughfare: String? { address.houseNumber }
  /// The town.
  open var locality: String? { address.city }
  /// The suburb.
  open var subLocality: String? { address.suburb }
  /// The state or province.
  open var administrativeArea: String? { address.state }
  /// The county.
  open var subAdministrativeArea: String? { address.county }
  /// The postal code.
  open var postalCode: String? { address.postalCode }
  /// The country code: two letters (ISO 3166-1).
  open var isoCountryCode: String? { address.countryCode }
  /// The country.
  open var country: String? { address.country }
  /// The lake or river; always `nil`, because it is unknown here.
  open var inlandWater: String? { nil }
  /// The ocean; always `nil`, because it is unknown here.
  open var ocean: String? { nil }
  /// Places of interest; always `nil`, because they are unknown here.
  open var areasOfInterest: [String]? { nil }
  /// The time zone; always `nil`, because it is unknown here.
  open var timeZone: TimeZone? { nil }

  /// A placemark of its parts.
  package init(location: CLLocation?, region: CLRegion? = nil, name: String?, address: PostalAddress) {
    self.location = location
    self.region = region
    self.name = name
    self.address = address
  }

  /// A placemark for a geocoder's result.
  init(_ place: GeocodedPlace) {
    let center = CLLocationCoordinate2D(
      latitude: place.coordinate.latitude, longitude: place.coordinate.longitude)
    location = CLLocation(latitude: center.latitude, longitude: center.longitude)
    region = place.radius.map {
      CLCircularRegion(center: center, radius: $0, identifier: place.name ?? "\(place.coordinate)")
    }
    name = place.name
    address = place.address
  }

  /// A copy of another placemark.
  public init(placemark: CLPlacemark) {
    location = placemark.location
    region = placemark.region
    name = placemark.name
    address = placemark.address
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }

  /// Writes the placemark to an archive.
  open func encode(with coder: NSCoder) {
    coder.encode(location, forKey: "location")
    coder.encode(name, forKey: "name")
    if let circle = region as? CLCircularRegion { coder.encode(circle.radius, forKey: "radius") }
    if let parts = try? JSONEncoder().encode(address) { coder.encode(parts as NSData, forKey: "address") }
  }

  /// Reads a placemark from an archive.
  public required init?(coder: NSCoder) {
    location = coder.decodeObject(of: CLLocation.self, forKey: "location")
    let name = coder.decodeObject(of: NSString.self, forKey: "name") as String?
    self.name = name
    region =
      coder.containsValue(forKey: "radius")
      ? location.map {
        CLCircularRegion(
          center: $0.coordinate, radius: coder.decodeDouble(forKey: "radius"), identifier: name ?? "")
      } : nil
    let parts = coder.decodeObject(of: NSData.self, forKey: "address")
    address =
      parts.flatMap { try? JSONDecoder().decode(PostalAddress.self, from: $0 as Data) } ?? PostalAddress()
  }
}
