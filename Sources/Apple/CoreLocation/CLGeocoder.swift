import FencepostGeocoding
import FencepostGeodesy
public import Foundation
import Synchronization

/// The completion handler of a geocoder.
public typealias CLGeocodeCompletionHandler = @Sendable ([CLPlacemark]?, (any Error)?) -> Void

/// Finds places by name or address, and addresses by position.
///
/// A text can be a coordinate, or a link to a map with one. Otherwise the geocoder searches the user's saved
/// places, and the places of items in the stores that the app has open and may read. If they have no match,
/// it asks the server of the setting `geocoder`, if the user has set one. Otherwise the search fails with
/// ``CLError/Code/geocodeFoundNoResult``.
///
/// `@unchecked Sendable`: a lock guards its state. Open for apps' subclasses.
open class CLGeocoder: NSObject, @unchecked Sendable {
  private let waiting = Mutex<[UUID: CLGeocodeCompletionHandler]>([:])
  private let queue = DispatchQueue(label: "fencepost.geocoder")
  private let sources: @Sendable () -> [any PlaceSource]
  private let server: @Sendable () -> GeocodingServer?

  /// A geocoder.
  public override convenience init() {
    self.init(sources: { PlaceSources.all }, server: { GeocodingServer.configured() })
  }

  /// A geocoder that searches `sources`, and then asks `server`.
  init(
    sources: @escaping @Sendable () -> [any PlaceSource] = { [] },
    server: @escaping @Sendable () -> GeocodingServer?
  ) {
    self.sources = sources
    self.server = server
  }

  /// True during a search.
  open var isGeocoding: Bool { waiting.withLock { !$0.isEmpty } }

  /// Cancels all searches. They call back with ``CLError/Code/geocodeCanceled``.
  open func cancelGeocode() {
    let canceled = waiting.withLock { waiting in
      defer { waiting = [:] }
      return waiting.values.map { $0 }
    }
    for completion in canceled {
      DispatchQueue.global().async {
        completion(nil, CLError.make(.geocodeCanceled, "The search for a place was canceled."))
      }
    }
  }

  // MARK: By name

  /// Finds the places that match a text. Calls `completionHandler` on a background queue.
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(addressString, in: nil, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// Finds the places that match a text, first those near `region`. Calls `completionHandler` on a background
  /// queue.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    geocodeAddressString(
      addressString, in: region, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// Finds the places that match a text, first those near `region`, with addresses in a language. Calls
  /// `completionHandler` on a background queue.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let middle = (region as? CLCircularRegion)?.center.geodetic
    search(completionHandler) { [sources] server in
      var places = try Self.places(addressString, sources(), server, locale)
      if let middle {
        places.sort {
          Geodesic.distance(from: middle, to: $0.coordinate)
            < Geodesic.distance(from: middle, to: $1.coordinate)
        }
      }
      return places
    }
  }

  /// Finds the places that match a text.
  ///
  /// - Throws: ``CLError`` if the search finds nothing or is canceled, or the server can't be reached.
  open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
    try await Self.awaited { self.geocodeAddressString(addressString, completionHandler: $0) }
  }

  /// Finds the places that match a text, first those near `region`.
  ///
  /// - Throws: ``CLError`` if the search finds nothing or is canceled, or the server can't be reached.
  open func geocodeAddressString(_ addressString: String, in region: CLRegion?) async throws -> [CLPlacemark]
  {
    try await Self.awaited {
      self.geocodeAddressString(addressString, in: region, completionHandler: $0)
    }
  }

  /// Finds the places that match a text, first those near `region`, with addresses in a language.
  ///
  /// - Throws: ``CLError`` if the search finds nothing or is canceled, or the server can't be reached.
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await Self.awaited {
      self.geocodeAddressString(addressString, in: region, preferredLocale: locale, completionHandler: $0)
    }
  }

  private static func places(
    _ text: String, _ sources: [any PlaceSource], _ server: GeocodingServer?, _ locale: Locale?
  ) throws -> [GeocodedPlace] {
    if let coordinate = CoordinateText.coordinate(text) { return [GeocodedPlace(coordinate: coordinate)] }
    let known = sources.flatMap { $0.places(named: text) }
    return known.isEmpty
      ? try server?.places(named: text, language: locale?.language) ?? [] : unique(known)
  }

  // MARK: By position

  /// Finds the places at a position. Calls `completionHandler` on a background queue.
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    reverseGeocodeLocation(location, preferredLocale: nil, completionHandler: completionHandler)
  }

  /// Finds the places at a position, with addresses in a language. Calls `completionHandler` on a background
  /// queue.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?,
    completionHandler: @escaping CLGeocodeCompletionHandler
  ) {
    let point = location.coordinate.geodetic
    search(completionHandler) { [sources] server in
      guard point.isValid else { return [] }
      let known = sources().flatMap { $0.places(at: point) }
      return known.isEmpty
        ? try server?.place(at: point, language: locale?.language).map { [$0] } ?? [] : Self.unique(known)
    }
  }

  /// Finds the places at a position.
  ///
  /// - Throws: ``CLError`` if the search finds nothing or is canceled, or the server can't be reached.
  open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
    try await Self.awaited { self.reverseGeocodeLocation(location, completionHandler: $0) }
  }

  /// Finds the places at a position, with addresses in a language.
  ///
  /// - Throws: ``CLError`` if the search finds nothing or is canceled, or the server can't be reached.
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] {
    try await Self.awaited {
      self.reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0)
    }
  }

  // MARK: Searching

  /// Removes duplicates.
  private static func unique(_ places: [KnownPlace]) -> [GeocodedPlace] {
    var seen: Set<KnownPlace> = []
    return places.filter { seen.insert($0).inserted }.map {
      GeocodedPlace(coordinate: $0.coordinate, radius: $0.radius, name: $0.name)
    }
  }

  /// Searches on this geocoder's queue and calls back on another one, unless the search was canceled.
  private func search(
    _ completion: @escaping CLGeocodeCompletionHandler,
    _ find: @escaping @Sendable (GeocodingServer?) throws -> [GeocodedPlace]
  ) {
    let id = UUID()
    waiting.withLock { $0[id] = completion }
    queue.async { [self] in
      guard waiting.withLock({ $0[id] != nil }) else { return }
      let server = server()
      let found: Result<[CLPlacemark], any Error> = Result {
        do {
          let places = try find(server).map { CLPlacemark($0) }
          guard !places.isEmpty else { throw Self.nothing(server) }
          return places
        } catch let error as CLError {
          throw error
        } catch {
          throw CLError.make(.network, "The search for a place failed: \(error).")
        }
      }
      guard let completion = waiting.withLock({ $0.removeValue(forKey: id) }) else { return }
      DispatchQueue.global().async {
        switch found {
        case .success(let places): completion(places, nil)
        case .failure(let error): completion(nil, error)
        }
      }
    }
  }

  private static func nothing(_ server: GeocodingServer?) -> CLError {
    CLError.make(
      .geocodeFoundNoResult,
      server == nil
        ? "No place was found. Use a coordinate, a map link or the name of a saved place, or set a geocoding "
          + "server in Fencepost's settings ('geocoder')."
        : "No place was found.")
  }

  /// Waits for the callback of a search.
  private static func awaited(
    _ search: (@escaping CLGeocodeCompletionHandler) -> Void
  ) async throws -> [CLPlacemark] {
    try await withCheckedThrowingContinuation { continuation in
      search { places, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: places ?? [])
        }
      }
    }
  }
}

extension Locale {
  /// The language in HTTP's format: `de-DE`.
  fileprivate var language: String { identifier(.bcp47) }
}
