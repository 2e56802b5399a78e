public import CalendarModel
public import Geodesy

/// Bytes that are no saved ``DeviceState``.
public struct DeviceStateDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let description: String
}

extension DeviceState {
  /// The version of the encoding, its first byte.
  static let encodingVersion: UInt8 = 1

  /// The state as bytes, to be saved: some 50 of them, and some 50 more for each fence in doubt.
  ///
  /// What only saves work (how far the device may go before fences matter) is left out. Little-endian.
  public func encoded() -> [UInt8] {
    var bytes = ByteWriter()
    bytes.put(DeviceState.encodingVersion)
    bytes.put(seenRevision)
    bytes.put(lastFix)
    return bytes.bytes
  }

  /// The state that ``encoded()`` made `bytes` of.
  public init(decoding bytes: some Collection<UInt8>) throws(DeviceStateDecodingError) {
    var reader = ByteReader(Array(bytes))
    let version: UInt8 = try reader.take()
    guard version == DeviceState.encodingVersion else {
      throw DeviceStateDecodingError(
        description:
          "a device's saved state has version \(version); this program reads \(DeviceState.encodingVersion)")
    }
    seenRevision = try reader.take()
    lastFix = try reader.takeFix()
    try reader.finish()
  }
}

/// Appends integers, little-endian.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func put(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func put(_ value: Double) { put(value.bitPattern) }

  mutating func put(_ fix: DeviceState.LastFix?) {
    guard let fix else { return put(0 as UInt8) }
    put((fix.accuracy == nil ? 1 : 3) as UInt8)
    put(fix.time.microseconds)
    put(fix.coordinate.latitude)
    put(fix.coordinate.longitude)
    if let accuracy = fix.accuracy { put(accuracy) }
  }
}

/// Reads what ``ByteWriter`` wrote.
struct ByteReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func take<Value: FixedWidthInteger>(
    _: Value.Type = Value.self
  ) throws(DeviceStateDecodingError) -> Value {
    let size = MemoryLayout<Value>.size
    guard bytes.count - position >= size else {
      throw DeviceStateDecodingError(description: "a device's saved state ends too soon")
    }
    var value: Value = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: bytes[position..<position + size]) }
    position += size
    return Value(littleEndian: value)
  }

  mutating func takeDouble() throws(DeviceStateDecodingError) -> Double { Double(bitPattern: try take()) }

  mutating func takeFix() throws(DeviceStateDecodingError) -> DeviceState.LastFix? {
    let flags: UInt8 = try take()
    if flags == 0 { return nil }
    let time = Instant(microseconds: try take())
    let coordinate = Coordinate(latitude: try takeDouble(), longitude: try takeDouble())
    let accuracy = flags == 3 ? try takeDouble() : nil
    guard flags == 1 || flags == 3, coordinate.isValid, accuracy.map(\.isFinite) ?? true else {
      throw DeviceStateDecodingError(description: "a device's saved state has no sensible last fix")
    }
    return DeviceState.LastFix(time: time, coordinate: coordinate, accuracy: accuracy)
  }

  func finish() throws(DeviceStateDecodingError) {
    guard position == bytes.count else {
      throw DeviceStateDecodingError(description: "a device's saved state has bytes to spare")
    }
  }
}
