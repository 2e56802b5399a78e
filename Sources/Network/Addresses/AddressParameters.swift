import FencepostAlgorithms
import FoundationEssentials

/// An address of a feed or channel with its parameters. Each part of the program takes the parameters that it
/// knows.
package struct AddressParameters {
  /// One parameter: `NAME=VALUE`.
  package struct Word: Hashable {
    package var name: String
    /// Decoded.
    package var value: String
    /// Encoded, as in the address.
    package var text: String
  }

  /// The whole address, for messages.
  package let address: String
  /// The part before `?`, with the scheme in lower case (RFC 3986, section 3.1).
  package let base: String
  /// The parameters that were not taken yet.
  package private(set) var words: [Word] = []

  package init(_ address: String) throws(AddressError) {
    self.address = address
    let mark = address.firstIndex(of: "?") ?? address.endIndex
    let scheme = address[..<mark].prefix { $0 != ":" }
    base = scheme.lowercased() + address[scheme.endIndex..<mark]
    guard mark < address.endIndex else { return }
    for text in address[address.index(after: mark)...].split(separator: "&") {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let value = parts.count > 1 ? parts[1] : ""
      guard let name = PercentEncoding.decode(parts[0]), let decoded = PercentEncoding.decode(value) else {
        throw AddressError(address, "'%' needs two hexadecimal digits after it")
      }
      words.append(Word(name: name, value: decoded, text: String(text)))
    }
  }

  /// Takes all parameters named `name` and returns their values.
  package mutating func takeAll(_ name: String) -> [String] {
    let values = words.filter { $0.name == name }.map(\.value)
    words.removeAll { $0.name == name }
    return values
  }

  /// Takes the parameter `name`; `nil` if it is missing.
  package mutating func take(_ name: String) throws(AddressError) -> String? {
    let values = takeAll(name)
    guard values.count < 2 else { throw failure("'\(name)' is given twice") }
    return values.first
  }

  /// The address with the remaining parameters.
  package var rest: String {
    words.isEmpty ? base : base + "?" + words.map(\.text).joined(separator: "&")
  }

  /// Throws if there are unknown parameters.
  package func finish(_ known: [String]) throws(AddressError) {
    guard let word = words.first else { return }
    let others =
      switch known.count {
      case 0: "this address has no parameters"
      case 1: "use \(known[0])"
      default: "use \(known.joined(separator: ", "))"
      }
    throw failure("unknown parameter '\(word.name)'; \(others)")
  }

  /// An error without values, which may be secret.
  package func failure(_ advice: String) -> AddressError { AddressError(address, advice) }
}

extension AddressParameters {
  /// Takes `waypoints=N`, the number of fences for a phone; 0 if it is missing.
  package mutating func takeWaypoints() throws(AddressError) -> Int {
    guard let text = try take("waypoints") else { return 0 }
    guard let count = Int(text), (0...100).contains(count) else {
      throw failure("invalid number of waypoints '\(text)'; use 0 to 100, or up to 20 for iPhones")
    }
    return count
  }
}

/// The parts of a URL before its `?`, decoded.
package struct URLParts {
  package var scheme: String
  package var user: String?
  package var password: String?
  /// Without the brackets of IPv6.
  package var host: String?
  package var port: UInt16?
  package var path: String

  /// The part of an address before `?`.
  package init(_ words: AddressParameters) throws(AddressError) {
    // `+` and `#` are MQTT's wildcards and stand for themselves.
    guard let parts = URLComponents(string: words.base.replacing("#", with: "%23")),
      let scheme = parts.scheme
    else {
      throw words.failure("invalid address; use scheme://host/path")
    }
    if let port = parts.port, UInt16(exactly: port) == nil {
      throw words.failure("invalid port \(port); use 1 to 65535")
    }
    self.scheme = scheme
    user = parts.user
    password = parts.password
    host = parts.host.flatMap { $0.isEmpty ? nil : HostName.withoutBrackets($0) }
    port = parts.port.flatMap { UInt16(exactly: $0) }
    path = parts.path
  }
}
