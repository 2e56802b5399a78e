import CFencepostLinux
import FencepostSystem
import FoundationEssentials
import Glibc

/// The daemon's control socket. A request is a word and a line end; the response is a line of JSON. A
/// ``PageRequest`` is the word `page` and an object; more lines follow its response (``PageConnection``). A
/// ``ControlPosition`` is the word `position` and an object.
public enum ControlSocket {
  /// Sends a request to the daemon at `path`.
  ///
  /// - Returns: Its answer, a line of JSON.
  /// - Throws: ``ControlError/notRunning(_:)`` if no daemon listens, ``ControlError/busy(_:)`` if it does not
  ///   answer within `timeout` seconds.
  public static func ask(
    _ request: ControlRequest, at path: String, timeout: Int = 10
  ) throws -> [UInt8] { try ask(request.rawValue, at: path, timeout: timeout) }

  /// Passes a position to the daemon at `path`, and waits until it is stored.
  ///
  /// - Throws: ``ControlError``.
  public static func send(_ position: ControlPosition, to path: String) throws {
    let json = String(decoding: try JSONEncoder().encode(position), as: UTF8.self)
    _ = try ask("position \(json)", at: path, timeout: 15)
  }

  /// The daemon's receivers of phones' positions.
  ///
  /// - Throws: ``ControlError``.
  public static func receivers(at path: String) throws -> ControlReceivers {
    try JSONDecoder().decode(ControlReceivers.self, from: Data(ask(.receivers, at: path)))
  }

  private static func ask(_ request: String, at path: String, timeout: Int) throws -> [UInt8] {
    let descriptor = try connection(to: path, timeout: timeout)
    defer { close(descriptor) }
    // If the daemon is gone, the read fails.
    try? DescriptorIO.send((request + "\n").utf8Span.span.bytes, to: descriptor)
    var reader = LineReader(descriptor, limit: 1 << 20)
    guard let answer = reader.next() else { throw ControlError.busy(path) }
    if let refusal = try? JSONDecoder().decode(Refusal.self, from: Data(answer)) {
      throw ControlError.refused(refusal.error)
    }
    return answer
  }

  /// The status of the daemon at `path`; `nil` if none runs.
  public static func status(at path: String, timeout: Int = 10) throws -> DaemonStatus? {
    do {
      let answer = try ask(.status, at: path, timeout: timeout)
      return try JSONDecoder().decode(DaemonStatus.self, from: Data(answer))
    } catch ControlError.notRunning {
      return nil
    }
  }

  private struct Refusal: Decodable {
    var error: String
  }

  /// A socket that is connected to `path`.
  static func connection(to path: String, timeout: Int = 10) throws -> Int32 {
    do {
      return try make(path) {
        // Connecting to a busy listener may block.
        setTimeout(of: $0, seconds: timeout)
        return connect($0, $1, $2)
      }
    } catch let failure as SystemFailure where failure.code == ENOENT || failure.code == ECONNREFUSED {
      throw ControlError.notRunning(path)
    } catch let failure as SystemFailure where failure.code == EAGAIN {
      throw ControlError.busy(path)
    }
  }

  /// A socket that is connected or bound to `path`.
  static func make(
    _ path: String, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw ControlError.pathTooLong(path)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = try SystemFailure.check(socket(AF_UNIX, kind, 0), "create a socket")
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

  static func setTimeout(of descriptor: Int32, seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }
}
