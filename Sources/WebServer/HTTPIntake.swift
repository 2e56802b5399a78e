import CMicroHTTPD
import Synchronization
import System

/// What an ``HTTPServer`` and libmicrohttpd's thread share: connections, requests that arrive, and those that wait for their
/// answer.
final class HTTPIntake: Sendable {
  private struct State {
    var connections: HTTPConnections
    var senders: HTTPSenders
    /// Those that wait for their answer.
    var waiting: Set<HTTPExchange> = []
    /// The streams that are open.
    var streams: [HTTPEventStream] = []
    /// Bytes of bodies.
    var bytesHeld = 0
    var isClosed = false
  }

  private let sites: [HTTPSite]
  private let limits: HTTPServer.Limits
  /// Whether it serves over TLS.
  let isSecure: Bool
  private let onWrongSecret: @Sendable (PeerAddress, Int) -> Void
  private let state: Mutex<State>
  /// Signalled when ``keepTime()`` has something to look at.
  private let wake: WakeUp

  init(
    _ sites: [HTTPSite], _ limits: HTTPServer.Limits, isSecure: Bool,
    onWrongSecret: @escaping @Sendable (PeerAddress, Int) -> Void
  ) throws(SystemFailure) {
    wake = try WakeUp()
    self.sites = sites
    self.limits = limits
    self.isSecure = isSecure
    self.onWrongSecret = onWrongSecret
    state = Mutex(
      State(
        connections: HTTPConnections(
          limitPerAddress: limits.connectionsPerAddress, timeout: limits.timeout),
        senders: HTTPSenders(limits)))
  }

  // MARK: What the server asks

  /// Cuts off connections whose time is up and looks after streams, until the server ends. Sleeps while there are none.
  func keepTime() {
    var nextBeat = ContinuousClock.now + limits.heartbeat
    while true {
      let (deadline, streams, isClosed) = state.withLock { state in
        state.connections.cutOff(at: .now)
        state.streams.removeAll(where: \.isClosed)
        return (state.connections.nextDeadline, state.streams, state.isClosed)
      }
      if isClosed { return }
      if nextBeat <= .now {
        for stream in streams { stream.beat() }
        nextBeat = .now + limits.heartbeat
      }
      let wait = [deadline, streams.isEmpty ? nil : nextBeat].compactMap(\.self).min()
      if Readiness.wait(for: wake.descriptor, until: wait) != .timedOut { wake.clear() }
    }
  }

  /// Answers a request.
  func answer(_ exchange: HTTPExchange, _ response: HTTPResponse) {
    let isNew = state.withLock { state in
      guard state.waiting.remove(exchange) != nil else { return false }
      exchange.response = response
      var isNew = false
      if case .events(let stream) = response.body {
        state.streams.append(stream)
        isNew = true
      }
      MHD_resume_connection(exchange.connection)
      return isNew
    }
    if isNew { wake.signal() }
  }

  /// Takes no more requests, and tells those that wait to come again. libmicrohttpd can't end as long as one waits.
  func close() {
    let streams = state.withLock { state in
      state.isClosed = true
      for exchange in state.waiting {
        exchange.response = .busy
        MHD_resume_connection(exchange.connection)
      }
      state.waiting.removeAll()
      return state.streams
    }
    for stream in streams { stream.close() }
    wake.signal()
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

  private static let tooOften = HTTPResponse.refusal(429, "too many requests", headers: ["Retry-After": "10"])

  /// Notes the head of a request, and why it is not taken, where it is not.
  func begin(_ exchange: HTTPExchange, method: String) {
    let headers = exchange.headers
    let parts = exchange.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let sender = state.withLock { $0.connections.peer(of: exchange.id) }.map {
      HTTPSender(peer: $0, forwardedFor: limits.trustsProxy ? headers["x-forwarded-for"] : nil)
    }
    let head = HTTPHead(
      method: method, rawPath: parts.isEmpty ? "" : String(parts[0]),
      query: parts.count > 1 ? PercentCoding.fields(parts[1]) : [], headers: headers, sender: sender,
      isSecure: isSecure)
    exchange.head = head
    exchange.refusal = refusal(of: exchange, head)
  }

  private func refusal(of exchange: HTTPExchange, _ head: HTTPHead) -> HTTPResponse? {
    if let sender = head.sender, !state.withLock({ $0.senders.admits(sender, at: .now) }) {
      return Self.tooOften
    }
    let path = head.path
    guard let site = sites.first(where: { $0.gate.claims(path) }) else {
      return .refusal(404, "nothing is here")
    }
    exchange.gate = site.gate
    exchange.queue = site.queue
    switch site.gate.admit(head) {
    case .admitted(let principal):
      exchange.principal = principal
      if let length = head.length, length > site.gate.bodyLimit { return site.gate.tooLarge }
      return nil
    case .refused(let response): return response
    case .wrongSecret(let response):
      guard let sender = head.sender else { return response }
      let (isHeard, attempts) = state.withLock { $0.senders.countWrongSecret(of: sender, at: .now) }
      if let attempts { onWrongSecret(sender.address, attempts) }
      return isHeard ? response : Self.tooOften
    }
  }

  /// Takes a piece of a body, unless it becomes too much.
  func take(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange) {
    guard exchange.refusal == nil, let gate = exchange.gate else { return }
    let isTooLarge = exchange.body.count + bytes.count > gate.bodyLimit
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
      exchange.refusal = isTooLarge ? gate.tooLarge : .busy
      exchange.body = []
    }
  }

  /// Lets a request that is whole wait for its answer.
  ///
  /// - Returns: The answer, where there is one already.
  func submit(_ exchange: HTTPExchange) -> HTTPResponse? {
    if let refusal = exchange.refusal { return refusal }
    guard let head = exchange.head, let queue = exchange.queue else { return .busy }
    return state.withLock { state in
      if let response = exchange.response { return response }
      guard !state.isClosed else { return .busy }
      exchange.request = HTTPRequest(head: head, body: exchange.body, principal: exchange.principal)
      state.connections.hasArrived(exchange.id)
      MHD_suspend_connection(exchange.connection)
      state.waiting.insert(exchange)
      queue.add(exchange)
      return nil
    }
  }
}
