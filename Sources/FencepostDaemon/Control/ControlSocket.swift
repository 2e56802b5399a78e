import CLinux
import FoundationEssentials
import Glibc
import System

/// A request to a daemon.
public enum ControlRequest: String, Sendable, CaseIterable {
  /// Get the status, a ``DaemonStatus``.
  case status
  /// Pause deliveries.
  case pause
  /// Resume deliveries.
  case resume
  /// Reload settings and store.
  case reload
  /// An address that signs a browser in once: `{"url":…,"expires":…}`.
  case web
}

/// The daemon's control socket. A request is a word and a line end; the response is a line of JSON.
public enum ControlSocket {
  /// Sends a request to the daemon at `path`.
  ///
  /// - Returns: Its answer, a line of JSON.
  /// - Throws: ``DaemonError/notRunning(_:)`` if no daemon listens, ``DaemonError/busy(_:)`` if it does not answer
  ///   within `timeout` seconds.
  public static func ask(
    _ request: ControlRequest, at path: String, timeout: Int = 10
  ) throws -> [UInt8] {
    let descriptor = try connection(to: path, timeout: timeout)
    defer { close(descriptor) }
    // If the daemon is gone, the read fails.
    try? DescriptorIO.send((request.rawValue + "\n").utf8Span.span.bytes, to: descriptor)
    guard let answer = readLine(from: descriptor, limit: 1 << 20) else { throw DaemonError.busy(path) }
    if let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(answer)) {
      throw DaemonError.refused(refusal.error)
    }
    return answer
  }

  /// The status of the daemon at `path`; `nil` if none runs.
  public static func status(at path: String, timeout: Int = 10) throws -> DaemonStatus? {
    do {
      let answer = try ask(.status, at: path, timeout: timeout)
      return try JSONDecoder().decode(DaemonStatus.self, from: Data(answer))
    } catch DaemonError.notRunning {
      return nil
    }
  }

  private struct Refusal: Decodable {
    var error: String
  }

  /// A socket that is connected to `path`.
  fileprivate static func connection(to path: String, timeout: Int = 10) throws -> Int32 {
    do {
      return try make(path) {
        // For a listener that is too busy to be connected to.
        setTimeout(of: $0, seconds: timeout)
        return connect($0, $1, $2)
      }
    } catch let failure as SystemFailure where failure.code == ENOENT || failure.code == ECONNREFUSED {
      throw DaemonError.notRunning(path)
    } catch let failure as SystemFailure where failure.code == EAGAIN {
      throw DaemonError.busy(path)
    }
  }

  /// A socket that is connected or bound to `path`.
  fileprivate static func make(
    _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw DaemonError.socketPathTooLong(path)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = try SystemFailure.check(socket(AF_UNIX, kind, 0), "make a socket")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else {
      let code = errno
      close(descriptor)
      throw SystemFailure("use the socket \(path)", code: code)
    }
    return descriptor
  }

  fileprivate static func setTimeout(of descriptor: Int32, seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// A line without its end; `nil` if it is too long, or missing.
  fileprivate static func readLine(from descriptor: Int32, limit: Int) -> [UInt8]? {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while line.count < limit {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      if let end = buffer[..<count].firstIndex(of: 0x0A) { return line + buffer[..<end] }
      line += buffer[..<count]
    }
    return nil
  }
}

/// The server of the control socket: one thread that accepts, and one for each response.
///
/// Only the daemon's user and root get a response: by the mode of the socket, and by the peer's credentials.
final class ControlServer: Sendable {
  private let path: String
  private let listener: Int32
  /// Which file it made.
  private let file: FileIdentity?
  private let answer: @Sendable (ControlRequest) -> String

  /// Listens at `path`.
  ///
  /// - Throws: Also where another daemon listens there, or a file is there that is no socket: it is left alone.
  init(path: String, answer: @escaping @Sendable (ControlRequest) -> String) throws {
    self.path = path
    self.answer = answer
    try ControlServer.makeRoom(at: path)
    // The mode is right from the first moment on.
    let mask = umask(0o177)
    defer { umask(mask) }
    listener = try ControlSocket.make(path) { bind($0, $1, $2) }
    var status = stat()
    file = lstat(path, &status) == 0 ? FileIdentity(status) : nil
    guard listen(listener, 16) == 0 else { throw SystemFailure("listen at \(path)") }
  }

  deinit {
    stop()
    close(listener)
  }

  /// Removes a stale socket at `path`, where no daemon listens.
  private static func makeRoom(at path: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw DaemonError.noSocket(path) }
    do {
      close(try ControlSocket.connection(to: path))
    } catch DaemonError.notRunning {
      unlink(path)
      return
    }
    throw DaemonError.socketInUse(path)
  }

  func start() throws(SystemFailure) { try SystemThread.start("control") { self.run() } }

  /// Removes the socket, unless another one has replaced it.
  func stop() {
    var status = stat()
    if let file, lstat(path, &status) == 0, FileIdentity(status).isSame(as: file) { unlink(path) }
  }

  private func run() {
    while true {
      let peer = clinux_accept(listener)
      if peer < 0 {
        if errno == EINTR || errno == ECONNABORTED { continue }
        // Out of descriptors, say: it passes.
        sleep(1)
        continue
      }
      // One whose answer takes its time, as that of a store that is locked does, keeps nobody else waiting.
      do {
        try SystemThread.start("answer") { self.serve(peer) }
      } catch {
        serve(peer)
      }
    }
  }

  private func serve(_ peer: Int32) {
    defer { close(peer) }
    var user = uid_t()
    var process = pid_t()
    guard clinux_peer(peer, &user, &process) == 0, user == geteuid() || user == 0 else { return }
    ControlSocket.setTimeout(of: peer, seconds: 2)
    guard let line = ControlSocket.readLine(from: peer, limit: 4_096) else { return }
    let words = String(decoding: line, as: UTF8.self)
    let text = ControlRequest(rawValue: words).map(answer) ?? #"{"error":"no such request"}"#
    // Don't wait for a closed peer.
    try? DescriptorIO.send((text + "\n").utf8Span.span.bytes, to: peer)
  }
}
