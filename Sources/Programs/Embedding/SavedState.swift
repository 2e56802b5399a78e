public import CFencepostEmbedding
import CFencepostZlib
import FencepostGeofencing

/// A device's state as callers keep it: a mark, the version of this form, the evaluator's bytes, and a
/// checksum (CRC-32, little-endian) of all before it.
enum SavedState {
  private static let mark: [UInt8] = Array("FPST".utf8)
  private static let version: UInt8 = 1
  /// The mark, the version and the checksum.
  private static let overhead = mark.count + 1 + 4

  /// Appends a state. A device of which nothing is known has no bytes.
  static func append(_ state: borrowing DeviceState, to bytes: inout [UInt8]) {
    if state.lastFix == nil && state.heldPosition == nil { return }
    let start = bytes.count
    bytes += mark
    bytes.append(version)
    bytes += state.encoded()
    let checksum = bytes[start...].withUnsafeBytes { Self.checksum($0) }
    withUnsafeBytes(of: checksum.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Reads a state. No bytes are a new device.
  static func read(_ bytes: UnsafeRawBufferPointer) throws(Failure) -> DeviceState {
    if bytes.isEmpty { return DeviceState() }
    guard bytes.count > overhead, bytes.prefix(mark.count).elementsEqual(mark) else {
      throw damaged("a state does not begin as one, or is too short")
    }
    guard bytes[mark.count] <= version else {
      throw Failure(
        code: FP_ERROR_VERSION,
        message: "a state has version \(bytes[mark.count]), and this library reads up to \(version)")
    }
    let end = bytes.count - 4
    let checksum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    guard bytes[mark.count] == version, Self.checksum(.init(rebasing: bytes[..<end])) == checksum else {
      throw damaged("a state's checksum is wrong")
    }
    return try decoded(bytes[(mark.count + 1)..<end])
  }

  /// Reads a state of this form, or also as a store keeps it.
  static func read(_ bytes: [UInt8], orOfStore: Bool) throws(Failure) -> DeviceState {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in
        orOfStore && !bytes.isEmpty && !bytes.starts(with: mark) ? try decoded(bytes[...]) : try read(bytes)
      }
    }.get()
  }

  private static func decoded(_ bytes: Slice<UnsafeRawBufferPointer>) throws(Failure) -> DeviceState {
    do throws(DeviceStateDecodingError) {
      return try DeviceState(decoding: bytes)
    } catch {
      throw damaged(error.description)
    }
  }

  private static func damaged(_ message: String) -> Failure {
    Failure(code: FP_ERROR_STATE, message: message)
  }

  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(crc32_z(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count))
  }
}

// MARK: The library's functions

/// See fencepost.h.
@c @implementation
public func fp_state_check(
  _ start: UnsafePointer<UInt8>?, _ length: Int, _ error: UnsafeMutablePointer<fp_error>?
) -> Int32 {
  Failure.reported(to: error) { () throws(Failure) in
    _ = try SavedState.read(bytes(start, length, "bytes"), orOfStore: false)
  }
}

/// See fencepost.h.
@c @implementation
public func fp_state_migrate(
  _ start: UnsafePointer<UInt8>?, _ length: Int, _ out: UnsafeMutablePointer<UInt8>?, _ capacity: Int,
  _ size: UnsafeMutablePointer<Int>?, _ error: UnsafeMutablePointer<fp_error>?
) -> Int32 {
  Failure.reported(to: error) { () throws(Failure) in
    guard let size else { throw .null("size") }
    size.pointee = 0
    let old = try bytes(start, length, "bytes")
    let state = try SavedState.read(old, orOfStore: true)
    var new: [UInt8] = []
    SavedState.append(state, to: &new)
    size.pointee = new.count
    guard new.count <= capacity else {
      throw Failure(code: FP_ERROR_SPACE, message: "the state takes \(new.count) bytes")
    }
    guard new.isEmpty || out != nil else { throw .null("out") }
    new.withUnsafeBufferPointer { new in
      if let base = new.baseAddress { out?.update(from: base, count: new.count) }
    }
  }
}
