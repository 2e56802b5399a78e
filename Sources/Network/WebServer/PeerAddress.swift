import FencepostAddresses
import CFencepostLinux
import CFencepostMicroHTTPD
import Glibc

/// The peer of a connection for rate limits: an IPv4 address, or the 64-bit network of an IPv6 address, which
/// a household shares.
public struct PeerAddress: Hashable, Sendable, CustomStringConvertible {
  private let bytes: [UInt8]

  /// The address at `address`; `nil` for other families.
  init?(_ address: UnsafePointer<sockaddr>) {
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET: bytes = (4..<8).map { raw.load(fromByteOffset: $0, as: UInt8.self) }
    case AF_INET6:
      bytes = PeerAddress.counted((8..<24).map { raw.load(fromByteOffset: $0, as: UInt8.self) })
    default: return nil
    }
  }

  /// Parses an address with an optional port; `nil` if it is invalid.
  public init?(text: some StringProtocol) {
    var host = String(text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" })
    if host.hasPrefix("[") {
      host = HostName.withoutBrackets(host)
    } else if host.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 {
      host = String(host.prefix { $0 != ":" })
    }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, host, &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
    } else if inet_pton(AF_INET6, host, &six) == 1 {
      bytes = PeerAddress.counted(withUnsafeBytes(of: &six) { Array($0) })
    } else {
      return nil
    }
  }

  /// The counted part of the 16 bytes of an IPv6 address.
  private static func counted(_ all: [UInt8]) -> [UInt8] {
    if all[..<10].allSatisfy({ $0 == 0 }), all[10] == 0xFF, all[11] == 0xFF {
      // An IPv4 address on an IPv6 socket.
      return Array(all[12...])
    }
    return all[..<15].allSatisfy { $0 == 0 } ? all : Array(all[..<8])
  }

  /// Whether it is this machine.
  public var isLoopback: Bool { bytes.count == 4 ? bytes[0] == 127 : bytes.count == 16 && bytes[15] == 1 }

  /// The usual text form.
  public var description: String {
    if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
    let words = stride(from: 0, to: bytes.count, by: 2).map {
      String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
    }
    return words.joined(separator: ":") + (bytes.count == 8 ? "::/64" : "")
  }
}
