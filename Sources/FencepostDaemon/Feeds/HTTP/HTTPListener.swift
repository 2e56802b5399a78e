import CLinux
import Glibc

/// A socket that listens for HTTP.
enum HTTPListener {
  /// Listens at `address`.
  ///
  /// - Throws: Also where the name stands for an address that others can reach, and no secret is asked for.
  static func open(_ address: HTTPAddress) throws -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address.host, String(address.port), &hints, &found) == 0, let first = found else {
      throw SystemFailure("find \(address.host)", code: EADDRNOTAVAIL)
    }
    defer { freeaddrinfo(first) }
    var code = EADDRNOTAVAIL
    // The first that works; of localhost, which has two, the one that more programs try.
    let all = sequence(first: first, next: { $0.pointee.ai_next }).map(\.pointee)
    for candidate in all.sorted(by: { $0.ai_family == AF_INET && $1.ai_family != AF_INET }) {
      guard let socketAddress = candidate.ai_addr else { continue }
      guard address.asksForSecret || PeerAddress(socketAddress)?.isLoopback == true else {
        throw AddressError(address.description, HTTPAddress.advice(address.host, address.port))
      }
      let kind = candidate.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(candidate.ai_family, kind, candidate.ai_protocol)
      guard descriptor >= 0 else { continue }
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
      if bind(descriptor, socketAddress, candidate.ai_addrlen) == 0, listen(descriptor, 128) == 0 {
        return descriptor
      }
      code = errno
      close(descriptor)
    }
    throw SystemFailure("listen at \(address.host):\(address.port)", code: code)
  }

  /// The port that a socket listens on.
  static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &size) == 0 else { return 0 }
        // The port stands at the same place in either family.
        return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
      }
    }
  }
}

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
