import CoreLocation
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy

/// The named places of a store, for `CLGeocoder`.
extension StoreSession: PlaceSource {
  package func places(named name: String) -> [KnownPlace] {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    return known { reader in
      let named = try reader.namedPlace(name).map { [$0] } ?? []
      return (named, try reader.places(titled: name))
    }
  }

  package func places(at coordinate: Coordinate) -> [KnownPlace] {
    known { reader in
      let named = try reader.namedPlaces().filter { place in
        place.coordinate.map { Geodesic.distance(from: $0, to: coordinate) <= Self.radius(of: place) }
          ?? false
      }
      return (named, try reader.places(near: coordinate, within: 0).map { ($0.item, $0.location) })
    }
  }

  /// The user's named places, then places of items that the app may read.
  private func known(
    _ find: (borrowing StoreReader) throws -> (
      [StructuredLocation], [(item: CalendarItem, place: StructuredLocation)]
    )
  ) -> [KnownPlace] {
    guard hasFullAccess(to: .event) || hasFullAccess(to: .reminder), let store = storeIfAny(),
      let (named, ofItems) = try? store.read(find)
    else { return [] }
    return (named + ofItems.filter { isReadable($0.item) }.map(\.place)).compactMap { place in
      place.coordinate.map { KnownPlace(name: place.title, coordinate: $0, radius: Self.radius(of: place)) }
    }
  }

  private static func radius(of place: StructuredLocation) -> Double {
    place.radius > 0 ? place.radius : StructuredLocation.defaultRadius
  }
}
