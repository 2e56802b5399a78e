/// Addresses for display: in messages, in lists, in recorded command lines.
public enum AddressText {
  /// Hides passwords and tokens in `address`, which may be any text.
  ///
  /// It hides a user's password and, after a `?`, the values of names that end in `token`, `secret`,
  /// `password`, `key`, `auth`, `sig` or `signature`.
  public static func withoutSecrets(_ address: String) -> String {
    withoutPassword(address)
      .replacing(#/(?i)([?&][^=&]*(?:token|secret|password|key|auth|sig|signature)=)[^&]*/#) {
        "\($0.output.1)…"
      }
  }

  /// Hides a user's password in `address`, which may be any text.
  public static func withoutPassword(_ address: String) -> String {
    // Up to the last @, so that a password with an unescaped @ or slash stays hidden.
    address.replacing(#/(://[^/?:@]*):.*@/#) { "\($0.output.1):…@" }
  }
}
