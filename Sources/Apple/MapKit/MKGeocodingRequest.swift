public import CoreLocation
public import Foundation
import Synchronization

/// Finds the places that match a text, as `CLGeocoder` does: coordinates, links to maps, the user's named
/// places, and the server of the setting `geocoder`.
///
/// `@unchecked Sendable`: a lock guards its state.
open class MKGeocodingRequest: NSObject, @unchecked Sendable {
  /// The text.
  public let addressString: String
  private let search = PlaceSearch()
  private let options = Mutex<(region: MKCoordinateRegion, locale: Locale?)>((MKCoordinateRegion(), nil))

  /// A request; `nil` for an empty text.
  public init?(addressString: String) {
    guard addressString.contains(where: { !$0.isWhitespace }) else { return nil }
    self.addressString = addressString
  }

  /// Places near its middle come first, unless it is empty.
  open var region: MKCoordinateRegion {
    get { options.withLock { $0.region } }
    set { options.withLock { $0.region = newValue } }
  }

  /// The language of the result; `nil` for the user's.
  open var preferredLocale: Locale? {
    get { options.withLock { $0.locale } }
    set { options.withLock { $0.locale = newValue } }
  }

  /// True during the search.
  open var isLoading: Bool { search.isRunning }
  /// True after ``cancel()``.
  open var isCancelled: Bool { search.isCancelled }

  /// Ends the search, which then fails.
  open func cancel() { search.cancel() }

  /// The places.
  ///
  /// - Throws: ``MKError``: `placemarkNotFound` without a place, `serverFailure` if the server can't be
  ///   reached.
  nonisolated(nonsending) open var mapItems: [MKMapItem] {
    get async throws {
      let (text, region, locale) = (addressString, region, preferredLocale)
      return try await search.items { geocoder in
        try await geocoder.geocodeAddressString(text, in: region.circle, preferredLocale: locale)
      }
    }
  }

  /// Finds the places. Calls `completionHandler` on the main queue.
  open func getMapItems(completionHandler: @escaping @Sendable ([MKMapItem]?, (any Error)?) -> Void) {
    Task { @MainActor in
      do { completionHandler(try await mapItems, nil) } catch { completionHandler(nil, error) }
    }
  }
}

/// Finds the address at a position, from the user's named places and the server of the setting `geocoder`.
///
/// `@unchecked Sendable`: a lock guards its state.
open class MKReverseGeocodingRequest: NSObject, @unchecked Sendable {
  /// The position.
  public let location: CLLocation
  private let search = PlaceSearch()
  private let locale = Mutex<Locale?>(nil)

  /// A request; `nil` for an invalid position.
  public init?(location: CLLocation) {
    guard CLLocationCoordinate2DIsValid(location.coordinate) else { return nil }
    self.location = location
  }

  /// The language of the result; `nil` for the user's.
  open var preferredLocale: Locale? {
    get { locale.withLock { $0 } }
    set { locale.withLock { $0 = newValue } }
  }

  /// True during the search.
  open var isLoading: Bool { search.isRunning }
  /// True after ``cancel()``.
  open var isCancelled: Bool { search.isCancelled }

  /// Ends the search, which then fails.
  open func cancel() { search.cancel() }

  /// The places.
  ///
  /// - Throws: ``MKError``: `placemarkNotFound` without a place, `serverFailure` if the server can't be
  ///   reached.
  nonisolated(nonsending) open var mapItems: [MKMapItem] {
    get async throws {
      let (location, locale) = (location, preferredLocale)
      return try await search.items { geocoder in
        try await geocoder.reverseGeocodeLocation(location, preferredLocale: locale)
      }
    }
  }

  /// Finds the places. Calls `completionHandler` on the main queue.
  open func getMapItems(completionHandler: @escaping @Sendable ([MKMapItem]?, (any Error)?) -> Void) {
    Task { @MainActor in
      do { completionHandler(try await mapItems, nil) } catch { completionHandler(nil, error) }
    }
  }
}
