import Glibc

/// Addresses of the public network: all except those that IANA reserves for private networks, this machine,
/// groups, tests and tunnels (RFC 6890, and the registries of special-purpose addresses of IPv4 and IPv6).
public enum PublicAddress {
  /// Whether `text` is an address of the public network; `nil` if it is a name.
  public static func contains(_ text: String) -> Bool? {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: four) { isPublic(four: Array($0)) } }
    var six = in6_addr()
    if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { isPublic(six: Array($0)) } }
    return nil
  }

  /// Whether a `sockaddr` is an address of the public network.
  static func contains(_ address: UnsafeRawBufferPointer) -> Bool {
    guard address.count >= MemoryLayout<sa_family_t>.size else { return false }
    switch Int32(address.loadUnaligned(as: sa_family_t.self)) {
    // Family and port come before the address; in IPv6 also the flow.
    case AF_INET where address.count >= 8: return isPublic(four: Array(address[4..<8]))
    case AF_INET6 where address.count >= 24: return isPublic(six: Array(address[8..<24]))
    default: return false
    }
  }

  private static let special: [(network: [UInt8], bits: Int)] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
    ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
    ([203, 0, 113], 24), ([224], 3),
  ]

  private static func isPublic(four: [UInt8]) -> Bool {
    !special.contains { begins(four, with: $0.network, bits: $0.bits) }
  }

  private static func isPublic(six: [UInt8]) -> Bool {
    // Addresses of IPv4 within IPv6: mapped (RFC 4291), and by a translator (RFC 6052).
    if six[..<10].allSatisfy({ $0 == 0 }), six[10] == 0xFF, six[11] == 0xFF {
      return isPublic(four: Array(six[12...]))
    }
    if begins(six, with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96) {
      return isPublic(four: Array(six[12...]))
    }
    // Of the assigned blocks, not 2001::/23 (for example Teredo), documentation and 6to4.
    return begins(six, with: [0x20], bits: 3) && !begins(six, with: [0x20, 0x01, 0], bits: 23)
      && !begins(six, with: [0x20, 0x01, 0x0D, 0xB8], bits: 32) && !begins(six, with: [0x20, 0x02], bits: 16)
      && !begins(six, with: [0x3F, 0xFF, 0], bits: 20)
  }

  private static func begins(_ address: [UInt8], with network: [UInt8], bits: Int) -> Bool {
    for bit in 0..<bits {
      let mask: UInt8 = 0x80 >> (bit % 8)
      let wanted = bit / 8 < network.count ? network[bit / 8] : 0
      if address[bit / 8] & mask != wanted & mask { return false }
    }
    return true
  }
}
