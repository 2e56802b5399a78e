import CMicroHTTPD
import Synchronization
import System

/// What an ``HTTPServer`` and libmicrohttpd's thread share: connections, requests that arrive, and those that wait for their
/// answer.
final class HTTPIntake: Sendable {
  private struct State {
    var connections: HTTPConnections
    var senders: HTTPSenders
    var waiting: [HTTPExchange] = []
    /// Those that were handed out and are not answered yet.
    var handedOut: Set<HTTPExchange> = []
    /// Bytes of bodies.
    var bytesHeld = 0
    var isClosed = false
  }

  /// The headers that requests are asked for.
  private static let headers = ["x-limit-u", "x-limit-d"]

  private let address: HTTPAddress
  private let access: HTTPAccess
  private let limits: HTTPServer.Limits
  private let onWrongSecret: @Sendable (PeerAddress, Int) -> Void
  private let state: Mutex<State>
  /// Signalled when ``next(stop:)`` has something to look at.
  private let wake: WakeUp

  init(
    _ address: HTTPAddress, _ limits: HTTPServer.Limits,
    onWrongSecret: @escaping @Sendable (PeerAddress, Int) -> Void
  ) throws(SystemFailure) {
    wake = try WakeUp()
    self.address = address
    self.limits = limits
    self.onWrongSecret = onWrongSecret
    access = HTTPAccess(address)
    state = Mutex(
      State(
        connections: HTTPConnections(
          limitPerAddress: limits.connectionsPerAddress, timeout: limits.timeout),
        senders: HTTPSenders(limits)))
  }

  // MARK: What the server asks

  /// See ``HTTPServer/next(stop:)``.
  func next(stop: Int32) -> [HTTPExchange] {
    while true {
      let (taken, deadline) = state.withLock { state in
        state.connections.cutOff(at: .now)
        defer { state.waiting.removeAll() }
        state.handedOut.formUnion(state.waiting)
        return (state.waiting, state.connections.nextDeadline)
      }
      if !taken.isEmpty { return taken }
      let outcome = Readiness.wait(for: wake.descriptor, until: deadline, interruptedBy: stop)
      if outcome == .interrupted { return [] }
      wake.clear()
    }
  }

  /// Answers a request.
  func answer(_ exchange: HTTPExchange, _ response: HTTPResponse) {
    state.withLock { state in
      guard state.handedOut.remove(exchange) != nil else { return }
      exchange.response = response
      MHD_resume_connection(exchange.connection)
    }
  }

  /// Takes no more requests, and tells those that wait to come again. libmicrohttpd can't end as long as one waits.
  func close() {
    state.withLock { state in
      state.isClosed = true
      for exchange in state.handedOut.union(state.waiting) {
        exchange.response = HTTPServer.busy
        MHD_resume_connection(exchange.connection)
      }
      state.handedOut.removeAll()
      state.waiting.removeAll()
    }
  }

  // MARK: What libmicrohttpd tells

  /// Whether a connection of `peer` is welcome.
  func admits(_ peer: PeerAddress?) -> Bool { state.withLock { $0.connections.admits(peer) } }

  /// Notes a connection that was made.
  func add(_ connection: ConnectionID, descriptor: Int32, peer: PeerAddress?) {
    state.withLock { $0.connections.add(connection, descriptor: descriptor, peer: peer) }
    // It may have to be cut off earlier than what was waited for.
    wake.signal()
  }

  /// Notes a connection that was closed.
  func remove(_ connection: ConnectionID) { state.withLock { $0.connections.remove(connection) } }

  /// Notes that a request is over.
  func end(_ exchange: HTTPExchange) {
    state.withLock { state in
      state.bytesHeld -= exchange.body.count
      state.connections.wasAnswered(exchange.id)
    }
  }

  /// Why a request's target is too long to be read; `nil` where it is not.
  func refusal(ofTarget target: UnsafePointer<CChar>) -> HTTPResponse? {
    var length = 0
    var fields = 1
    while target[length] != 0 {
      if target[length] == CChar(bitPattern: UInt8(ascii: "&")) { fields += 1 }
      length += 1
    }
    guard length > limits.target || fields > limits.fields else { return nil }
    return .refusal(
      414,
      "the URL has more than \(limits.target) bytes or \(limits.fields) fields; send them in the body")
  }

  /// Why a request is refused; `nil` where it is not.
  func refusal(of exchange: HTTPExchange, path: String, method: String) -> HTTPResponse? {
    let sender = state.withLock { $0.connections.peer(of: exchange.id) }.map {
      HTTPSenders.Sender(peer: $0, forwardedFor: exchange.lastHeader("X-Forwarded-For"))
    }
    exchange.sender = sender
    let tooOften = HTTPResponse.refusal(429, "too many requests", headers: ["Retry-After": "10"])
    if let sender, !state.withLock({ $0.senders.admits(sender, at: .now) }) { return tooOften }
    exchange.credentials = HTTPAccess.Credentials(
      authorization: exchange.header("Authorization"), token: exchange.queryField("token"))
    if !access.admits(exchange.credentials) {
      let hasTried = exchange.credentials.authorization != nil || exchange.credentials.token != nil
      if hasTried, let sender {
        let (isHeard, attempts) = state.withLock { $0.senders.countWrongSecret(of: sender, at: .now) }
        if let attempts { onWrongSecret(sender.address, attempts) }
        if !isHeard { return tooOften }
      }
      return .refusal(
        401, hasTried ? "wrong secret" : "missing secret: send a token, or a user and a password",
        headers: ["WWW-Authenticate": access.challenge])
    }
    if access.isOpen, let reason = exchange.reasonToDistrust {
      return .refusal(403, "\(reason); add a secret to the feed, with ?token= in its address")
    }
    if let only = address.path, path != only { return .refusal(404, "send positions to \(only)") }
    if let refusal = refusal(ofMethod: method) { return refusal }
    if let length = exchange.length, length > limits.body { return tooLarge }
    return nil
  }

  /// Why a method is refused; `nil` where it is not.
  private func refusal(ofMethod method: String) -> HTTPResponse? {
    switch method {
    case "POST": return nil
    // Any page in a browser can have an address of this machine fetched, and need not say where it comes from.
    case "GET" where access.isOpen:
      return .refusal(
        405,
        "use POST; for an app that uses GET, add a token to the feed, with ?token= in its address",
        headers: ["Allow": "POST"])
    case "GET": return nil
    default:
      let methods = access.isOpen ? ["POST"] : ["GET", "POST"]
      return .refusal(
        405, "use \(methods.reversed().joined(separator: " or "))",
        headers: ["Allow": methods.joined(separator: ", ")])
    }
  }

  private var tooLarge: HTTPResponse {
    .refusal(413, "more than \(limits.body >> 20) MiB; send fewer positions at once")
  }

  /// Takes a piece of a body, unless it becomes too much.
  func take(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange) {
    guard exchange.refusal == nil else { return }
    let isTooLarge = exchange.body.count + bytes.count > limits.body
    let isTaken = state.withLock { state in
      guard !isTooLarge, state.bytesHeld + bytes.count <= limits.bodies else {
        state.bytesHeld -= exchange.body.count
        return false
      }
      state.bytesHeld += bytes.count
      return true
    }
    if isTaken {
      exchange.body.append(contentsOf: bytes)
    } else {
      exchange.refusal = isTooLarge ? tooLarge : HTTPServer.busy
      exchange.body = []
    }
  }

  /// Lets a request that is whole wait for its answer.
  ///
  /// - Returns: The answer, where there is one already.
  func submit(_ exchange: HTTPExchange) -> HTTPResponse? {
    if let refusal = exchange.refusal { return refusal }
    return state.withLock { state in
      if let response = exchange.response { return response }
      guard !state.isClosed else { return HTTPServer.busy }
      exchange.request = exchange.makeRequest(headers: HTTPIntake.headers)
      state.connections.hasArrived(exchange.id)
      MHD_suspend_connection(exchange.connection)
      state.waiting.append(exchange)
      wake.signal()
      return nil
    }
  }
}
