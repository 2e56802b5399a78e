public import Foundation

/// What a geocoder calls back with.
public typealias CLGeocodeCompletionHandler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

/// Finds places by address, and addresses by place.
///
/// There is no geocoder here that works without a network, so every search ends in
/// ``CLError/Code/geocodeFoundNoResult``: the answer that code which looks up addresses is ready for.
///
/// `@unchecked Sendable`: it has no state.
open class CLGeocoder: NSObject, @unchecked Sendable {
  /// False: a search is over at once.
  open var isGeocoding: Bool { false }

  /// Finds nothing.
  ///
  /// - Throws: ``CLError`` with ``CLError/Code/geocodeFoundNoResult``.
  open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
    throw CLError(.geocodeFoundNoResult)
  }

  /// Finds nothing; `completionHandler` is called on a background queue.
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    DispatchQueue.global().async { completionHandler(nil, CLError(.geocodeFoundNoResult)) }
  }

  /// Finds nothing.
  ///
  /// - Throws: ``CLError`` with ``CLError/Code/geocodeFoundNoResult``.
  open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
    throw CLError(.geocodeFoundNoResult)
  }

  /// Finds nothing; `completionHandler` is called on a background queue.
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    DispatchQueue.global().async { completionHandler(nil, CLError(.geocodeFoundNoResult)) }
  }

  /// Does nothing: no search is ever under way.
  open func cancelGeocode() {}
}

/// A place with an address.
///
/// `@unchecked Sendable`: it never changes once it is made.
open class CLPlacemark: NSObject, NSCopying, @unchecked Sendable {
  /// Where.
  public let location: CLLocation?
  /// The area that it covers.
  open var region: CLRegion? { nil }
  /// The name of the place.
  public let name: String?
  /// The street.
  open var thoroughfare: String? { nil }
  /// The house number.
  open var subThoroughfare: String? { nil }
  /// The town.
  open var locality: String? { nil }
  /// The part of the town.
  open var subLocality: String? { nil }
  /// The state or province.
  open var administrativeArea: String? { nil }
  /// The county.
  open var subAdministrativeArea: String? { nil }
  /// The postal code.
  open var postalCode: String? { nil }
  /// The country's two letters (ISO 3166-1).
  open var isoCountryCode: String? { nil }
  /// The country.
  open var country: String? { nil }
  /// The zone.
  open var timeZone: TimeZone? { nil }

  /// A place of a name.
  init(location: CLLocation?, name: String?) {
    self.location = location
    self.name = name
  }

  /// What another placemark says.
  public init(placemark: CLPlacemark) {
    location = placemark.location
    name = placemark.name
  }

  /// The same object, for it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
