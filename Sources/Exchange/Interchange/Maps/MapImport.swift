public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostOpenStreetMap

/// The places of a map (.osm.pbf) -> the store, so that they are found without a network.
public struct MapImport: Hashable, Sendable {
  /// The number of places.
  public var places: Int
  /// The number of those without a position in the file.
  public var withoutOutline: Int

  /// Whose data it is; to be shown beside what is found.
  public static let attribution = "© OpenStreetMap contributors"

  /// Whether a file begins as a map does.
  public static func isLikely(_ path: String) -> Bool { MapPlaceFile.isLikely(path) }

  /// Imports a file in steps, so that others can write meanwhile. Nobody sees its places before all are
  /// there; then they replace those of an earlier file with the same name. What an interrupted import left
  /// goes first.
  ///
  /// - Throws: ``MapImport/Failure`` for a file that is no map, or has too many places; the store is as before then.
  public init(_ path: String, into store: CalendarStore, at now: Instant) throws {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let file: MapPlaceFile
    do throws(MapFileFailure) { file = try MapPlaceFile(path) } catch {
      throw Failure(description: "\(error)")
    }
    for old in try store.read({ try $0.maps() }) where !old.isComplete { try Self.remove(old, from: store) }
    let map = try store.write { try $0.beginMap(name, at: now) }
    do {
      let summary = try file.forEach { places in
        // A loss of power may revert a part: the map is not complete then.
        try store.write(isDurable: false) { try $0.add(places.map(StoredMapPlace.init), toMap: map) }
      }
      guard summary.places > 0 else { throw Failure(description: "has no place with a name") }
      (places, withoutOutline) = (summary.places, summary.withoutOutline)
    } catch {
      if let begun = try? store.read({ try $0.maps() }).first(where: { $0.number == map }) {
        try? Self.remove(begun, from: store)
      }
      if let failure = error as? MapFileFailure { throw Failure(description: "\(failure)") }
      throw error
    }
    let old = try store.read { try $0.maps() }.filter { $0.name == name && $0.number != map }
    try store.write { writer in
      try writer.setMap(map, isComplete: true)
      for one in old { try writer.setMap(one.number, isComplete: false) }
    }
    for one in old { try Self.remove(one, from: store) }
  }

  /// Why a file was not imported: one line without its name.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error message.
    public var description: String
  }

  /// Removes a map in steps. It is hidden at once.
  public static func remove(_ map: StoredMap, from store: CalendarStore) throws {
    try store.write { try $0.setMap(map.number, isComplete: false) }
    try store.writeInSteps { try $0.removePart(ofMap: map.number) }
  }
}

extension StoredMapPlace {
  fileprivate init(_ place: MapPlace) {
    self.init(
      key: place.key, name: place.name, kind: place.kind, coordinate: place.coordinate, radius: place.radius,
      address: place.address, openingHours: place.openingHours, words: place.words)
  }
}
