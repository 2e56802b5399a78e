/// This program as an authorization server knows it: the user's own registration (RFC 6749, section 2).
public struct OAuthClient: Hashable, Sendable {
  /// The client ID.
  public var id: String
  /// The client secret, if the registration has one.
  public var secret: String?

  /// A registration.
  ///
  /// - Throws: ``OAuthFailure`` if a part is empty or has other characters than visible ASCII and spaces.
  public init(id: String, secret: String? = nil) throws(OAuthFailure) {
    for part in [id, secret].compactMap(\.self) {
      guard !part.isEmpty, part.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        throw OAuthFailure(
          .unusable, "a client ID and its secret are one line of letters, digits and punctuation")
      }
    }
    self.id = id
    self.secret = secret
  }
}
