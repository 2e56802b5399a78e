/// An address of a feed or channel can't be understood.
public struct AddressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line: the address without its secrets, and what to say instead.
  public var description: String

  init(_ address: String, _ advice: String) {
    description = "'\(AddressError.withoutSecrets(address))': \(advice)"
  }

  /// `address` without what stands where a password does, or after `?`, be it an address or not.
  private static func withoutSecrets(_ address: String) -> String {
    // Up to the last @: who forgot to escape one, or a slash, in a password still has it hidden.
    let shown = address.replacing(#/(://[^/?:@]*):.*@/#) { "\($0.output.1):…@" }
    return shown.contains("?") ? shown.prefix { $0 != "?" } + "?…" : shown
  }
}
