import FoundationEssentials

/// The authority that a server's own certificate comes from, so that a profile can make a device trust it.
enum OwnAuthority {
  /// The last certificate of a chain in PEM, as DER, if it was issued by itself. The chains of public
  /// authorities end with one that devices know the issuer of.
  static func certificate(inChain pem: String) -> Data? {
    var last: String?
    var lines: String?
    for line in pem.split(whereSeparator: \.isNewline) {
      if line.hasPrefix("-----BEGIN CERTIFICATE-----") {
        lines = ""
      } else if line.hasPrefix("-----END CERTIFICATE-----") {
        last = lines
        lines = nil
      } else {
        lines?.append(contentsOf: line.filter { !$0.isWhitespace })
      }
    }
    guard let der = last.flatMap({ Data(base64Encoded: $0) }), isIssuedByItself(Array(der)) else {
      return nil
    }
    return der
  }

  /// Whether issuer and subject of a certificate are the same (RFC 5280, section 4.1).
  private static func isIssuedByItself(_ der: [UInt8]) -> Bool {
    guard let certificate = values(der[...])?.first, let fields = values(certificate.content)?.first,
      var parts = values(fields.content)
    else { return false }
    // The version is optional; then come number, algorithm, issuer, validity and subject.
    if parts.first?.tag == 0xA0 { parts.removeFirst() }
    return parts.count > 4 && parts[2].content == parts[4].content
  }

  /// The values in DER (X.690); `nil` if a length is wrong.
  private static func values(_ der: ArraySlice<UInt8>) -> [(tag: UInt8, content: ArraySlice<UInt8>)]? {
    var values: [(tag: UInt8, content: ArraySlice<UInt8>)] = []
    var rest = der
    while let tag = rest.popFirst() {
      guard let first = rest.popFirst() else { return nil }
      var length = Int(first)
      if first >= 0x80 {
        let count = Int(first & 0x7F)
        guard (1...3).contains(count), rest.count >= count else { return nil }
        length = rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(count)
      }
      guard rest.count >= length else { return nil }
      values.append((tag, rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return values
  }
}
