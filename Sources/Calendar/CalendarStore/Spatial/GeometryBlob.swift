internal import FencepostCalendarModel
internal import FencepostGeodesy

/// Geometries as SpatiaLite's BLOBs: SRID 4326, x is the longitude and y the latitude.
///
/// This room reads and writes them without SpatiaLite's SQL functions: it copies a few numbers, with 60 bytes
/// of memory instead of a parser. Source: SpatiaLite's "BLOB-Geometry" format description.
enum GeometryBlob {
  private static let wgs84: Int32 = 4326
  private static let pointType: Int32 = 1
  private static let polygonType: Int32 = 3
  private static let multiPolygonType: Int32 = 6
  /// The bytes before the geometry: marks, byte order, SRID, four bounds, type.
  private static let headerLength = 43

  /// A POINT.
  static func point(_ point: Coordinate) -> [UInt8] {
    var blob = Writer(
      west: point.longitude, south: point.latitude, east: point.longitude, north: point.latitude,
      type: pointType)
    blob.add(point)
    return blob.finished
  }

  /// A POLYGON of four corners: a box that does not span the antimeridian.
  static func box(_ box: BoundingBox) -> [UInt8] {
    var blob = Writer(
      west: box.west, south: box.south, east: box.east, north: box.north, type: polygonType)
    blob.add(
      Polygon(exterior: [
        Coordinate(latitude: box.south, longitude: box.west),
        Coordinate(latitude: box.south, longitude: box.east),
        Coordinate(latitude: box.north, longitude: box.east),
        Coordinate(latitude: box.north, longitude: box.west),
      ]))
    return blob.finished
  }

  /// A MULTIPOLYGON.
  static func outline(_ polygons: [Polygon]) -> [UInt8] {
    let vertices = polygons.flatMap(\.exterior)
    var blob = Writer(
      west: vertices.map(\.longitude).min() ?? 0, south: vertices.map(\.latitude).min() ?? 0,
      east: vertices.map(\.longitude).max() ?? 0, north: vertices.map(\.latitude).max() ?? 0,
      type: multiPolygonType)
    blob.add(polygons.count)
    for polygon in polygons {
      blob.bytes.append(0x69)
      blob.add(polygonType)
      blob.add(polygon)
    }
    return blob.finished
  }

  /// The polygons of a MULTIPOLYGON; empty for another geometry or no bytes; `nil` for bytes that
  /// ``outline(_:)`` did not write.
  static func outline(from bytes: UnsafeRawBufferPointer) -> [Polygon]? {
    guard bytes.count > headerLength else { return bytes.isEmpty ? [] : nil }
    var reader = Reader(bytes: bytes, offset: headerLength - 4)
    guard let type = reader.int32() else { return nil }
    guard type == multiPolygonType else { return [] }
    // Each polygon takes at least 9 bytes, each ring 4, each vertex 16, so a count can't request more memory
    // than the BLOB's size.
    guard let count = reader.count(ofAtLeast: 9) else { return nil }
    var polygons: [Polygon] = []
    polygons.reserveCapacity(count)
    for _ in 0..<count {
      guard reader.byte() == 0x69, reader.int32() == polygonType,
        let rings = reader.count(ofAtLeast: 4), rings > 0, let exterior = reader.ring()
      else { return nil }
      var polygon = Polygon(exterior: exterior)
      for _ in 1..<rings {
        guard let hole = reader.ring() else { return nil }
        polygon.holes.append(hole)
      }
      polygons.append(polygon)
    }
    return polygons
  }

  private struct Writer {
    var bytes: [UInt8] = [0x00, 0x01]

    init(west: Double, south: Double, east: Double, north: Double, type: Int32) {
      bytes.reserveCapacity(160)
      add(wgs84)
      for bound in [west, south, east, north] { add(bound) }
      bytes.append(0x7C)
      add(type)
    }

    mutating func add(_ value: Int32) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ count: Int) { add(Int32(clamping: count)) }

    mutating func add(_ value: Double) {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func add(_ point: Coordinate) {
      add(point.longitude)
      add(point.latitude)
    }

    /// Rings repeat their first point at the end. The model does not.
    mutating func add(_ polygon: Polygon) {
      add(1 + polygon.holes.count)
      for ring in [polygon.exterior] + polygon.holes {
        add(ring.isEmpty ? 0 : ring.count + 1)
        for vertex in ring { add(vertex) }
        if let first = ring.first { add(first) }
      }
    }

    var finished: [UInt8] { bytes + [0xFE] }
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var offset: Int

    mutating func byte() -> UInt8? {
      guard offset < bytes.count else { return nil }
      defer { offset += 1 }
      return bytes[offset]
    }

    mutating func int32() -> Int32? {
      guard bytes.count - offset >= 4 else { return nil }
      defer { offset += 4 }
      return Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
    }

    mutating func double() -> Double? {
      guard bytes.count - offset >= 8 else { return nil }
      defer { offset += 8 }
      let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      return Double(bitPattern: UInt64(littleEndian: bits))
    }

    /// The number of elements of at least `size` bytes each.
    mutating func count(ofAtLeast size: Int) -> Int? {
      guard let count = int32(), count >= 0, Int(count) <= (bytes.count - offset) / size else { return nil }
      return Int(count)
    }

    mutating func ring() -> [Coordinate]? {
      guard let count = count(ofAtLeast: 16) else { return nil }
      var ring: [Coordinate] = []
      ring.reserveCapacity(count)
      for _ in 0..<count {
        guard let longitude = double(), let latitude = double() else { return nil }
        ring.append(Coordinate(latitude: latitude, longitude: longitude))
      }
      // Remove the vertex that closes the ring.
      _ = ring.popLast()
      return ring
    }
  }
}
