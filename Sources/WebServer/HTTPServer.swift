import CMicroHTTPD
import Glibc
public import System

/// A part of a server: what it takes, and where that waits for its answer.
public struct HTTPSite: Sendable {
  /// Who may ask for what.
  public let gate: any HTTPGate
  /// The requests that wait.
  public let queue: HTTPQueue

  /// A site with an empty queue.
  public init(_ gate: any HTTPGate) throws(SystemFailure) {
    self.gate = gate
    queue = try HTTPQueue()
  }
}

/// A certificate and its key, for TLS.
public struct HTTPCertificate: Hashable, Sendable {
  /// The certificate with those that it was signed by, as PEM.
  public var chain: String
  /// The private key, as PEM.
  public var key: String

  /// A certificate and its key.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}

/// An HTTP/1.1 server over libmicrohttpd: bounded in all that somebody at the other end can make it hold.
///
/// libmicrohttpd has a thread of its own, which reads requests and refuses those that no site takes; a request that is
/// whole waits, without a thread, in the queue of its site until it is answered.
///
/// A server ends when it is released. libmicrohttpd's thread reaches its ``HTTPIntake`` and never the server: a callback
/// that held the last reference to it would have that thread wait for its own end.
public final class HTTPServer: @unchecked Sendable {
  /// What a server holds at most.
  public struct Limits: Sendable {
    /// Bytes of all bodies that are at hand.
    public var bodies = 32 << 20
    /// Bytes of a request's target, and fields of its query: libmicrohttpd leaves one that does not fit in a connection's
    /// memory without an answer until its time is up.
    public var target = 16 << 10
    /// Fields of a request's query.
    public var fields = 100
    /// Connections.
    public var connections = 256
    /// Connections of one address other than this machine's.
    public var connectionsPerAddress = 32
    /// Seconds without a byte after which a connection is closed.
    public var idleSeconds: UInt32 = 15
    /// How long a request may take to arrive.
    public var timeout = Duration.seconds(30)
    /// Requests a second of one address.
    public var rate = 200.0
    /// Requests at once of one address.
    public var burst = 1_000.0
    /// How many times as often this machine may ask, where a proxy may stand for many.
    public var loopbackFactor = 25.0
    /// For how many requests one with a wrong secret counts.
    public var costOfWrongSecret = 100.0
    /// Whether a proxy on this machine says for whom it asks (X-Forwarded-For).
    public var trustsProxy = true
    /// How often pages with a stream of events are looked after: who is gone is noticed then.
    public var heartbeat = Duration.seconds(30)

    /// What usually suffices.
    public init() {}
  }

  /// The port that it listens on.
  public let port: UInt16
  private let intake: HTTPIntake
  private let daemon: OpaquePointer

  /// Serves at `listener`.
  ///
  /// - Parameters:
  ///   - listener: Where.
  ///   - certificate: For TLS; `nil` for plain HTTP.
  ///   - sites: Its parts. A request goes to the first that claims its path.
  ///   - limits: What it holds at most.
  ///   - onWrongSecret: Called, on libmicrohttpd's thread, where somebody shows a wrong secret, once an hour, with how often
  ///     it has tried since.
  public init(
    _ listener: consuming HTTPListener, certificate: HTTPCertificate? = nil, sites: [HTTPSite],
    limits: Limits = Limits(), onWrongSecret: @escaping @Sendable (PeerAddress, Int) -> Void = { _, _ in }
  ) throws(SystemFailure) {
    port = listener.port
    let descriptor = listener.descriptor
    do throws(SystemFailure) {
      intake = try HTTPIntake(sites, limits, isSecure: certificate != nil, onWrongSecret: onWrongSecret)
    } catch {
      close(descriptor)
      throw error
    }
    let daemon = cmicrohttpd_start(
      descriptor, UInt32(limits.connections), limits.idleSeconds, 32_768, certificate?.chain,
      certificate?.key, HTTPIntake.accept, HTTPIntake.target, HTTPIntake.handle, HTTPIntake.completed,
      HTTPIntake.notify, Unmanaged.passUnretained(intake).toOpaque())
    guard let daemon else {
      close(descriptor)
      throw SystemFailure(
        "serve at port \(port)",
        reason: certificate == nil ? "no memory" : "the certificate or its key is not usable")
    }
    self.daemon = daemon
    do throws(SystemFailure) {
      try SystemThread.start("http") { [intake] in intake.keepTime() }
    } catch {
      intake.close()
      MHD_stop_daemon(daemon)
      throw error
    }
  }

  /// Ends the server; what waits for an answer is told to come again.
  deinit {
    intake.close()
    MHD_stop_daemon(daemon)
  }
}
