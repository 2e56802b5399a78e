import CoreLocation
public import Foundation

/// Finds places by what people write, as `CLGeocoder` does. There is no search by category.
open class MKLocalSearch: NSObject {
  /// What to search for.
  open class Request: NSObject {
    /// What the person wrote.
    open var naturalLanguageQuery: String?
    /// Places near its middle come first, unless it is empty.
    open var region = MKCoordinateRegion()
    /// The kinds of results. Changes nothing here.
    open var resultTypes: ResultType = [.address, .pointOfInterest]

    /// A request for nothing.
    public override init() {}

    /// A request for what a person wrote.
    public init(naturalLanguageQuery: String) { self.naturalLanguageQuery = naturalLanguageQuery }

    /// A request for what a person wrote, near a part of a map.
    public init(naturalLanguageQuery: String, region: MKCoordinateRegion) {
      self.naturalLanguageQuery = naturalLanguageQuery
      self.region = region
    }
  }

  /// The kinds of results.
  public struct ResultType: OptionSet, Sendable {
    /// One bit each.
    public let rawValue: UInt
    /// The kinds with these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Addresses.
    public static let address = ResultType(rawValue: 1)
    /// Shops, sights and the like.
    public static let pointOfInterest = ResultType(rawValue: 2)
    /// Mountains, rivers and the like.
    public static let physicalFeature = ResultType(rawValue: 4)
  }

  /// What was found.
  open class Response: NSObject {
    /// The places, the best first.
    public let mapItems: [MKMapItem]
    /// The part of a map with all of them.
    public let boundingRegion: MKCoordinateRegion

    init(_ items: [MKMapItem]) {
      mapItems = items
      boundingRegion = MKCoordinateRegion(around: items.map(\.location.coordinate))
    }
  }

  /// Called with what was found, or an error.
  public typealias CompletionHandler = @Sendable (Response?, (any Error)?) -> Void

  private let search = PlaceSearch()
  private let query: String
  private let region: MKCoordinateRegion

  /// A search, which has not begun.
  public init(request: Request) {
    query = request.naturalLanguageQuery ?? ""
    region = request.region
  }

  /// True during the search.
  open var isSearching: Bool { search.isRunning }

  /// Ends the search, which then fails.
  open func cancel() { search.cancel() }

  /// Searches.
  ///
  /// - Throws: ``MKError``: `placemarkNotFound` without a place, `serverFailure` if the server can't be
  ///   reached.
  nonisolated(nonsending) open func start() async throws -> Response {
    Response(try await MKLocalSearch.items(search, query, region))
  }

  /// Searches. Calls `completionHandler` on the main queue.
  open func start(completionHandler: @escaping CompletionHandler) {
    let (search, query, region) = (search, query, region)
    Task { @MainActor in
      do {
        completionHandler(Response(try await MKLocalSearch.items(search, query, region)), nil)
      } catch {
        completionHandler(nil, error)
      }
    }
  }

  nonisolated(nonsending) private static func items(
    _ search: PlaceSearch, _ query: String, _ region: MKCoordinateRegion
  ) async throws -> [MKMapItem] {
    try await search.items { geocoder in
      try await geocoder.geocodeAddressString(query, in: region.circle, preferredLocale: nil)
    }
  }
}
