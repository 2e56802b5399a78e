import FencepostGeodesy
import FencepostSpatiotemporal

/// The bytes are not a saved ``DeviceState``.
public struct DeviceStateDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let description: String
}

extension DeviceState {
  /// The version of the encoding, its first byte. Older versions can be read; they lack newer fields.
  static let encodingVersion: UInt8 = 4

  /// The state as bytes: 115 without doubts, plus 33 for each boundary in doubt. After a silence of five
  /// minutes the state before it is added.
  ///
  /// Leaves out what only saves work (how far the device may go before fences matter). Little-endian.
  public func encoded() -> [UInt8] {
    var bytes = ByteWriter()
    bytes.put(DeviceState.encodingVersion)
    bytes.put(seenRevision)
    bytes.put(lastFix)
    bytes.put(speed)
    bytes.put(maximumGap)
    bytes.put(caution)
    bytes.put(usualGap)
    bytes.put(coordinateSince.microseconds)
    bytes.put(claims.score)
    bytes.put(rest.count)
    if rest.count > 0 {
      bytes.put(rest.coordinate.latitude)
      bytes.put(rest.coordinate.longitude)
      bytes.put(rest.accuracy.isFinite ? rest.accuracy : 0)
      bytes.put(rest.since.microseconds)
    }
    bytes.put(held?.reason.encoded ?? 0)
    if let held {
      bytes.put(held.first)
      bytes.put(held.latest)
    }
    bytes.put(UInt32(truncatingIfNeeded: doubts.count))
    for doubt in doubts.sorted(by: { $0.fence < $1.fence }) {
      bytes.put(doubt.fence.rawValue)
      bytes.put(
        (doubt.believesInside ? 1 : 0) as UInt8 | (doubt.isInterpolated ? 2 : 0) | (doubt.isFirstLook ? 4 : 0)
          | (doubt.isReached ? 8 : 0)
      )
      bytes.put(doubt.evidence)
      bytes.put(doubt.secondsBeyond)
      bytes.put((doubt.ripensAt ?? .distantFuture).microseconds)
    }
    bytes.put((past == nil ? 0 : 1) as UInt8)
    if let past {
      bytes.put(past.until.microseconds)
      bytes.put(UInt32(truncatingIfNeeded: past.reported.count))
      for reported in past.reported {
        bytes.put(reported.fence.rawValue)
        bytes.put((reported.kind == .enter ? 1 : 0) as UInt8)
      }
      let state = past.state.encoded()
      bytes.put(UInt32(truncatingIfNeeded: state.count))
      for byte in state { bytes.put(byte) }
    }
    return bytes.bytes
  }

  /// Decodes what ``encoded()`` wrote.
  public init(decoding bytes: some Collection<UInt8>) throws(DeviceStateDecodingError) {
    try self.init(decoding: Array(bytes), mayHavePast: true)
  }

  fileprivate init(decoding bytes: [UInt8], mayHavePast: Bool) throws(DeviceStateDecodingError) {
    self.init()
    var reader = ByteReader(bytes)
    let version: UInt8 = try reader.read()
    guard 1...DeviceState.encodingVersion ~= version else {
      throw DeviceStateDecodingError(
        description:
          "a device's saved state has version \(version); this program reads \(DeviceState.encodingVersion)")
    }
    seenRevision = try reader.read()
    lastFix = try reader.readFix()
    // The root of a square is exactly the number, unless that is as large as no speed.
    let speed = min(try reader.readMeasure(), 1e9)
    noteSpeed(square: speed * speed, seconds: 1)
    maximumGap = try reader.readMeasure()
    caution = try reader.read()
    if version > 1 {
      usualGap = try reader.readMeasure()
      coordinateSince = version > 3 ? Instant(microseconds: try reader.read()) : lastFix?.time ?? .distantPast
      claims = ClaimHabit(score: try reader.read())
      rest = try reader.readRest()
    }
    let reason: UInt8 = try reader.read()
    if reason != 0 {
      guard let reason = Rejection(encoded: reason), let first = try reader.readFix(),
        let latest = try reader.readFix()
      else {
        throw DeviceStateDecodingError(description: "a device's saved state holds no sensible fixes back")
      }
      held = HeldFixes(reason: reason, first: first, latest: latest)
    }
    let count: UInt32 = try reader.read()
    for _ in 0..<count {
      let fence = FenceID(rawValue: try reader.read())
      let flags: UInt8 = try reader.read()
      var doubt = Doubt(fence: fence, believesInside: flags & 1 != 0, isInterpolated: flags & 2 != 0)
      doubt.isFirstLook = flags & 4 != 0
      doubt.isReached = flags & 8 != 0
      doubt.evidence = try reader.readMeasure()
      doubt.secondsBeyond = try reader.readSpan()
      if version > 1 {
        let ripensAt = Instant(microseconds: try reader.read())
        doubt.ripensAt = ripensAt == .distantFuture ? nil : ripensAt
      }
      doubts.append(doubt)
    }
    updateRipening()
    if version > 2 { past = try reader.readPast(mayBeThere: mayHavePast) }
    try reader.finish()
  }
}

extension Rejection {
  /// The two reasons to hold fixes, as a byte other than 0.
  fileprivate var encoded: UInt8 { self == .clockJump ? 1 : 2 }

  fileprivate init?(encoded: UInt8) {
    switch encoded {
    case 1: self = .clockJump
    case 2: self = .impossibleSpeed
    default: return nil
    }
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
    // An accuracy that is not finite counts as unknown; the reader would reject it.
    let accuracy = fix.accuracy.flatMap { $0.isFinite ? $0 : nil }
    put((accuracy == nil ? 1 : 3) as UInt8)
    put(fix.time.microseconds)
    put(fix.coordinate.latitude)
    put(fix.coordinate.longitude)
    if let accuracy { put(accuracy) }
  }
}

/// Reads what ``ByteWriter`` wrote.
struct ByteReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read<Value: FixedWidthInteger>(
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

  mutating func readDouble() throws(DeviceStateDecodingError) -> Double { Double(bitPattern: try read()) }

  /// A finite number, 0 or more.
  mutating func readMeasure() throws(DeviceStateDecodingError) -> Double {
    let value = Double(bitPattern: try read())
    guard value >= 0, value.isFinite else {
      throw DeviceStateDecodingError(description: "a device's saved state has \(value) for a measure")
    }
    return value
  }

  /// A finite number.
  mutating func readSpan() throws(DeviceStateDecodingError) -> Double {
    let value = try readDouble()
    guard value.isFinite else {
      throw DeviceStateDecodingError(description: "a device's saved state has \(value) for a span")
    }
    return value
  }

  mutating func readFix() throws(DeviceStateDecodingError) -> DeviceState.LastFix? {
    let flags: UInt8 = try read()
    if flags == 0 { return nil }
    let time = Instant(microseconds: try read())
    let coordinate = Coordinate(latitude: try readDouble(), longitude: try readDouble())
    let accuracy = flags == 3 ? try readDouble() : nil
    guard flags == 1 || flags == 3, coordinate.isValid, accuracy.map(\.isFinite) ?? true else {
      throw DeviceStateDecodingError(description: "a device's saved state has no sensible last fix")
    }
    return DeviceState.LastFix(time: time, coordinate: coordinate, accuracy: accuracy)
  }

  /// The state before a silence. It has no past of its own.
  mutating func readPast(mayBeThere: Bool) throws(DeviceStateDecodingError) -> DeviceState.Past? {
    guard try read(UInt8.self) != 0 else { return nil }
    guard mayBeThere else {
      throw DeviceStateDecodingError(description: "a device's saved state has a past within its past")
    }
    let until = Instant(microseconds: try read())
    var reported: [DeviceState.Past.Reported] = []
    let count: UInt32 = try read()
    for _ in 0..<count {
      let fence = FenceID(rawValue: try read())
      reported.append(.init(fence: fence, kind: try read(UInt8.self) == 1 ? .enter : .leave))
    }
    let size: UInt32 = try read()
    guard bytes.count - position >= size else {
      throw DeviceStateDecodingError(description: "a device's saved state ends too soon")
    }
    let state = try DeviceState(
      decoding: Array(bytes[position..<position + Int(size)]), mayHavePast: false)
    position += Int(size)
    return DeviceState.Past(state: state, until: until, reported: reported)
  }

  mutating func readRest() throws(DeviceStateDecodingError) -> RestPlace {
    let count: UInt8 = try read()
    if count == 0 { return .nowhere }
    let coordinate = Coordinate(latitude: try readDouble(), longitude: try readDouble())
    let accuracy = try readMeasure()
    let since = Instant(microseconds: try read())
    guard coordinate.isValid else {
      throw DeviceStateDecodingError(description: "a device's saved state has it stand nowhere")
    }
    return RestPlace(coordinate, accuracy: accuracy, since: since, count: count)
  }

  func finish() throws(DeviceStateDecodingError) {
    guard position == bytes.count else {
      throw DeviceStateDecodingError(description: "a device's saved state has bytes to spare")
    }
  }
}
