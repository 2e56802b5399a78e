import FencepostCalendarModel
import FencepostGeodesy
import FencepostPositionFeeds

/// Positions of one device as bytes of the log: a version, and 66 bytes for each position, little-endian.
///
/// Nothing is rounded, so a position is judged as if it had come to the worker itself. Other programs may
/// publish what phones send instead (OwnTracks, Overland, Traccar Client, GeoJSON): ``read(_:)`` tells by the
/// first byte.
enum FixRecord {
  private static let version: UInt8 = 1
  private static let size = 66

  /// The bytes of positions.
  static func bytes(_ fixes: some Collection<Fix>) -> [UInt8] {
    var bytes: [UInt8] = [version]
    bytes.reserveCapacity(1 + fixes.count * size)
    func add(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    for fix in fixes {
      add(fix.time.microseconds)
      for number in [
        fix.coordinate.latitude, fix.coordinate.longitude, fix.horizontalAccuracy ?? .nan,
        fix.altitude ?? .nan, fix.speed ?? .nan, fix.course ?? .nan,
      ] { add(number.bitPattern) }
      bytes.append(
        (fix.startsSegment ? 1 : 0) | (fix.isStill ? 2 : 0) | (fix.verdict?.waypoint == nil ? 0 : 4))
      bytes.append(fix.verdict.map { $0.kind.rawValue + 1 } ?? 0)
      add(fix.verdict?.waypoint?.code ?? 0)
    }
    return bytes
  }

  /// The positions in a message of the log, of device 0.
  ///
  /// - Returns: `nil` if the message can't be read.
  static func read(_ bytes: [UInt8]) -> [Fix]? {
    guard bytes.first == version else {
      return try? MessageReader(devices: DeviceRegistry()).read(bytes, of: .given("device")).fixes
    }
    guard (bytes.count - 1) % size == 0 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      var fixes: [Fix] = []
      fixes.reserveCapacity(bytes.count / size)
      for start in stride(from: 1, to: bytes.count, by: size) {
        func integer(_ offset: Int) -> Int64 {
          Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: Int64.self))
        }
        func number(_ offset: Int) -> Double { Double(bitPattern: UInt64(bitPattern: integer(offset))) }
        func optional(_ offset: Int) -> Double? {
          let value = number(offset)
          return value.isNaN ? nil : value
        }
        let (flags, kind) = (bytes[start + 56], bytes[start + 57])
        let waypoint = flags & 4 == 0 ? nil : WaypointKey(code: integer(58))
        fixes.append(
          Fix(
            device: .first, time: Instant(microseconds: integer(0)),
            coordinate: Coordinate(latitude: number(8), longitude: number(16)),
            horizontalAccuracy: optional(24), altitude: optional(32), speed: optional(40),
            course: optional(48),
            startsSegment: flags & 1 != 0,
            verdict: kind == 0
              ? nil : PhoneVerdict.Kind(rawValue: kind - 1).map { PhoneVerdict($0, of: waypoint) },
            isStill: flags & 2 != 0))
      }
      return fixes
    }
  }
}
