/// An invalid address of a feed or channel.
public struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: the address without secrets, and a correction.
  public var description: String

  package init(_ address: String, _ advice: String) {
    description = "'\(AddressError.withoutSecrets(address))': \(advice)"
  }

  /// `address` without a password and without parameters, even if it is not valid.
  private static func withoutSecrets(_ address: String) -> String {
    let shown = AddressText.withoutPassword(address)
    return shown.contains("?") ? shown.prefix { $0 != "?" } + "?…" : shown
  }
}

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
