import CFencepostSystemd
import Glibc

/// A listening socket that the service manager made and gave to this process: sd_listen_fds(3).
public struct InheritedSocket: Hashable, Sendable {
  /// Its descriptor.
  public var descriptor: Int32
  /// Its path.
  public var path: String

  /// The first listening Unix socket of this service; `nil` if it has none.
  public static let ofService: InheritedSocket? = {
    // Children of this process are not the service.
    let count = sd_listen_fds(1)
    guard count > 0 else { return nil }
    // SD_LISTEN_FDS_START
    return (3..<3 + count).lazy.compactMap { InheritedSocket($0) }.first
  }()

  private init?(_ descriptor: Int32) {
    guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else { return nil }
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0 else { return nil }
    self.descriptor = descriptor
    path = withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
