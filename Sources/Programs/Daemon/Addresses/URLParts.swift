import FencepostWebServer
import FoundationEssentials

/// The parts of a URL before its `?`, decoded.
struct URLParts {
  var scheme: String
  var user: String?
  var password: String?
  /// Without the brackets of IPv6.
  var host: String?
  var port: UInt16?
  var path: String

  /// The part of an address before `?`.
  init(_ words: AddressWords) throws(AddressError) {
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
