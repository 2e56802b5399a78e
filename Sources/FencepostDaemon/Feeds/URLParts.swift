import FoundationEssentials

/// The parts of a URL, decoded.
struct URLParts {
  /// The whole of it, with its secrets.
  var text: String
  var scheme: String
  var user: String?
  var password: String?
  var host: String?
  var port: UInt16?
  var path: String
  var query: [String: String] = [:]

  init(_ text: String) throws(AddressError) {
    // `+` and `#` are MQTT's wildcards and stand for themselves.
    guard let parts = URLComponents(string: text.replacing("#", with: "%23")),
      let scheme = parts.scheme
    else {
      throw AddressError(text, "this is no address that can be read; it looks like scheme://host/path")
    }
    if let port = parts.port, UInt16(exactly: port) == nil {
      throw AddressError(text, "\(port) is no port; ports go from 1 to 65535")
    }
    self.text = text
    self.scheme = scheme.lowercased()
    user = parts.user
    password = parts.password
    host = parts.host.flatMap { $0.isEmpty ? nil : String($0.trimmingPrefix("[").prefix { $0 != "]" }) }
    port = parts.port.flatMap { UInt16(exactly: $0) }
    path = parts.path
    for item in parts.queryItems ?? [] { query[item.name] = item.value ?? "" }
  }
}

/// An address of a feed or channel can't be understood.
public struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: the address without its secrets, and what to say instead.
  public var description: String

  init(_ address: String, _ advice: String) {
    description = "'\(AddressError.withoutSecrets(address))': \(advice)"
  }

  /// `address` without what stands where a password or a token does, be it an address or not.
  static func withoutSecrets(_ address: String) -> String {
    address
      // Up to the last @: who forgot to escape one, or a slash, in a password still has it hidden.
      .replacing(#/(://[^/?:@]*):.*@/#) { "\($0.output.1):…@" }
      .replacing(#/([?&](?:token|secret|password)=)[^&]*/#) { "\($0.output.1)…" }
  }
}
