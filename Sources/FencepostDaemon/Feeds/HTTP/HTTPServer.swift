import CMicroHTTPD
import Glibc
import System

/// An HTTP/1.1 server over libmicrohttpd: bounded in all that somebody at the other end can make it hold, and answered
/// by whoever calls ``next(stop:)``.
///
/// libmicrohttpd has a thread of its own, which reads requests and refuses those that are none of ours; a request
/// that is whole waits, without a thread, until it is answered.
///
/// A server belongs to one thread, and ends when it is released. libmicrohttpd's thread reaches its ``HTTPIntake`` and never
/// the server: a callback that held the last reference to it would have that thread wait for its own end.
final class HTTPServer {
  /// What a server holds at most.
  struct Limits: Sendable {
    /// Bytes of one request's body.
    var body = 4 << 20
    /// Bytes of all bodies that are at hand.
    var bodies = 32 << 20
    /// Bytes of a request's target, and fields of its query: libmicrohttpd leaves one that does not fit in a connection's
    /// memory without an answer until its time is up.
    var target = 16 << 10
    var fields = 100
    /// Connections.
    var connections = 256
    /// Connections of one address other than this machine's.
    var connectionsPerAddress = 32
    /// Seconds without a byte after which a connection is closed.
    var idleSeconds: UInt32 = 15
    /// How long a request may take to arrive.
    var timeout = Duration.seconds(30)
    /// Requests a second of one address, and at once.
    var rate = 200.0
    var burst = 1_000.0
    /// How many times as often this machine may ask, where a proxy may stand for many.
    var loopbackFactor = 25.0
    /// For how many requests one with a wrong secret counts.
    var costOfWrongSecret = 100.0
  }

  /// The port that it listens on.
  let port: UInt16
  private let intake: HTTPIntake
  private var daemon: OpaquePointer?

  /// Listens at `address`.
  ///
  /// - Parameter onWrongSecret: Called, on libmicrohttpd's thread, where somebody knows no secret, once an hour, with how
  ///   often it has tried since.
  init(
    _ address: HTTPAddress, limits: Limits = Limits(),
    onWrongSecret: @escaping @Sendable (PeerAddress, Int) -> Void = { _, _ in }
  ) throws {
    let listener = try HTTPListener.open(address)
    port = HTTPListener.port(of: listener)
    do {
      intake = try HTTPIntake(address, limits, onWrongSecret: onWrongSecret)
    } catch {
      close(listener)
      throw error
    }
    daemon = cmicrohttpd_start(
      listener, UInt32(limits.connections), limits.idleSeconds, 32_768, HTTPIntake.accept, HTTPIntake.target,
      HTTPIntake.handle, HTTPIntake.completed, HTTPIntake.notify, Unmanaged.passUnretained(intake).toOpaque())
    guard daemon != nil else {
      close(listener)
      throw SystemFailure("serve \(address)", code: ENOMEM)
    }
  }

  deinit { stop() }

  /// The requests that are at hand, at least one; waits for them. None once `stop` can be read.
  func next(stop: Int32 = -1) -> [HTTPExchange] { intake.next(stop: stop) }

  /// Answers a request.
  func answer(_ exchange: HTTPExchange, _ response: HTTPResponse) { intake.answer(exchange, response) }

  /// Too much to do: come again.
  static let busy = HTTPResponse.refusal(
    503, "the server is busy; retry later", headers: ["Retry-After": "10"])

  /// Ends the server; what waits for an answer is told to come again.
  private func stop() {
    guard let daemon else { return }
    self.daemon = nil
    intake.close()
    MHD_stop_daemon(daemon)
  }
}
