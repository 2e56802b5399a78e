/// Addresses as they may be shown: in messages, in lists, in what is kept of a command line.
public enum AddressText {
  /// `address` without what stands where a password or a token does, be it an address or not.
  ///
  /// Hidden are a user's password and, after a `?`, the values of names that end in `token`, `secret`, `password`, `key`,
  /// `auth`, `sig` or `signature`.
  public static func withoutSecrets(_ address: String) -> String {
    withoutPassword(address)
      .replacing(#/(?i)([?&][^=&]*(?:token|secret|password|key|auth|sig|signature)=)[^&]*/#) {
        "\($0.output.1)…"
      }
  }

  /// `address` without the password of a user, be it an address or not.
  public static func withoutPassword(_ address: String) -> String {
    // Up to the last @: who forgot to escape one, or a slash, in a password still has it hidden.
    address.replacing(#/(://[^/?:@]*):.*@/#) { "\($0.output.1):…@" }
  }
}
