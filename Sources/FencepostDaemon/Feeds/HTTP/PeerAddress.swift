import CLinux
import Glibc

/// Who is at the other end of a connection, as far as it matters for counting: an address of IPv4, or the network
/// of 64 bits that a household has in IPv6.
struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
  private let bytes: [UInt8]

  /// The address at `address`; `nil` for one that is of neither family.
  init?(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      bytes = (4..<8).map { raw.load(fromByteOffset: $0, as: UInt8.self) }
    case AF_INET6:
      let all = (8..<24).map { raw.load(fromByteOffset: $0, as: UInt8.self) }
      if all[..<10].allSatisfy({ $0 == 0 }), all[10] == 0xFF, all[11] == 0xFF {
        // An address of IPv4 that came over a socket of IPv6.
        bytes = Array(all[12...])
      } else if all[..<15].allSatisfy({ $0 == 0 }) {
        bytes = all
      } else {
        bytes = Array(all[..<8])
      }
    default: return nil
    }
  }

  /// Whether it is this machine.
  var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 : bytes.count == 16 && bytes[15] == 1 }

  var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let words = stride(from: 0, to: bytes.count, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return words.joined(separator: ":") + (bytes.count == 8 ? "::/64" : "")
  }
}
