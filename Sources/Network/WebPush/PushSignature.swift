import FencepostCryptography
import FencepostJSON
public import FencepostSpatiotemporal

/// The signature by which a sender of pushes says who it is (VAPID, RFC 8292): the header `Authorization`.
public enum PushSignature {
  /// The longest time for which a signature may hold (RFC 8292, section 2), and by how much clocks may
  /// differ, in seconds.
  private static let (longest, skew) = (86_400.0, 300.0)

  /// Whether a header is the signature of a sender for an endpoint.
  ///
  /// - Parameters:
  ///   - header: The value of the header; `nil` if there was none.
  ///   - sender: The public key of the sender.
  ///   - endpoint: The address that the push was for. A signature for another host is not valid.
  ///   - now: The current time.
  /// - Returns: False also for one that has expired. Cost: about a millisecond.
  public static func isValid(
    _ header: String?, by sender: [UInt8], for endpoint: String, at now: Instant
  ) -> Bool {
    guard let (token, key) = header.flatMap(parts), key == sender else { return false }
    let fields = token.split(separator: ".", omittingEmptySubsequences: false)
    guard fields.count == 3, let signature = Base64URL.decode(fields[2]),
      json(fields[0])?["alg"]?.text == "ES256", let claims = json(fields[1]),
      let expires = claims["exp"]?.number, let own = PushReach.Address(endpoint),
      let audience = claims["aud"]?.text.flatMap(PushReach.Address.init),
      // Some senders leave the port out.
      (audience.isSecure, audience.host) == (own.isSecure, own.host)
    else { return false }
    let left = expires - now.seconds(since: Instant(seconds: 0))
    guard left > -skew, left <= longest + skew else { return false }
    return EllipticKey.isSignature(signature, of: Array("\(fields[0]).\(fields[1])".utf8), by: sender)
  }

  /// The token and the key of `vapid t=…, k=…`.
  private static func parts(_ header: String) -> (token: Substring, key: [UInt8])? {
    guard header.prefix(6).lowercased() == "vapid " else { return nil }
    var parameters: [Substring: Substring] = [:]
    for parameter in header.dropFirst(6).split(separator: ",") {
      let pair = parameter.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      if pair.count == 2 { parameters[pair[0]] = pair[1].prefix { $0 != " " } }
    }
    guard let token = parameters["t"], let key = parameters["k"].flatMap({ Base64URL.decode($0) }) else {
      return nil
    }
    return (token, key)
  }

  private static func json(_ field: Substring) -> JSONValue? {
    Base64URL.decode(field).flatMap { try? JSONValue(reading: $0, maxDepth: 8) }
  }
}
