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
    do throws(UnixSocket.Failure) {
      return try UnixSocket.connection(to: path, timeout: timeout)
    } catch {
      throw ControlError.of(error, at: path)
    }
  }
}

extension ControlError {
  /// The error for a failure of the socket at `path`.
  static func of(_ failure: UnixSocket.Failure, at path: String) -> any Error {
    switch failure {
    case .pathTooLong: ControlError.pathTooLong(path)
    case .inUse: ControlError.inUse(path)
    case .noSocket: ControlError.noSocket(path)
    case .nobodyListens: ControlError.notRunning(path)
    case .system(let failure): failure.code == EAGAIN ? ControlError.busy(path) : failure
    }
  }
}
