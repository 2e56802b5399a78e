import CFencepostLinux
import CFencepostMicroHTTPD
import FencepostAddresses
public import FencepostSystem
import Glibc

/// A part of a server, with its own gate and queue.
public struct HTTPSite: Sendable {
  /// Decides which requests are allowed.
  public let gate: any HTTPGate
  /// The waiting requests.
  public let queue: HTTPQueue

  /// A site with an empty queue.
  public init(_ gate: any HTTPGate) throws(SystemFailure) {
    self.gate = gate
    queue = try HTTPQueue()
  }
}

/// A certificate and its key, for TLS.
public struct HTTPCertificate: Hashable, Sendable {
  /// The certificate and its chain, as PEM.
  public var chain: String
  /// The private key, as PEM.
  public var key: String

  /// A certificate and its key.
  public init(chain: String, key: String) {
    self.chain = chain
    self.key = key
  }
}

/// An HTTP/1.1 server over libmicrohttpd. All memory and connections that clients can use are limited.
///
/// libmicrohttpd's own thread reads requests and refuses those that no site allows. A complete request waits
/// in the queue of its site until it is answered, without a thread.
///
/// A server ends when it is released. libmicrohttpd's thread uses the ``HTTPIntake`` and never the server: a
/// callback with the last reference to the server would make that thread wait for its own end.
public final class HTTPServer: @unchecked Sendable {
  /// The limits of a server.
  public struct Limits: Sendable {
    /// The bytes of all bodies in memory.
    public var bodies = 32 << 20
    /// The bytes of a request's target. libmicrohttpd answers nothing to a target beyond a connection's
    /// memory, until the timeout.
    public var target = 16 << 10
    /// The number of query fields.
    public var fields = 100
    /// The number of connections.
    public var connections = 256
    /// The number of connections from one address, except this machine's.
    public var connectionsPerAddress = 32
    /// The seconds without a byte after which a connection is closed.
    public var idleSeconds: UInt32 = 15
    /// The time limit for a request to arrive.
    public var timeout = Duration.seconds(30)
    /// The requests per second from one address.
    public var rate = 200.0
    /// The burst of requests from one address.
    public var burst = 1_000.0
    /// The factor for requests from this machine, because a proxy may forward requests of many clients: more than
    /// a server can answer.
    public var loopbackFactor = 250.0
    /// The factor for wrong secrets from this machine.
    public var loopbackGuesses = 25.0
    /// The number of requests that one with a wrong secret counts as.
    public var costOfWrongSecret = 100.0
    /// The bytes of bodies that one client may send at once, beyond ``clientByteRate``.
    public var clientBytes = 64.0 * 1_048_576
    /// The bytes of bodies per second that one client may send for long.
    public var clientByteRate = 1.0 * 1_048_576
    /// Whether to trust a proxy on this machine to report its clients (X-Forwarded-For).
    public var trustsProxy = true
    /// The names for which that proxy answers over TLS: requests for them are secure.
    public var proxiedHosts: [String] = []
    /// The interval of comments in event streams, which detect pages whose network is gone.
    public var heartbeat = Duration.seconds(30)

    /// The defaults.
    public init() {}
  }

  /// The port of the server.
  public let port: UInt16
  private let intake: HTTPIntake
  private let daemon: OpaquePointer

  /// Starts a server at `listener`.
  ///
  /// - Parameters:
  ///   - listener: The listening socket.
  ///   - certificate: The certificate for TLS; `nil` for plain HTTP.
  ///   - sites: The sites. A request goes to the first one that claims its path.
  ///   - limits: The limits.
  ///   - onWrongSecret: Called for wrong secrets, once an hour for each sender, with the number of attempts
  ///     since the last call. It runs on libmicrohttpd's thread.
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
      // libmicrohttpd closes it after some failures and not after others. By then its number may belong to
      // another file.
      if HTTPListener.port(of: descriptor) == port { close(descriptor) }
      throw SystemFailure(
        "serve at port \(port)",
        reason: certificate == nil ? "no memory" : "the certificate or its key is not usable")
    }
    self.daemon = daemon
    do throws(SystemFailure) {
      try SystemThread.start("http") { [intake] in intake.enforceDeadlines() }
    } catch {
      intake.close()
      MHD_stop_daemon(daemon)
      throw error
    }
  }

  /// Ends listening, and hands the socket to another server. Requests that have begun are still answered, and
  /// their connections end with the answer; those without a request end now.
  ///
  /// - Returns: `nil` if the socket was handed over before.
  public func handOver() -> HTTPListener? {
    let descriptor = MHD_quiesce_daemon(daemon)
    intake.handOver()
    return descriptor < 0 ? nil : HTTPListener(descriptor: descriptor)
  }

  /// Whether no request has begun without its answer being sent, and no new connection has its first request
  /// to come.
  public var isIdle: Bool { intake.isIdle }

  /// The number of complete requests that wait for a response.
  var waitingCount: Int { intake.waitingCount }

  /// Ends the server. Waiting requests are answered with 503.
  deinit {
    intake.close()
    MHD_stop_daemon(daemon)
  }
}

/// A listening socket for HTTP.
public struct HTTPListener: ~Copyable {
  /// The socket.
  let descriptor: Int32
  /// Its port.
  public let port: UInt16

  /// A socket that listens already.
  init(descriptor: Int32) {
    self.descriptor = descriptor
    port = HTTPListener.port(of: descriptor)
  }

  /// Listens at an address of this machine.
  ///
  /// - Parameters:
  ///   - host: A name or an address.
  ///   - port: The port; 0 for any free one.
  ///   - allow: Checks a resolved address of `host`; throws to reject it.
  public init(host: String, port: UInt16, allow: (PeerAddress?) throws -> Void = { _ in }) throws {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let answer = getaddrinfo(host, String(port), &hints, &found)
    guard answer == 0, let first = found else { throw SystemFailure.lookup(of: host, answer) }
    defer { freeaddrinfo(first) }
    var code = EADDRNOTAVAIL
    // The first that works. For localhost, try IPv4 first, as more clients do.
    let all = sequence(first: first, next: { $0.pointee.ai_next }).map(\.pointee)
    for candidate in all.sorted(by: { $0.ai_family == AF_INET && $1.ai_family != AF_INET }) {
      guard let socketAddress = candidate.ai_addr else { continue }
      try allow(PeerAddress(socketAddress))
      let kind = candidate.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let descriptor = socket(candidate.ai_family, kind, candidate.ai_protocol)
      guard descriptor >= 0 else { continue }
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
      if bind(descriptor, socketAddress, candidate.ai_addrlen) == 0, listen(descriptor, 128) == 0 {
        self.descriptor = descriptor
        self.port = HTTPListener.port(of: descriptor)
        return
      }
      code = errno
      close(descriptor)
    }
    throw SystemFailure("listen at \(HostName.text(host)):\(port)", code: code)
  }

  static func port(of descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &size) == 0 else { return 0 }
        // The port has the same offset in both families.
        return UnsafeRawPointer(address).loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
      }
    }
  }
}
