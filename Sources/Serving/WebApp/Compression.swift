import CFencepostZlib

/// Compresses answers for clients that support it: gzip (RFC 1952), by zlib.
enum Compression {
  /// Whether compression makes answers of a type smaller.
  static func isWorth(_ type: String) -> Bool {
    [
      "text/", "application/json", "application/problem+json", WebApp.jsCalendar, "application/manifest+json",
      "image/svg+xml", TileFormat.vector.mediaType,
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

  /// Whether `bytes` begin as gzip does.
  static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 0x08]) }

  /// The content of gzip; `nil` if it is damaged, or has more bytes than `limit`.
  static func inflated(_ bytes: [UInt8], atMost limit: Int) -> [UInt8]? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      var output: [UInt8] = []
      var status = Z_OK
      // A little at a time: some bytes can be as many as a thousand times more.
      while status == Z_OK, output.count <= limit {
        let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
          stream.next_out = buffer.baseAddress
          stream.avail_out = UInt32(buffer.count)
          status = inflate(&stream, Z_NO_FLUSH)
          count = buffer.count - Int(stream.avail_out)
        }
        output += piece
      }
      return status == Z_STREAM_END && output.count <= limit ? output : nil
    }
  }
}
