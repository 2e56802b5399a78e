import Configuration
import Foundation
import Geocoding
package import Geodesy
import Synchronization

/// Somebody who knows places by name: EventKit's stores.
package protocol PlaceBook: AnyObject, Sendable {
  /// The places called `name`, the best first. Called on a background queue.
  func places(named name: String) -> [KnownPlace]
  /// The places that `coordinate` is in, the nearest first. Called on a background queue.
  func places(at coordinate: Coordinate) -> [KnownPlace]
}

/// A place that somebody gave a name.
package struct KnownPlace: Hashable, Sendable {
  /// What it is called.
  package var name: String
  /// Its middle.
  package var coordinate: Coordinate
  /// Metres from there to its edge.
  package var radius: Double

  /// A place.
  package init(name: String, coordinate: Coordinate, radius: Double) {
    self.name = name
    self.coordinate = coordinate
    self.radius = radius
  }
}

/// Where geocoders look: the stores that an app has open, and the server that the settings name.
package enum PlaceBooks {
  private struct Entry: Sendable {
    weak var book: (any PlaceBook)?
  }

  private static let entries = Mutex<[Entry]>([])

  /// Lets geocoders ask `book`, for as long as it lives.
  package static func add(_ book: any PlaceBook) {
    entries.withLock { entries in
      entries.removeAll { $0.book == nil }
      entries.append(Entry(book: book))
    }
  }

  static var all: [any PlaceBook] { entries.withLock { $0.compactMap(\.book) } }
}

extension GeocodingServer {
  /// The server that the setting `geocoder` names; `nil` where none is named, or the settings can't be read.
  static func configured(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> Self? {
    guard let file = try? StandardPaths(environment: environment).configuration(),
      let member = file.member("geocoder"), let address = try? file.text(of: member)
    else { return nil }
    return GeocodingServer(address)
  }
}
