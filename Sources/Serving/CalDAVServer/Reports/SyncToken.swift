/// A position in the change log, as a URI (RFC 6578, section 4).
struct SyncToken: Equatable {
  /// The number of the last change that the client knows.
  var change: Int64
  /// If the first answer was too long: the last UID that the client knows.
  var cursor: String?

  private static let prefix = "urn:x-fencepost:sync:"

  init(change: Int64, cursor: String? = nil) {
    self.change = change
    self.cursor = cursor
  }

  /// `nil` if this server did not make the text.
  init?(_ text: String) {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let parts = text.dropFirst(Self.prefix.count).split(separator: ":", maxSplits: 1)
    guard let number = parts.first.flatMap({ Int64($0) }), number >= 0 else { return nil }
    change = number
    if parts.count > 1 {
      var bytes: [UInt8] = []
      var rest = parts[1]
      while rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) {
        bytes.append(byte)
        rest = rest.dropFirst(2)
      }
      guard rest.isEmpty else { return nil }
      cursor = String(decoding: bytes, as: UTF8.self)
    }
  }

  var text: String {
    let hexadecimal = cursor.map { cursor in
      ":" + cursor.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return "\(Self.prefix)\(change)" + (hexadecimal ?? "")
  }
}
