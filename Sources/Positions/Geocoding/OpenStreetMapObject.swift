/// A node, way or relation of OpenStreetMap, as a link names it: `https://www.openstreetmap.org/node/240109189`.
///
/// Such a link has no coordinate; a server knows it (``GeocodingServer/place(of:language:)``).
public struct OpenStreetMapObject: Hashable, Sendable, CustomStringConvertible {
  /// The kind of an object.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case node, way, relation
  }

  /// Its kind.
  public let kind: Kind
  /// Its number.
  public let number: Int64

  /// The object of a link; `nil` for other texts, and for links that have a coordinate too.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count <= CoordinateText.maxBytes, case .none = CoordinateText.read(text) else {
      return nil
    }
    let link = text.split(separator: "://", maxSplits: 1).last ?? ""
    let parts = link.prefix { $0 != "?" && $0 != "#" && !$0.isWhitespace }.split(separator: "/")
    guard parts.count >= 3, MapLink.isOpenStreetMap(host: parts[0].lowercased()),
      let kind = Kind(rawValue: parts[1].lowercased()), let number = Int64(parts[2]), number > 0
    else { return nil }
    self.kind = kind
    self.number = number
  }

  /// Its name for Nominatim's `lookup`: `N240109189`.
  var lookupName: String { kind.rawValue.prefix(1).uppercased() + "\(number)" }

  /// `node 240109189`.
  public var description: String { "\(kind.rawValue) \(number)" }
}
