import FencepostGeodesy
import FencepostSystem
import Glibc

/// The places of an extract of OpenStreetMap in its binary form (.osm.pbf).
///
/// It reads the file up to three times: for places, for the outlines of areas, and for the positions of their
/// corners. In memory are one block of the file, the places that have an outline, and the corners of
/// outlines, all of them limited.
public struct MapPlaceFile {
  /// The limits of what is in memory.
  struct Limits {
    /// The maximum number of places; each takes some hundred bytes.
    var places = 2_000_000
    /// The maximum number of corners of outlines; each takes 16 bytes. Areas beyond are left out.
    var corners = 12_000_000
  }

  /// What was found.
  public struct Summary: Hashable, Sendable {
    /// The number of places that were given.
    public var places = 0
    /// The number of those that were left out, because their outline is not in the file, or is beyond the
    /// limit.
    public var withoutOutline = 0
  }

  private let blocks: MapBlocks
  private let limits: Limits

  /// Opens a file.
  ///
  /// - Throws: ``MapFileFailure`` if it is none.
  public init(_ path: String) throws(MapFileFailure) { try self.init(path, limits: Limits()) }

  init(_ path: String, limits: Limits) throws(MapFileFailure) {
    blocks = try MapBlocks(path)
    self.limits = limits
  }

  /// Whether a file begins as an extract in binary form does.
  public static func isLikely(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var head = [UInt8](repeating: 0, count: 15)
    let count = read(descriptor, &head, 15)
    return MapBlocks.isLikely(Array(head.prefix(max(0, count))))
  }

  /// Calls `body` with the places, some hundred or thousand at a time.
  ///
  /// Cost: about as long as reading and inflating the file two or three times.
  ///
  /// - Throws: ``MapFileFailure``, or what `body` throws.
  public func forEach(_ body: ([MapPlace]) throws -> Void) throws -> Summary {
    var summary = Summary()
    func give(_ places: [MapPlace]) throws {
      guard !places.isEmpty else { return }
      summary.places += places.count
      guard summary.places <= limits.places else {
        throw MapFileFailure(problem: .tooManyPlaces(limits.places), offset: 0)
      }
      try body(places)
    }
    var areas = Areas(limits: limits)
    try points(&areas, give)
    try readRelations(&areas)
    try locate(&areas)
    var part: [MapPlace] = []
    for index in areas.all.indices {
      guard let place = areas.place(index) else {
        summary.withoutOutline += 1
        continue
      }
      part.append(place)
      guard part.count == 1_000 else { continue }
      try give(part)
      part = []
    }
    try give(part)
    return summary
  }

  /// The first reading: gives the places that are points, and collects areas and streets.
  private func points(_ areas: inout Areas, _ give: ([MapPlace]) throws -> Void) throws {
    var failure: (any Error)?
    try forEachBlock { block throws(ProtobufReader.Damage) in
      guard failure == nil else { return }
      var places: [MapPlace] = []
      try block.forEachNode(hasTags: true) { id, latitude, longitude, tags in
        guard !tags.values.isEmpty,
          let place = tags.place("n\(id)", at: Corner(id: id, latitude, longitude).coordinate)
        else { return }
        places.append(place)
      }
      try block.forEachWay(hasTags: true) { id, nodes, tags in areas.add(way: id, nodes, tags) }
      try block.forEachArea { relation, tags in areas.add(relation, tags) }
      do { try give(places) } catch { failure = error }
      if areas.isFull { failure = MapFileFailure(problem: .tooManyPlaces(limits.places), offset: 0) }
    }
    if let failure { throw failure }
  }

  /// The second reading, if there are areas of several ways: the nodes of these ways.
  private func readRelations(_ areas: inout Areas) throws(MapFileFailure) {
    guard !areas.ways.isEmpty else { return }
    try forEachBlock { block throws(ProtobufReader.Damage) in
      try block.forEachWay(hasTags: false) { id, nodes, _ in areas.add(nodes, ofWay: id) }
    }
  }

  /// The last reading: where the corners are.
  private func locate(_ areas: inout Areas) throws(MapFileFailure) {
    guard areas.sortCorners() else { return }
    try forEachBlock { block throws(ProtobufReader.Damage) in
      try block.forEachNode(hasTags: false) { id, latitude, longitude, _ in
        areas.corners.locate(id, latitude, longitude)
      }
    }
  }

  private func forEachBlock(
    _ body: (MapBlock) throws(ProtobufReader.Damage) -> Void
  ) throws(MapFileFailure) {
    try blocks.forEach { bytes throws(MapFileFailure) in
      do throws(ProtobufReader.Damage) { try body(MapBlock(bytes)) } catch {
        throw MapFileFailure(problem: .damaged, offset: 0)
      }
    }
  }
}

/// A node of an outline.
struct Corner {
  var id: Int64
  /// In units of 10⁻⁷ degrees; no node has the smallest number.
  var latitude: Int32
  var longitude: Int32

  init(id: Int64, _ latitude: Int32 = .min, _ longitude: Int32 = .min) {
    self.id = id
    self.latitude = latitude
    self.longitude = longitude
  }

  var isLocated: Bool { latitude != .min }
  var coordinate: Coordinate {
    Coordinate(latitude: Double(latitude) / 1e7, longitude: Double(longitude) / 1e7)
  }
}

/// The nodes of outlines, by number.
struct Corners {
  var all: ContiguousArray<Corner> = []
  /// Files are in the order of numbers, so the next one is near.
  private var next = 0

  /// Sorts them, each once.
  mutating func sort() {
    all.sort { $0.id < $1.id }
    var count = 0
    for corner in all where count == 0 || all[count - 1].id != corner.id {
      all[count] = corner
      count += 1
    }
    all.removeLast(all.count - count)
  }

  private func index(of id: Int64) -> Int? {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low < all.count && all[low].id == id ? low : nil
  }

  mutating func locate(_ id: Int64, _ latitude: Int32, _ longitude: Int32) {
    if next < all.count, all[next].id == id {
      (all[next].latitude, all[next].longitude) = (latitude, longitude)
      next += 1
    } else if let found = index(of: id) {
      (all[found].latitude, all[found].longitude) = (latitude, longitude)
      next = found + 1
    }
  }

  /// The position of a node; `nil` if it is not in the file.
  func corner(_ id: Int64) -> Corner? { index(of: id).map { all[$0] }.flatMap { $0.isLocated ? $0 : nil } }
}

/// Places with an outline, and streets, until the positions of their nodes are known.
private struct Areas {
  struct Area {
    var key: String
    var tags: MapTags
    /// Its nodes in the pool.
    var nodes: Range<Int>
    /// The ways of its outline, if it has several.
    var ways: [Int64] = []
  }

  private let limits: MapPlaceFile.Limits
  private(set) var all: [Area] = []
  private var pool: ContiguousArray<Int64> = []
  /// The nodes of the ways of relations, in the pool; empty until they are read.
  private(set) var ways: [Int64: Range<Int>] = [:]
  var corners = Corners()

  init(limits: MapPlaceFile.Limits) { self.limits = limits }

  var isFull: Bool { all.count > limits.places }

  /// The place of nodes in the pool; empty beyond the limit.
  private mutating func keep(_ nodes: some Collection<Int64>) -> Range<Int> {
    guard pool.count + nodes.count <= limits.corners else { return 0..<0 }
    let start = pool.count
    pool.append(contentsOf: nodes)
    return start..<pool.count
  }

  mutating func add(way id: Int64, _ nodes: [Int64], _ tags: MapTags) {
    guard !isFull, !nodes.isEmpty else { return }
    // A street is where its middle is.
    let kept = tags.isStreet ? keep([nodes[nodes.count / 2]]) : keep(nodes)
    all.append(Area(key: "w\(id)", tags: tags, nodes: kept))
  }

  mutating func add(_ relation: MapBlock.Relation, _ tags: MapTags) {
    guard !isFull, !relation.outer.isEmpty else { return }
    for way in relation.outer { ways[way] = 0..<0 }
    all.append(Area(key: "r\(relation.id)", tags: tags, nodes: 0..<0, ways: relation.outer))
  }

  mutating func add(_ nodes: [Int64], ofWay id: Int64) {
    guard ways[id]?.isEmpty == true else { return }
    ways[id] = keep(nodes)
  }

  /// Prepares the corners to be located. False if there are none.
  mutating func sortCorners() -> Bool {
    corners.all = ContiguousArray(pool.map { Corner(id: $0) })
    corners.sort()
    return !corners.all.isEmpty
  }

  /// The place of an area: around the centre of the box of its corners; `nil` if none of them is known.
  func place(_ index: Int) -> MapPlace? {
    let area = all[index]
    let ranges = area.ways.isEmpty ? [area.nodes] : area.ways.compactMap { ways[$0] }
    let points = ranges.flatMap { pool[$0].compactMap(corners.corner) }
    guard let first = points.first else { return nil }
    var (south, north, west, east) = (first.latitude, first.latitude, Int64(0), Int64(0))
    for point in points {
      (south, north) = (min(south, point.latitude), max(north, point.latitude))
      // Over the antimeridian the shorter way counts.
      var step = Int64(point.longitude) - Int64(first.longitude)
      if step > 1_800_000_000 {
        step -= 3_600_000_000
      } else if step < -1_800_000_000 {
        step += 3_600_000_000
      }
      (west, east) = (min(west, step), max(east, step))
    }
    var longitude = Double(Int64(first.longitude) + (west + east) / 2) / 1e7
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    let centre = Coordinate(
      latitude: Double((Int64(south) + Int64(north)) / 2) / 1e7, longitude: longitude)
    let radius = points.map { Geodesic.distance(from: centre, to: $0.coordinate) }.max() ?? 0
    return area.tags.place(area.key, at: centre, radius: radius.rounded())
  }
}
