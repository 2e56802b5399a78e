import CFencepostZlib

/// Compresses answers for clients that support it: gzip (RFC 1952), by zlib.
enum Compression {
  /// Whether compression makes answers of a type smaller.
  static func isWorth(_ type: String) -> Bool {
    [
      "text/", "application/json", "application/problem+json", WebApp.jsCalendar, "application/manifest+json",
      "image/svg+xml",
    ]
    .contains { type.hasPrefix($0) } && !type.hasPrefix("text/event-stream")
  }

  /// `bytes` as gzip; `nil` without memory.
  static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 16 more than the largest window requests gzip's header.
    guard
      deflateInit2_(
        &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
        == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let isWhole = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
    }
    return isWhole ? Array(output.prefix(Int(stream.total_out))) : nil
  }
}
