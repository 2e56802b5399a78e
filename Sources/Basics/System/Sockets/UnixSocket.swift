import CFencepostLinux
import Glibc

/// Sockets with a path in the file system: unix(7).
public enum UnixSocket {
  /// Why a socket can't be made or used.
  public enum Failure: Error, Hashable, Sendable {
    /// The path is too long for the system.
    case pathTooLong
    /// Another program listens there.
    case inUse
    /// There is a file that is not a socket.
    case noSocket
    /// Nobody listens there.
    case nobodyListens
    /// Another reason.
    case system(SystemFailure)
  }

  /// A socket that is connected to `path`.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - timeout: The seconds after which connecting, and each read and write, fail; `nil` for no limit.
  public static func connection(to path: String, timeout: Int?) throws(Failure) -> Int32 {
    do throws(Failure) {
      return try make(path) {
        // Connecting to a busy listener may block.
        if let timeout { setTimeout(of: $0, seconds: timeout) }
        return connect($0, $1, $2)
      }
    } catch {
      if case .system(let failure) = error, failure.code == ENOENT || failure.code == ECONNREFUSED {
        throw .nobodyListens
      }
      throw error
    }
  }

  /// Makes each read and write of a socket fail after some seconds.
  public static func setTimeout(of descriptor: Int32, seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// A socket that is connected or bound to `path`.
  fileprivate static func make(
    _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(Failure) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .pathTooLong }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw .system(SystemFailure("create a socket")) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw .system(SystemFailure("use the socket \(path)", code: code))
    }
    return descriptor
  }
}

/// A listening socket that only its owner and root can connect to.
public final class UnixListener: Sendable {
  /// The path of the socket.
  public let path: String
  private let listener: Int32
  /// The socket file that it created.
  private let file: FileIdentity?
  /// Ends ``accept()`` at a socket of the system's manager, which stays open for the next process.
  private let end: WakeUp?

  /// Listens at `path`. A socket there that nobody listens at is replaced.
  public init(path: String, backlog: Int32 = 16) throws(UnixSocket.Failure) {
    self.path = path
    end = nil
    try Self.makeRoom(at: path)
    listener = try UnixSocket.make(path) {
      // The mode must be right from the start, and Linux makes the file with the mode of the socket. The umask
      // belongs to the whole process: two threads that changed it could leave it changed.
      let result = fchmod($0, 0o600)
      return result == 0 ? bind($0, $1, $2) : result
    }
    var status = stat()
    file = lstat(path, &status) == 0 ? FileIdentity(status) : nil
    guard listen(listener, backlog) == 0 else { throw .system(SystemFailure("listen at \(path)")) }
  }

  /// Listens at a socket that the system's manager made, and will give to the next process too.
  ///
  /// - Parameters:
  ///   - path: The path of the socket.
  ///   - descriptor: The socket. This object uses a copy.
  public init(path: String, inherited descriptor: Int32) throws(SystemFailure) {
    self.path = path
    let action = "listen at \(path)"
    end = try WakeUp()
    listener = try SystemFailure.check(fcntl(descriptor, F_DUPFD_CLOEXEC, 3), action)
    file = nil
    // Another process may take a peer between the wait and the accept.
    _ = fcntl(listener, F_SETFL, fcntl(listener, F_GETFL) | O_NONBLOCK)
  }

  deinit {
    remove()
    close(listener)
  }

  /// Removes a stale socket at `path` that nobody listens at.
  private static func makeRoom(at path: String) throws(UnixSocket.Failure) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw .noSocket }
    do throws(UnixSocket.Failure) {
      close(try UnixSocket.connection(to: path, timeout: 10))
    } catch .nobodyListens {
      unlink(path)
      return
    }
    throw .inUse
  }

  /// Waits for the next peer.
  ///
  /// - Returns: A descriptor to close; `nil` after ``stop()``.
  public func accept() -> Int32? {
    while true {
      if let end, Readiness.wait(for: listener, interruptedBy: end.descriptor) == .interrupted { return nil }
      let peer = clinux_accept(listener)
      if peer >= 0 { return peer }
      if errno == EAGAIN { continue }
      // After a shutdown.
      if errno == EINVAL || errno == EBADF { return nil }
      if errno == EINTR || errno == ECONNABORTED { continue }
      // For example no free descriptors. Retry later.
      sleep(1)
    }
  }

  /// Ends ``accept()``, and removes the socket, unless it is the system's manager's.
  public func stop() {
    if let end { return end.signal() }
    remove()
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// Removes the socket, unless another one has replaced it.
  public func remove() {
    var status = stat()
    if let file, lstat(path, &status) == 0, FileIdentity(status).isSame(as: file) { unlink(path) }
  }
}
