import CLinux
import CMicroHTTPD
import Glibc
import Synchronization

/// An HTTP/1.1 server over libmicrohttpd: bounded in all that somebody at the other end can make it hold, and answered
/// by whoever calls ``next(stop:)``.
///
/// libmicrohttpd has a thread of its own, which reads requests and refuses those that are none of ours; a request
/// that is whole waits, without a thread, until it is answered.
///
/// `@unchecked Sendable`: what changes is reached only under `lock`; an ``HTTPExchange`` says for itself.
final class HTTPServer: @unchecked Sendable {
  /// What a server holds at most.
  struct Limits: Sendable {
    /// Bytes of one request's body.
    var body = 4 << 20
    /// Bytes of all bodies that are at hand.
    var bodies = 32 << 20
    /// Connections.
    var connections = 256
    /// Connections of one address other than this machine's.
    var connectionsPerAddress = 32
    /// Seconds without a byte after which a connection is closed.
    var idleSeconds: UInt32 = 15
    /// How long a request may take to arrive.
    var patience = Duration.seconds(30)
    /// Requests a second of one address, and at once.
    var rate = 200.0
    var burst = 1_000.0
    /// How many times as often this machine may ask, where a proxy may stand for many.
    var loopbackFactor = 25.0
    /// For how many requests one with a wrong secret counts.
    var costOfWrongSecret = 100.0
  }

  /// The headers that requests are asked for.
  private static let headers = ["x-limit-u", "x-limit-d"]

  let port: UInt16
  private let address: HTTPAddress
  private let access: HTTPAccess
  private let limits: Limits
  private let onWrongSecret: @Sendable (PeerAddress, Int) -> Void
  private let lock = Mutex(())
  /// Ready for reading when ``next(stop:)`` has something to look at.
  private let wake: Int32
  private var daemon: OpaquePointer?
  private var connections: HTTPConnections
  private var senders: HTTPSenders
  private var waiting: [HTTPExchange] = []
  /// Those that were handed out and are not answered yet.
  private var handedOut: Set<HTTPExchange> = []
  private var bytesHeld = 0
  private var isStopped = false

  /// Listens at `address`.
  ///
  /// - Parameter onWrongSecret: Called, on libmicrohttpd's thread, where somebody knows no secret, once an hour, with how
  ///   often it has tried since.
  init(
    _ address: HTTPAddress, limits: Limits = Limits(),
    onWrongSecret: @escaping @Sendable (PeerAddress, Int) -> Void = { _, _ in }
  ) throws {
    self.address = address
    self.limits = limits
    self.onWrongSecret = onWrongSecret
    access = HTTPAccess(address)
    connections = HTTPConnections(
      limitPerAddress: limits.connectionsPerAddress, patience: limits.patience)
    senders = HTTPSenders(limits)
    let listener = try HTTPListener.open(address)
    port = HTTPListener.port(of: listener)
    wake = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    daemon = cmicrohttpd_start(
      listener, UInt32(limits.connections), limits.idleSeconds, 32_768, HTTPServer.accept, HTTPServer.handle,
      HTTPServer.completed, HTTPServer.notify, Unmanaged.passUnretained(self).toOpaque())
    guard daemon != nil else {
      close(listener)
      throw SystemFailure("serve \(address)", code: ENOMEM)
    }
  }

  deinit {
    stop()
    close(wake)
  }

  /// The requests that are at hand, at least one; waits for them. None once the server was stopped, or `stop` can be
  /// read.
  func next(stop: Int32 = -1) -> [HTTPExchange] {
    while true {
      let (taken, isEnd, deadline) = lock.withLock { _ in
        connections.cutOff(at: .now)
        defer { waiting.removeAll() }
        handedOut.formUnion(waiting)
        return (waiting, isStopped, connections.nextDeadline)
      }
      if !taken.isEmpty || isEnd { return taken }
      var descriptors = [
        pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
      ]
      poll(&descriptors, 2, deadline.map { Int32(clamping: $0.millisecondsLeft) } ?? -1)
      if descriptors[1].revents != 0 { return [] }
      var count: UInt64 = 0
      _ = read(wake, &count, 8)
    }
  }

  /// Lets ``next(stop:)`` look.
  private func signal() {
    var one: UInt64 = 1
    _ = write(wake, &one, 8)
  }

  /// Answers a request.
  func answer(_ exchange: HTTPExchange, _ response: HTTPResponse) {
    lock.withLock { _ in
      // A server that was stopped has answered.
      guard handedOut.remove(exchange) != nil else { return }
      exchange.response = response
      MHD_resume_connection(exchange.connection)
    }
  }

  /// Ends the server; what waits for an answer is told to come again.
  func stop() {
    let daemon: OpaquePointer? = lock.withLock { _ in
      isStopped = true
      for exchange in handedOut.union(waiting) {
        exchange.response = HTTPServer.busy
        MHD_resume_connection(exchange.connection)
      }
      handedOut.removeAll()
      waiting.removeAll()
      signal()
      defer { self.daemon = nil }
      return self.daemon
    }
    if let daemon { MHD_stop_daemon(daemon) }
  }

  /// Too much to do: come again.
  static let busy = HTTPResponse.refusal(
    503, "there is too much to do; send it again later", headers: ["Retry-After": "10"])

  // MARK: What libmicrohttpd calls

  private static func from(_ data: UnsafeMutableRawPointer?) -> HTTPServer? {
    data.map { Unmanaged<HTTPServer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let accept: MHD_AcceptPolicyCallback = { data, address, _ in
    guard let server = from(data), let address else { return .NO }
    let peer = PeerAddress(address)
    return server.lock.withLock { _ in server.connections.admits(peer) } ? .YES : .NO
  }

  private static let notify: MHD_NotifyConnectionCallback = { data, connection, _, event in
    guard let server = from(data), let connection else { return }
    server.lock.withLock { _ in
      if event == .CONNECTION_NOTIFY_STARTED {
        server.connections.add(
          connection, descriptor: cmicrohttpd_descriptor(connection),
          peer: cmicrohttpd_peer(connection).flatMap { PeerAddress($0) })
        // It may have to be cut off earlier than what was waited for.
        server.signal()
      } else {
        server.connections.remove(connection)
      }
    }
  }

  private static let completed: MHD_RequestCompletedCallback = { data, connection, context, _ in
    guard let server = from(data), let connection, let context, let pointer = context.pointee else { return }
    context.pointee = nil
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue()
    server.lock.withLock { _ in
      server.bytesHeld -= exchange.body.count
      server.connections.wasAnswered(connection)
    }
  }

  private static let handle: MHD_AccessHandlerCallback = {
    data, connection, path, method, _, upload, uploadSize, context in
    guard let server = from(data), let connection, let uploadSize, let context else { return .NO }
    guard let pointer = context.pointee else {
      let exchange = HTTPExchange(connection, isPost: method.map { String(cString: $0) } == "POST")
      exchange.refusal = server.refusal(
        of: exchange, path: path.map { String(cString: $0) } ?? "",
        method: method.map { String(cString: $0) } ?? "")
      context.pointee = Unmanaged.passRetained(exchange).toOpaque()
      // Who sends much for nothing is told so at once; then the connection ends.
      if let refusal = exchange.refusal, exchange.length ?? .max > 65_536, exchange.isPost {
        return exchange.queue(refusal)
      }
      return .YES
    }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    if uploadSize.pointee > 0 {
      server.take(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), of: exchange)
      uploadSize.pointee = 0
      return .YES
    }
    if let refusal = exchange.refusal { return exchange.queue(refusal) }
    return server.submit(exchange)
  }

  // MARK: What it does

  /// Why a request is none of ours; `nil` where it is one.
  private func refusal(of exchange: HTTPExchange, path: String, method: String) -> HTTPResponse? {
    let sender = lock.withLock { _ in connections.peer(of: exchange.connection) }.map {
      HTTPSenders.Sender(peer: $0, forwardedFor: exchange.lastHeader("X-Forwarded-For"))
    }
    let tooOften = HTTPResponse.refusal(429, "too many requests", headers: ["Retry-After": "10"])
    if let sender, !lock.withLock({ _ in senders.admits(sender, at: .now) }) { return tooOften }
    exchange.credentials = HTTPAccess.Credentials(
      authorization: exchange.header("Authorization"), token: exchange.queryField("token"))
    if !access.admits(exchange.credentials) {
      let hasTried = exchange.credentials.authorization != nil || exchange.credentials.token != nil
      if hasTried, let sender {
        let (isHeard, attempts) = lock.withLock { _ in senders.countWrongSecret(of: sender, at: .now) }
        if let attempts { onWrongSecret(sender.address, attempts) }
        if !isHeard { return tooOften }
      }
      return .refusal(
        401, hasTried ? "this is not the secret" : "say the secret: a token, or a user and a password",
        headers: ["WWW-Authenticate": access.challenge])
    }
    if access.isOpen, let reason = exchange.reasonToDistrust {
      return .refusal(403, "\(reason); let the feed ask for a secret, with ?token= in its address")
    }
    if let only = address.path, path != only { return .refusal(404, "positions are taken at \(only)") }
    guard method == "POST" || method == "GET" else {
      return .refusal(405, "positions come by POST or GET", headers: ["Allow": "GET, POST"])
    }
    if let length = exchange.length, length > limits.body { return tooLarge }
    return nil
  }

  private var tooLarge: HTTPResponse {
    .refusal(413, "this is more than \(limits.body >> 20) MiB; send fewer positions at once")
  }

  /// Takes a piece of a body, unless it becomes too much.
  private func take(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange) {
    guard exchange.refusal == nil else { return }
    lock.withLock { _ in
      let isTooLarge = exchange.body.count + bytes.count > limits.body
      guard !isTooLarge, bytesHeld + bytes.count <= limits.bodies else {
        exchange.refusal = isTooLarge ? tooLarge : HTTPServer.busy
        bytesHeld -= exchange.body.count
        exchange.body = []
        return
      }
      exchange.body.append(contentsOf: bytes)
      bytesHeld += bytes.count
    }
  }

  /// Lets a request that is whole wait for its answer, or sends that.
  private func submit(_ exchange: HTTPExchange) -> MHD_Result {
    lock.withLock { _ in
      if let response = exchange.response { return exchange.queue(response) }
      guard !isStopped else { return exchange.queue(HTTPServer.busy) }
      exchange.request = exchange.makeRequest(headers: HTTPServer.headers)
      connections.hasArrived(exchange.connection)
      MHD_suspend_connection(exchange.connection)
      waiting.append(exchange)
      signal()
      return .YES
    }
  }
}
