import FencepostConfiguration
import FencepostGeocoding
package import FencepostGeodesy
import Foundation
import Synchronization

/// A source of named places: EventKit's stores.
package protocol PlaceSource: AnyObject, Sendable {
  /// The places called `name`, best match first. The geocoder calls it on a background queue.
  func places(named name: String) -> [KnownPlace]
  /// The places that contain `coordinate`, nearest first. The geocoder calls it on a background queue.
  func places(at coordinate: Coordinate) -> [KnownPlace]
}

/// A place that a user has named.
package struct KnownPlace: Hashable, Sendable {
  /// Its name.
  package var name: String
  /// Its middle.
  package var coordinate: Coordinate
  /// The distance from there to its edge, in metres.
  package var radius: Double

  /// A place.
  package init(name: String, coordinate: Coordinate, radius: Double) {
    self.name = name
    self.coordinate = coordinate
    self.radius = radius
  }
}

/// The sources that geocoders search: the stores that an app has open.
package enum PlaceSources {
  private struct Entry: Sendable {
    weak var source: (any PlaceSource)?
  }

  private static let entries = Mutex<[Entry]>([])

  /// Adds `source` to the sources as long as it lives.
  package static func add(_ source: any PlaceSource) {
    entries.withLock { entries in
      entries.removeAll { $0.source == nil }
      entries.append(Entry(source: source))
    }
  }

  static var all: [any PlaceSource] { entries.withLock { $0.compactMap(\.source) } }
}

extension GeocodingServer {
  /// The server of the setting `geocoder`; `nil` if the setting is missing or the settings can't be read.
  static func configured(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Self? {
    guard let file = try? StandardPaths(environment: environment).configuration(),
      let member = file.member("geocoder"), let address = try? file.text(of: member)
    else { return nil }
    return GeocodingServer(address)
  }
}
