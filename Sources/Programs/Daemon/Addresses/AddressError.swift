import FencepostInterchange

/// An invalid address of a feed or channel.
public struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: the address without secrets, and a correction.
  public var description: String

  init(_ address: String, _ advice: String) {
    description = "'\(AddressError.withoutSecrets(address))': \(advice)"
  }

  /// `address` without a password and without parameters, even if it is not valid.
  private static func withoutSecrets(_ address: String) -> String {
    let shown = AddressText.withoutPassword(address)
    return shown.contains("?") ? shown.prefix { $0 != "?" } + "?…" : shown
  }
}
