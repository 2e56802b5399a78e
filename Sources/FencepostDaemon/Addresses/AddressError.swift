import Interchange

/// An address of a feed or channel can't be understood.
public struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: the address without its secrets, and what to say instead.
  public var description: String

  init(_ address: String, _ advice: String) {
    description = "'\(AddressError.withoutSecrets(address))': \(advice)"
  }

  /// `address` without what stands where a password does, or after `?`, be it an address or not.
  private static func withoutSecrets(_ address: String) -> String {
    let shown = AddressText.withoutPassword(address)
    return shown.contains("?") ? shown.prefix { $0 != "?" } + "?…" : shown
  }
}
