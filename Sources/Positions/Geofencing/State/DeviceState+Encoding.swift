import FencepostGeodesy
import FencepostSpatiotemporal

/// The bytes are not a saved ``DeviceState``.
public struct DeviceStateDecodingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public let description: String
}

extension DeviceState {
  /// The version of the encoding, its first byte. Older versions can be read; they lack newer fields.
  static let encodingVersion: UInt8 = 6

  /// The state as bytes: 178 without doubts, plus 33 for each boundary in doubt. The states before the last
  /// silences of five minutes, and late positions from then, are added.
  ///
  /// Leaves out what only saves work (how far the device may go before fences matter). Little-endian. See
  /// ``changes`` for how to save a state after each fix.
  public func encoded() -> [UInt8] { encoded(withSilences: true) }

  func encoded(withSilences: Bool) -> [UInt8] {
    let pasts = withSilences ? pasts : []
    var bytes = ByteWriter()
    bytes.put(DeviceState.encodingVersion)
    bytes.put(seenRevision)
    bytes.put(lastFix)
    bytes.put(lastStep.square)
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
    bytes.put(lastStep.seconds)
    bytes.put(held?.reason.encoded ?? 0)
    if let held {
      bytes.put(held.first)
      bytes.put(held.latest)
      bytes.put((held.confirmsAt ?? .distantFuture).microseconds)
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
      bytes.put((doubt.confirmsAt ?? .distantFuture).microseconds)
    }
    bytes.put(UInt8(truncatingIfNeeded: pasts.count))
    for past in pasts { bytes.put(past.encoded(withLate: true)) }
    let hasReported = presenceRevision > seenRevision
    let isOpen = closesLateAt < .max
    bytes.put((hasReported ? 1 : 0) as UInt8 | (isOpen ? 2 : 0))
    if hasReported { bytes.put(presenceRevision) }
    if isOpen { bytes.put(closesLateAt) }
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
    // The speed; since version 5 the square of the metres of the last step.
    let measure = try reader.readMeasure()
    maximumGap = try reader.readMeasure()
    caution = try reader.read()
    if version > 1 {
      usualGap = try reader.readMeasure()
      coordinateSince = version > 3 ? Instant(microseconds: try reader.read()) : lastFix?.time ?? .distantPast
      claims = ClaimHabit(score: try reader.read())
      rest = try reader.readRest()
    }
    let seconds = version > 4 ? try reader.readMeasure() : 1
    let square = version > 4 ? measure : measure * measure
    // No device is faster, and a step takes some time.
    let isSensible = seconds > 0 && square <= 1e18 * seconds * seconds
    noteSpeed(square: isSensible ? square : 1e18, seconds: isSensible ? seconds : 1)
    let reason: UInt8 = try reader.read()
    if reason != 0 {
      guard let reason = Rejection(encoded: reason), let first = try reader.readFix(),
        let latest = try reader.readFix()
      else {
        throw DeviceStateDecodingError(description: "a device's saved state holds no sensible fixes back")
      }
      var held = HeldFixes(reason: reason, first: first, latest: latest)
      if version > 4 {
        let confirmsAt = Instant(microseconds: try reader.read())
        held.confirmsAt = confirmsAt == .distantFuture ? nil : confirmsAt
      }
      self.held = held
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
        let confirmsAt = Instant(microseconds: try reader.read())
        doubt.confirmsAt = confirmsAt == .distantFuture ? nil : confirmsAt
      }
      doubts.append(doubt)
    }
    if version > 2 { pasts = try reader.readPasts(mayBeThere: mayHavePast, version: version) }
    if version > 5 {
      let flags: UInt8 = try reader.read()
      if flags & 1 != 0 { presenceRevision = try reader.read() }
      if flags & 2 != 0 { closesLateAt = try reader.read() }
    }
    updateSettling()
    try reader.finish()
  }
}

extension DeviceState.Past {
  /// A silence as bytes, with or without the late fixes from it.
  func encoded(withLate: Bool) -> [UInt8] {
    var bytes = ByteWriter()
    bytes.put(until.microseconds)
    bytes.put(end)
    bytes.put((isOpen ? 1 : 0) as UInt8)
    bytes.put(UInt32(truncatingIfNeeded: reported.count))
    // Only the order of each fence's crossings means something; at one moment, fences cross in any order.
    let reported = reported.enumerated().sorted {
      ($0.element.fence, $0.offset) < ($1.element.fence, $1.offset)
    }
    for (_, reported) in reported {
      bytes.put(reported.fence.rawValue)
      bytes.put((reported.kind == .enter ? 1 : 0) as UInt8)
    }
    // Before its first fix a device has no state.
    let state = state.lastFix == nil ? [] : state.encoded()
    bytes.put(UInt32(truncatingIfNeeded: state.count))
    bytes.put(state)
    let late = withLate ? late : []
    bytes.put(UInt32(truncatingIfNeeded: late.count))
    for fix in late { bytes.put(fix.encodedLate) }
    return bytes.bytes
  }

  /// Decodes what ``encoded(withLate:)`` wrote.
  init(decoding bytes: [UInt8], number: Int64) throws(DeviceStateDecodingError) {
    var reader = ByteReader(bytes)
    self = try reader.readPast(version: DeviceState.encodingVersion, number: number)
    try reader.finish()
  }
}

extension Fix {
  /// What the evaluator needs of a late position. A verdict about a region was applied when it came.
  var encodedLate: [UInt8] {
    var bytes = ByteWriter()
    bytes.put(DeviceState.LastFix(time: time, coordinate: coordinate, accuracy: horizontalAccuracy))
    bytes.put((startsSegment ? 1 : 0) as UInt8 | (isStill ? 2 : 0))
    bytes.put(verdict.map { $0.kind.rawValue + 1 } ?? 0)
    bytes.put(speed ?? .nan)
    return bytes.bytes
  }

  /// Decodes what ``encodedLate`` is.
  init(decodingLate bytes: [UInt8]) throws(DeviceStateDecodingError) {
    var reader = ByteReader(bytes)
    self = try reader.readLate()
    try reader.finish()
  }
}

extension Rejection {
  /// The reasons to hold fixes, as a byte other than 0.
  fileprivate var encoded: UInt8 { self == .clockJump ? 1 : self == .unconfirmed ? 3 : 2 }

  fileprivate init?(encoded: UInt8) {
    switch encoded {
    case 1: self = .clockJump
    case 2: self = .impossibleSpeed
    case 3: self = .unconfirmed
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

  mutating func put(_ other: [UInt8]) { bytes.append(contentsOf: other) }

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

  /// The states before silences. They have no pasts of their own.
  mutating func readPasts(
    mayBeThere: Bool, version: UInt8
  ) throws(DeviceStateDecodingError) -> [DeviceState.Past] {
    var pasts: [DeviceState.Past] = []
    for number in 0..<(try read(UInt8.self)) {
      guard mayBeThere else {
        throw DeviceStateDecodingError(description: "a device's saved state has a past within its past")
      }
      pasts.append(try readPast(version: version, number: Int64(number)))
    }
    return pasts
  }

  fileprivate mutating func readPast(
    version: UInt8, number: Int64
  ) throws(DeviceStateDecodingError) -> DeviceState.Past {
    let until = Instant(microseconds: try read())
    let end = version > 5 ? try readFix() : nil
    let isOpen = version > 5 ? try read(UInt8.self) == 1 : false
    var reported: [DeviceState.Past.Reported] = []
    for _ in 0..<(try read(UInt32.self)) {
      let fence = FenceID(rawValue: try read())
      reported.append(.init(fence: fence, kind: try read(UInt8.self) == 1 ? .enter : .leave))
    }
    let size: UInt32 = try read()
    guard bytes.count - position >= size else {
      throw DeviceStateDecodingError(description: "a device's saved state ends too soon")
    }
    let state =
      size == 0
      ? DeviceState()
      : try DeviceState(decoding: Array(bytes[position..<position + Int(size)]), mayHavePast: false)
    position += Int(size)
    var past = DeviceState.Past(number: number, state: state, until: until, end: end)
    past.isOpen = isOpen
    past.reported = reported
    guard version > 4 else { return past }
    for _ in 0..<(try read(UInt32.self)) { past.late.append(try readLate()) }
    return past
  }

  /// What ``Fix/encodedLate`` is.
  fileprivate mutating func readLate() throws(DeviceStateDecodingError) -> Fix {
    guard let last = try readFix() else {
      throw DeviceStateDecodingError(
        description: "a device's saved state has a late position that can't be read")
    }
    let flags: UInt8 = try read()
    let verdict: UInt8 = try read()
    let speed = try readDouble()
    return Fix(
      time: last.time, coordinate: last.coordinate, horizontalAccuracy: last.accuracy,
      speed: speed.isNaN ? nil : speed, startsSegment: flags & 1 != 0,
      verdict: verdict == 0 ? nil : PhoneVerdict.Kind(rawValue: verdict - 1).map { PhoneVerdict($0) },
      isStill: flags & 2 != 0)
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
