import FencepostAddresses
import FencepostWebApp

/// Where the web app's map has its streets from: the setting `streets`.
public enum StreetsChoice: Hashable, Sendable {
  /// No streets, and no question about them.
  case none
  /// The tile server of openstreetmap.org. Browsers ask it, and it learns which places they show.
  case openStreetMap
  /// An MBTiles or PMTiles file on this machine.
  case file(String)

  /// Parses `none`, `openstreetmap.org` or the path of a file, which must be readable.
  public init(_ text: String) throws {
    switch text {
    case "none": self = .none
    case "openstreetmap.org": self = .openStreetMap
    default:
      guard text.hasPrefix("/") else {
        throw AddressError(
          text, "use 'openstreetmap.org', 'none', or the absolute path of an MBTiles or PMTiles file")
      }
      _ = try TileFile.open(text)
      self = .file(text)
    }
  }

  /// As in the settings.
  var text: String {
    switch self {
    case .none: "none"
    case .openStreetMap: "openstreetmap.org"
    case .file(let path): path
    }
  }

  /// The tiles for the map; `nil` for none.
  func tiles() throws -> StreetTiles? {
    switch self {
    case .none: nil
    // Its policy asks for the notice, and for the Referer that the headers of pages with such tiles allow
    // (https://operations.osmfoundation.org/policies/tiles/).
    case .openStreetMap:
      .server(
        url: "https://tile.openstreetmap.org/{z}/{x}/{y}.png", attribution: "© OpenStreetMap contributors")
    case .file(let path): .file(try TileFile.open(path), attribution: "")
    }
  }
}
