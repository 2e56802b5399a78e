/// Servers for meetings that the owner knows by name: every link to them is one to a meeting, whatever its form.
///
/// Some servers run programs whose addresses look like any others; ``JoinLink`` knows those by their hosts alone.
public struct JoinHosts: Hashable, Sendable {
  /// Their names, in small letters.
  public let names: [String]

  /// Hosts, each as ``host(_:)`` returns it; none by default.
  public init(_ names: [String] = []) { self.names = names }

  /// The name of a host as links have it, in small letters and without what stands around it in an address;
  /// `nil` for anything else than a host.
  public static func host(_ text: String) -> String? {
    var name = text.lowercased()[...]
    if name.hasPrefix("https://") { name = name.dropFirst("https://".count) }
    if name.hasSuffix("/") { name = name.dropLast() }
    let host = JoinLink.encoded(name)
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let isName = labels.allSatisfy { label in
      !label.isEmpty && label.utf8.count <= 200 && !label.hasPrefix("-") && !label.hasSuffix("-")
        && label.utf8.allSatisfy { byte in
          (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x25
        }
    }
    return isName && labels.count > 1 && host.utf8.count <= 255 ? host : nil
  }

  /// The service of a link to one of the hosts, or to a host below one; `nil` for other links, and for pages
  /// about the server, such as its terms.
  func service(of link: MeetingAddress) -> MeetingService? {
    let host = link.hostWithoutPort
    guard names.contains(where: { $0.lowercased() == host || host.hasSuffix("." + $0.lowercased()) }),
      link.isOfRoom
    else { return nil }
    return MeetingService.ownServers.first { $0.contains(link) }
      ?? MeetingService(name: host, hosts: [], paths: [])
  }
}
