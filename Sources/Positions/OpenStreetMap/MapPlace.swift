public import FencepostGeodesy

/// Something in OpenStreetMap that people go to: a shop, a stop, a town, a street.
public struct MapPlace: Hashable, Sendable {
  /// Its key there: `n`, `w` or `r` for a node, a way or a relation, and its number.
  public var key: String
  /// Its name; `nil` for one that only its kind tells, such as a letter box.
  public var name: String?
  /// What it is: the tag, as `shop=supermarket`.
  public var kind: String
  /// The centre.
  public var coordinate: Coordinate
  /// Metres from the centre to the farthest point of its outline; 0 for a point and a street.
  public var radius: Double
  /// Its address in a line; `nil` if it has none.
  public var address: String?
  /// When it is open, in OpenStreetMap's form; `nil` if nobody wrote it.
  public var openingHours: String?
  /// What else it is found by: other names, its brand, the words for its kind.
  public var words: String
}

/// The tags of one thing, as far as they matter here.
struct MapTags {
  private(set) var values: [String: String] = [:]

  /// The keys that are read.
  static let keys = Set(
    PlaceKinds.keys + others + addressParts + ["name", "opening_hours", "type", "addr:country"])
  private static let others = [
    "name:en", "name:de", "alt_name", "old_name", "short_name", "official_name", "loc_name", "brand",
    "operator", "ref",
  ]
  private static let addressParts = ["addr:street", "addr:housenumber", "addr:postcode", "addr:city"]
  /// Bytes; OpenStreetMap's own limit is 255 characters.
  private static let maximumText = 1_020

  subscript(key: String) -> String? { values[key] }

  mutating func add(_ key: String, _ value: String) {
    guard value.utf8.count <= Self.maximumText else { return }
    let text = value.filter { !$0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } }
    if !text.isEmpty { values[key] = text }
  }

  /// What it is, as key and value; `nil` for what is no place.
  var kind: (key: String, value: String)? {
    for key in PlaceKinds.keys {
      guard let value = values[key], !PlaceKinds.excluded.contains(value) else { continue }
      if key == "highway", PlaceKinds.streets.contains(value) {
        return values["name"] == nil ? nil : (key, value)
      }
      if values["name"] != nil || PlaceKinds.words[value] != nil { return (key, value) }
    }
    return nil
  }

  /// Whether it is a part of a street.
  var isStreet: Bool { kind.map { $0.key == "highway" && PlaceKinds.streets.contains($0.value) } ?? false }

  /// A place of these tags; `nil` for what is no place.
  func place(_ key: String, at coordinate: Coordinate, radius: Double = 0) -> MapPlace? {
    guard let kind else { return nil }
    var words = Self.others.compactMap { values[$0] } + [PlaceKinds.words[kind.value] ?? kind.value]
    words += Self.addressParts.prefix(1).compactMap { values[$0] } + (values["addr:city"].map { [$0] } ?? [])
    return MapPlace(
      key: key, name: values["name"], kind: "\(kind.key)=\(kind.value)", coordinate: coordinate,
      radius: radius,
      address: address, openingHours: values["opening_hours"], words: words.joined(separator: " "))
  }

  private var address: String? {
    func joined(_ keys: [String]) -> String { keys.compactMap { values[$0] }.joined(separator: " ") }
    let street = values["addr:street"] == nil ? "" : joined(["addr:street", "addr:housenumber"])
    let parts = [street, joined(["addr:postcode", "addr:city"])].filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
