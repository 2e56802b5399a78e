import CFencepostLinux
import Glibc

/// Reads and writes descriptors. A signal does not end a call early.
public enum DescriptorIO {
  /// Reads once into `buffer`.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  public static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SystemFailure) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno != EINTR { throw SystemFailure("read") }
    }
  }

  /// Reads once into `buffer`.
  ///
  /// - Returns: The number of bytes; 0 at the end.
  public static func read(_ descriptor: Int32, into buffer: inout [UInt8]) throws(SystemFailure) -> Int {
    var bytes = buffer.mutableSpan
    return try bytes.withUnsafeMutableBytes { bytes throws(SystemFailure) in try read(descriptor, into: bytes)
    }
  }

  /// Writes all of `bytes`.
  public static func write(_ bytes: RawSpan, to descriptor: Int32) throws(SystemFailure) {
    try put(bytes) { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Writes all of `bytes` to a socket. A closed peer is an error, without SIGPIPE.
  public static func send(_ bytes: RawSpan, to socket: Int32) throws(SystemFailure) {
    try put(bytes) { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  private static func put(
    _ bytes: RawSpan, _ write: (UnsafeRawBufferPointer) -> Int
  ) throws(SystemFailure) {
    var written = 0
    while written < bytes.byteCount {
      let count = bytes.extracting(droppingFirst: written).withUnsafeBytes(write)
      if count >= 0 {
        written += count
      } else if errno != EINTR {
        throw SystemFailure("write")
      }
    }
  }
}
