import Glibc

/// The addresses at which other machines of the network can reach this one.
public enum MachineAddresses {
  /// The IPv4 addresses of this machine's networks, those of home networks (RFC 1918) first.
  ///
  /// Loopback and link-local addresses are left out, and so are the networks of containers and virtual
  /// machines on this machine, by the usual names of their interfaces.
  public static func networks() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [(address: UInt32, text: String)] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
        entry.ifa_flags & UInt32(IFF_UP) != 0, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let name = String(cString: entry.ifa_name)
      guard !["docker", "veth", "virbr", "br-", "podman", "cni", "lxc"].contains(where: name.hasPrefix) else {
        continue
      }
      var place = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
      let number = UInt32(bigEndian: place.s_addr)
      guard number >> 16 != 0xA9FE else { continue }
      var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
      guard inet_ntop(AF_INET, &place, &text, socklen_t(text.count)) != nil else { continue }
      found.append(
        (number, String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)))
    }
    return (found.filter { isPrivate($0.address) } + found.filter { !isPrivate($0.address) }).map(\.text)
  }

  /// Whether an address is of a home network (RFC 1918).
  static func isPrivate(_ address: UInt32) -> Bool {
    address >> 24 == 10 || address >> 20 == 0xAC1 || address >> 16 == 0xC0A8
  }

  /// The machine's name in the network, `NAME.local` (RFC 6762), if Avahi announces it; `nil` otherwise.
  public static func announcedName() -> String? {
    guard access("/run/avahi-daemon/socket", F_OK) == 0, let name = hostName() else { return nil }
    return name + ".local"
  }

  /// The machine's own name, without a domain.
  public static func hostName() -> String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.split(separator: ".").first.map { $0.lowercased() }
  }
}
