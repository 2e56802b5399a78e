/// Writes a small map in OpenStreetMap's binary form, so that tests need no file of others.
public struct MapFileWriter {
  /// A node, with a position in degrees.
  public struct Node {
    /// Its number.
    public var id: Int64
    /// Degrees.
    public var latitude: Double
    /// Degrees.
    public var longitude: Double
    /// Its tags.
    public var tags: [String: String]

    /// A node.
    public init(_ id: Int64, _ latitude: Double, _ longitude: Double, _ tags: [String: String] = [:]) {
      (self.id, self.latitude, self.longitude, self.tags) = (id, latitude, longitude, tags)
    }
  }

  /// A way.
  public struct Way {
    /// Its number.
    public var id: Int64
    /// The numbers of its nodes.
    public var nodes: [Int64]
    /// Its tags.
    public var tags: [String: String]

    /// A way.
    public init(_ id: Int64, _ nodes: [Int64], _ tags: [String: String] = [:]) {
      (self.id, self.nodes, self.tags) = (id, nodes, tags)
    }
  }

  /// An area of several ways, with the role of each.
  public struct Area {
    /// Its number.
    public var id: Int64
    /// Its ways, each with its role.
    public var ways: [(id: Int64, role: String)]
    /// Its tags.
    public var tags: [String: String]

    /// An area.
    public init(_ id: Int64, _ ways: [(id: Int64, role: String)], _ tags: [String: String]) {
      (self.id, self.ways, self.tags) = (id, ways, tags)
    }
  }

  /// The nodes.
  public var nodes: [Node] = []
  /// The ways.
  public var ways: [Way] = []
  /// The areas.
  public var areas: [Area] = []
  /// Whether nodes are written densely, as programs do.
  public var isDense = true
  /// What a reader must know.
  public var features = ["OsmSchema-V0.6", "DenseNodes"]

  /// An empty map.
  public init() {}

  /// The file. Blocks are not compressed.
  public func bytes(_ pack: ([UInt8]) -> [UInt8] = MapFileWriter.raw) -> [UInt8] {
    var header: [UInt8] = []
    for feature in features { Self.add(4, Array(feature.utf8), to: &header) }
    return Self.block("OSMHeader", pack(header)) + Self.block("OSMData", pack(data()))
  }

  /// A blob with its content as it is.
  public static func raw(_ content: [UInt8]) -> [UInt8] {
    var blob: [UInt8] = []
    add(1, content, to: &blob)
    return blob
  }

  /// A block: the length of its header, the header, the blob.
  public static func block(_ type: String, _ blob: [UInt8]) -> [UInt8] {
    var header: [UInt8] = []
    add(1, Array(type.utf8), to: &header)
    add(3, UInt64(blob.count), to: &header)
    let count = UInt32(header.count)
    return [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
      + header + blob
  }

  // MARK: Content

  private final class Strings {
    var all: [String] = [""]
    func number(_ text: String) -> UInt64 {
      if let index = all.firstIndex(of: text) { return UInt64(index) }
      all.append(text)
      return UInt64(all.count - 1)
    }
  }

  private func data() -> [UInt8] {
    let strings = Strings()
    var groups: [[UInt8]] = []
    if isDense { groups.append(dense(strings)) } else { groups.append(single(strings)) }
    var group: [UInt8] = []
    for way in ways {
      var bytes: [UInt8] = []
      Self.add(1, UInt64(bitPattern: way.id), to: &bytes)
      Self.add(way.tags, strings, to: &bytes)
      Self.add(8, Self.packed(differencesOf: way.nodes), to: &bytes)
      Self.add(3, bytes, to: &group)
    }
    groups.append(group)
    group = []
    for area in areas {
      var bytes: [UInt8] = []
      Self.add(1, UInt64(bitPattern: area.id), to: &bytes)
      Self.add(area.tags.merging(["type": "multipolygon"]) { $1 }, strings, to: &bytes)
      Self.add(8, area.ways.flatMap { Self.varint(strings.number($0.role)) }, to: &bytes)
      Self.add(9, Self.packed(differencesOf: area.ways.map(\.id)), to: &bytes)
      Self.add(10, area.ways.flatMap { _ in Self.varint(1) }, to: &bytes)
      Self.add(4, bytes, to: &group)
    }
    groups.append(group)
    var table: [UInt8] = []
    for text in strings.all { Self.add(1, Array(text.utf8), to: &table) }
    var block: [UInt8] = []
    Self.add(1, table, to: &block)
    for group in groups { Self.add(2, group, to: &block) }
    return block
  }

  private func dense(_ strings: Strings) -> [UInt8] {
    var bytes: [UInt8] = []
    Self.add(1, Self.packed(differencesOf: nodes.map(\.id)), to: &bytes)
    Self.add(8, Self.packed(differencesOf: nodes.map { Int64(($0.latitude * 1e7).rounded()) }), to: &bytes)
    Self.add(9, Self.packed(differencesOf: nodes.map { Int64(($0.longitude * 1e7).rounded()) }), to: &bytes)
    var tags: [UInt8] = []
    for node in nodes {
      for (key, value) in node.tags.sorted(by: { $0.key < $1.key }) {
        tags += Self.varint(strings.number(key)) + Self.varint(strings.number(value))
      }
      tags.append(0)
    }
    Self.add(10, tags, to: &bytes)
    var group: [UInt8] = []
    Self.add(2, bytes, to: &group)
    return group
  }

  private func single(_ strings: Strings) -> [UInt8] {
    var group: [UInt8] = []
    for node in nodes {
      var bytes: [UInt8] = []
      Self.add(1, Self.zigzag(node.id), to: &bytes)
      Self.add(node.tags, strings, to: &bytes)
      Self.add(8, Self.zigzag(Int64((node.latitude * 1e7).rounded())), to: &bytes)
      Self.add(9, Self.zigzag(Int64((node.longitude * 1e7).rounded())), to: &bytes)
      Self.add(1, bytes, to: &group)
    }
    return group
  }

  // MARK: Protocol Buffers

  private static func add(_ tags: [String: String], _ strings: Strings, to bytes: inout [UInt8]) {
    let sorted = tags.sorted { $0.key < $1.key }
    add(2, sorted.flatMap { varint(strings.number($0.key)) }, to: &bytes)
    add(3, sorted.flatMap { varint(strings.number($0.value)) }, to: &bytes)
  }

  /// Adds a field with a number.
  public static func add(_ field: UInt64, _ value: UInt64, to bytes: inout [UInt8]) {
    bytes += varint(field << 3) + varint(value)
  }

  /// Adds a field with bytes.
  public static func add(_ field: UInt64, _ value: [UInt8], to bytes: inout [UInt8]) {
    bytes += varint(field << 3 | 2) + varint(UInt64(value.count)) + value
  }

  private static func packed(differencesOf numbers: [Int64]) -> [UInt8] {
    var (bytes, last): ([UInt8], Int64) = ([], 0)
    for number in numbers {
      bytes += varint(zigzag(number - last))
      last = number
    }
    return bytes
  }

  private static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var (rest, bytes): (UInt64, [UInt8]) = (value, [])
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// A town: a named pharmacy, a letter box, a supermarket with an outline, a park of two ways, and a
  /// street in two parts.
  public static var town: MapFileWriter {
    var map = MapFileWriter()
    map.nodes = [
      Node(1, 52.5, 13.4, ["place": "town", "name": "Testow"]),
      Node(
        2, 52.501, 13.401,
        [
          "amenity": "pharmacy", "name": "Löwen-Apotheke", "opening_hours": "Mo-Fr 08:00-18:00",
          "addr:street": "Main Street", "addr:housenumber": "5", "addr:postcode": "10115",
          "addr:city": "Testow",
        ]),
      Node(3, 52.502, 13.402, ["amenity": "post_box"]),
      Node(4, 52.503, 13.403, ["amenity": "bench", "name": "Rest"]),
      Node(5, 52.51, 13.41), Node(6, 52.51, 13.412), Node(7, 52.511, 13.412), Node(8, 52.511, 13.41),
      Node(9, 52.52, 13.42), Node(10, 52.52, 13.44), Node(11, 52.53, 13.44), Node(12, 52.53, 13.42),
    ]
    map.ways = [
      Way(20, [5, 6, 7, 8, 5], ["shop": "supermarket", "name": "Fresh", "brand": "Fresh & Co"]),
      Way(21, [9, 10, 11]), Way(22, [11, 12, 9]),
      Way(23, [1, 2, 3], ["highway": "residential", "name": "Main Street"]),
      Way(24, [3, 4, 5], ["highway": "residential", "name": "Main Street"]),
      Way(25, [5, 6], ["highway": "residential"]),
      Way(26, [900, 901], ["shop": "books", "name": "Nowhere"]),
    ]
    map.areas = [Area(30, [(21, "outer"), (22, "outer")], ["leisure": "park", "name": "Great Park"])]
    return map
  }
}
