import FencepostJSON
public import FencepostSpatiotemporal

/// A sign-in that a user completes on another device (RFC 8628).
public struct DeviceAuthorization: Hashable, Sendable {
  /// What the user enters there.
  public var userCode: String
  /// Where the user enters it.
  public var address: String
  /// The address with the code in it, for a QR code; `nil` if the server gives none.
  public var completeAddress: String?
  /// When it ends.
  public var expires: Instant
  /// The secret that stands for it.
  let deviceCode: String
  /// Seconds between two questions.
  var interval: Double

  /// The longest time for a sign-in, and the longest pause, in seconds.
  private static let (longest, maximumPause) = (1_800.0, 120.0)

  /// Reads the answer of a server.
  ///
  /// - Parameters:
  ///   - now: The time of the request.
  ///   - plain: Whether addresses on this machine may do without TLS.
  /// - Throws: ``OAuthFailure`` if a part is missing or wrong.
  init(_ json: JSONValue, at now: Instant, plain: Bool) throws(OAuthFailure) {
    // Google calls it `verification_url`.
    let address = json["verification_uri"]?.text ?? json["verification_url"]?.text
    guard let address, AuthorizationServer.isUsable(address, plain: plain),
      let deviceCode = json["device_code"]?.text, !deviceCode.isEmpty, deviceCode.utf8.count <= 4_096,
      let userCode = json["user_code"]?.text, (1...64).contains(userCode.utf8.count),
      userCode.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else {
      throw OAuthFailure(.unreadable, "the authorization server's answer has no usable code")
    }
    self.address = address
    self.deviceCode = deviceCode
    self.userCode = userCode
    completeAddress = json["verification_uri_complete"]?.text.flatMap {
      AuthorizationServer.isUsable($0, plain: plain) ? $0 : nil
    }
    let seconds = json["expires_in"]?.number ?? Self.longest
    expires = now.adding(seconds: min(max(seconds, 0), Self.longest))
    interval = min(max(json["interval"]?.number ?? 5, 1), Self.maximumPause)
  }

  /// Asks less often, because the server wants that or can't be reached (section 3.5).
  mutating func slowDown() { interval = min(interval + 5, Self.maximumPause) }
}
