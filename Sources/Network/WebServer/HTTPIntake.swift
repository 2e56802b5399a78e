import CFencepostLinux
import CFencepostMicroHTTPD
import FencepostAddresses
import FencepostSystem
import Glibc
import Synchronization

/// The state that an ``HTTPServer`` shares with libmicrohttpd's thread: connections, arriving requests, and
/// requests that wait for a response.
final class HTTPIntake: Sendable {
  private struct State {
    var connections: HTTPConnections
    var senders: HTTPSenders
    /// The requests that wait for a response.
    var waiting: Set<HTTPExchange> = []
    /// The open streams with the descriptors of their connections.
    var streams: [(stream: HTTPEventStream, descriptor: Int32)] = []
    /// The bytes of all bodies in memory.
    var bytesHeld = 0
    var isClosed = false
    /// Whether another server has the socket now.
    var isHandedOver = false
    /// The requests that have begun and not ended.
    var begun = 0
  }

  private let sites: [HTTPSite]
  private let limits: HTTPServer.Limits
  /// Whether it serves over TLS.
  let isSecure: Bool
  private let onWrongSecret: @Sendable (PeerAddress, Int) -> Void
  private let state: Mutex<State>
  /// Signalled when ``enforceDeadlines()`` has new work.
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
          limit: limits.connections, limitPerAddress: limits.connectionsPerAddress, timeout: limits.timeout),
        senders: HTTPSenders(limits)))
  }

  // MARK: For the server

  /// Shuts down connections beyond their deadline, ends streams of closed pages, and sends comments to the
  /// others, until the server ends. With no requests it sleeps.
  func enforceDeadlines() {
    var nextBeat = ContinuousClock.now + limits.heartbeat
    while true {
      let (deadline, streams, isClosed) = state.withLock { state in
        state.connections.cutOff(at: .now)
        state.streams.removeAll(where: \.stream.isClosed)
        return (state.connections.nextDeadline, state.streams, state.isClosed)
      }
      if isClosed { return }
      if nextBeat <= .now {
        for (stream, _) in streams { stream.beat() }
        nextBeat = .now + limits.heartbeat
      }
      let wait = [deadline, streams.isEmpty ? nil : nextBeat].compactMap(\.self).min()
      // libmicrohttpd does not look at the connections of idle streams.
      let (closed, isWoken) = Readiness.waitForHangUp(
        of: streams.map(\.descriptor), until: wait, interruptedBy: wake.descriptor)
      if isWoken { wake.clear() }
      // If the descriptor belongs to another connection by now, its stream has ended before.
      for index in closed { streams[index].stream.close() }
    }
  }

  /// Whether the peer of a waiting request has closed its connection.
  func hasHungUp(_ exchange: HTTPExchange) -> Bool {
    state.withLock { state in
      guard state.waiting.contains(exchange), let descriptor = state.connections.descriptor(of: exchange.id)
      else {
        return true
      }
      return Readiness.hasHungUp(descriptor)
    }
  }

  /// Answers a request.
  func answer(_ exchange: HTTPExchange, _ response: HTTPResponse) {
    let isNew = state.withLock { state in
      guard state.waiting.remove(exchange) != nil else { return false }
      exchange.response = response
      var isNew = false
      if case .events(let stream) = response.body {
        if let descriptor = state.connections.descriptor(of: exchange.id) {
          state.streams.append((stream, descriptor))
        }
        isNew = true
      }
      MHD_resume_connection(exchange.connection)
      return isNew
    }
    if isNew { wake.signal() }
  }

  /// Lets each connection end after its next answer, and those without a request at once, so that no request
  /// comes here that the next server should answer.
  func handOver() {
    state.withLock {
      $0.isHandedOver = true
      $0.connections.endIdle()
    }
  }

  /// Whether another server has the socket now.
  var isHandedOver: Bool { state.withLock { $0.isHandedOver } }

  /// Accepts no more requests, and answers 503 to waiting ones. libmicrohttpd can't end while a request
  /// waits.
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
    for (stream, _) in streams { stream.close() }
    wake.signal()
  }

  // MARK: For libmicrohttpd

  /// Whether `peer` may connect.
  func admits(_ peer: PeerAddress?) -> Bool { state.withLock { $0.connections.admits(peer) } }

  /// Adds a new connection.
  func add(_ connection: ConnectionID, descriptor: Int32, peer: PeerAddress?) {
    state.withLock { $0.connections.add(connection, descriptor: descriptor, peer: peer) }
    // Its deadline may be the earliest one.
    wake.signal()
  }

  /// Removes a closed connection.
  func remove(_ connection: ConnectionID) { state.withLock { $0.connections.remove(connection) } }

  /// Whether no request has begun and not ended, and none is to come on a new connection.
  var isIdle: Bool { state.withLock { $0.begun == 0 && !$0.connections.hasNew } }

  /// The number of requests that wait for a response.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Notes the beginning of a request.
  func begins(on connection: ConnectionID) {
    state.withLock {
      $0.begun += 1
      $0.connections.begins(connection)
    }
  }

  /// Notes the end of a request.
  func end(_ exchange: HTTPExchange) {
    state.withLock { state in
      state.begun -= 1
      state.bytesHeld -= exchange.body.count
      state.connections.wasAnswered(exchange.id)
    }
  }

  /// The refusal of a target that is too long; `nil` if its length is fine.
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

  private static let tooMuch = HTTPResponse.refusal(
    429, "this client sent too much; send the rest later", headers: ["Retry-After": "30"])
  private static let tooOften = HTTPResponse.refusal(429, "too many requests", headers: ["Retry-After": "10"])

  /// Reads the head of a request, and decides about it.
  func begin(_ exchange: HTTPExchange, method: String) {
    var headers = exchange.headers
    var target = exchange.target[...]
    // RFC 9112, section 3.2.2: clients of a proxy send the whole address, whose host counts.
    // A regular expression is compiled at each use, which would be a large part of a request's cost.
    if target.utf8.first != UInt8(ascii: "/"),
      let scheme = target.prefixMatch(of: /https?:\/\//.ignoresCase())
    {
      target.removeSubrange(scheme.range)
      let path = target.firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
      headers["host"] = String(target[..<path])
      target = target[path...]
      if target.first != "/" { target = "/" + target }
    }
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let sender = state.withLock { $0.connections.peer(of: exchange.id) }.map {
      HTTPSender(peer: $0, forwardedFor: limits.trustsProxy ? headers["x-forwarded-for"] : nil)
    }
    let head = HTTPHead(
      method: method, rawPath: parts.isEmpty ? "" : String(parts[0]),
      query: parts.count > 1 ? HTTPHead.Field.fields(of: parts[1]) : [], headers: headers, sender: sender,
      isSecure: isSecure || isBehindTLS(headers))
    exchange.head = head
    if exchange.refusal == nil { exchange.refusal = Self.refusal(ofFraming: headers) }
    if exchange.refusal == nil { exchange.refusal = refusal(of: exchange, head) }
  }

  /// The refusal of a request whose end a proxy may see elsewhere, so that the rest would count as another
  /// request (RFC 9112, sections 5.1, 6.1 and 6.3); or whose body has a coding that nothing here reads.
  private static func refusal(ofFraming headers: [String: String]) -> HTTPResponse? {
    if headers.keys.contains(where: { $0.contains(" ") || $0.contains("\t") }) {
      return .closing(400, "a header's name ends with a blank")
    }
    if let length = headers["content-length"] {
      guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return .closing(400, "a request has one Content-Length, a number")
      }
      guard headers["transfer-encoding"] == nil else {
        return .closing(400, "send either Content-Length or Transfer-Encoding")
      }
    }
    if let coding = headers["transfer-encoding"], coding.lowercased() != "chunked" {
      return .closing(400, "the only Transfer-Encoding is chunked")
    }
    // Others are not of this layer, such as the encryption of push messages (RFC 8188).
    if let coding = headers["content-encoding"]?.lowercased(), compressions.contains(where: coding.contains) {
      return .refusal(415, "send the body without compression", headers: ["Accept-Encoding": "identity"])
    }
    return nil
  }

  private static let compressions = ["gzip", "deflate", "br", "zstd", "compress"]

  /// Whether a request came through the proxy, which adds TLS. Names of this machine lead to the port itself.
  private func isBehindTLS(_ headers: [String: String]) -> Bool {
    limits.trustsProxy && HostName.isOne(of: limits.proxiedHosts, hostHeader: headers["host"] ?? "")
  }

  private func refusal(of exchange: HTTPExchange, _ head: HTTPHead) -> HTTPResponse? {
    if let sender = head.sender, !state.withLock({ $0.senders.admits(sender, at: .now) }) {
      return Self.tooOften
    }
    guard let site = sites.first(where: { $0.gate.claims(head) }) else {
      return .refusal(404, "nothing is here")
    }
    exchange.gate = site.gate
    exchange.queue = site.queue
    switch site.gate.admit(head) {
    case .admitted(let principal):
      exchange.principal = principal
      if let length = head.length, length > site.gate.bodyLimit(of: head.method) { return site.gate.tooLarge }
      return nil
    case .refused(let response): return response
    case .wrongSecret(let response):
      guard let sender = head.sender else { return response }
      let (isHeard, attempts) = state.withLock { $0.senders.countWrongSecret(of: sender, at: .now) }
      if let attempts { onWrongSecret(sender.address, attempts) }
      return isHeard ? response : Self.tooOften
    }
  }

  /// Adds a part of a body, up to the limits.
  func take(_ bytes: UnsafeRawBufferPointer, of exchange: HTTPExchange) {
    guard exchange.refusal == nil, let gate = exchange.gate, let head = exchange.head else { return }
    let isTooLarge = exchange.body.count + bytes.count > gate.bodyLimit(of: head.method)
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

  /// Queues a complete request.
  ///
  /// - Returns: The response if it is already known.
  func submit(_ exchange: HTTPExchange) -> HTTPResponse? {
    if let refusal = exchange.refusal { return refusal }
    guard let head = exchange.head, let queue = exchange.queue else { return .busy }
    return state.withLock { state in
      if let response = exchange.response { return response }
      guard !state.isClosed else { return .busy }
      if let principal = exchange.principal, principal.way == .client, !exchange.body.isEmpty,
        !state.senders.admits(bytes: exchange.body.count, of: principal.name, at: .now)
      {
        return Self.tooMuch
      }
      exchange.request = HTTPRequest(head: head, body: exchange.body, principal: exchange.principal)
      state.connections.hasArrived(exchange.id)
      MHD_suspend_connection(exchange.connection)
      state.waiting.insert(exchange)
      queue.add(exchange)
      return nil
    }
  }
}

/// The callbacks of libmicrohttpd, on its own thread. None of them may retain an ``HTTPServer``.
extension HTTPIntake {
  private static func from(_ data: UnsafeMutableRawPointer?) -> HTTPIntake? {
    data.map { Unmanaged<HTTPIntake>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether a peer may connect.
  static let accept: MHD_AcceptPolicyCallback = { data, address, _ in
    guard let intake = from(data), let address else { return .NO }
    return intake.admits(PeerAddress(address)) ? .YES : .NO
  }

  /// A connection was opened or closed.
  static let notify: MHD_NotifyConnectionCallback = { data, connection, _, event in
    guard let intake = from(data), let connection else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
      intake.add(
        ConnectionID(connection), descriptor: cmicrohttpd_descriptor(connection),
        peer: cmicrohttpd_peer(connection).flatMap { PeerAddress($0) })
    } else {
      intake.remove(ConnectionID(connection))
    }
  }

  /// The first line of a request has arrived and is not parsed yet. The result is the `context` of later
  /// calls: the exchange, with the target as sent.
  ///
  /// A target that is too long is refused later, with the head. Until then its fields must not be parsed,
  /// because many fields don't fit in a connection's memory, and libmicrohttpd would give no answer. So this
  /// call ends the text after its question mark.
  static let target: CMicroHTTPDTarget = { data, target, connection in
    guard let intake = from(data), let target, let connection else { return nil }
    let refusal = intake.refusal(ofTarget: target)
    let exchange = HTTPExchange(
      connection, target: refusal == nil ? String(cString: target) : "/", intake: intake)
    exchange.refusal = refusal
    if refusal != nil, let mark = strchr(target, Int32(UInt8(ascii: "?"))) { mark[1] = 0 }
    intake.begins(on: ConnectionID(connection))
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  /// The head of a request, a part of its body, or its end has arrived.
  static let handle: MHD_AccessHandlerCallback = {
    data, connection, _, method, _, upload, uploadSize, context in
    guard let intake = from(data), let uploadSize, let pointer = context?.pointee else { return .NO }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    guard exchange.head != nil else {
      intake.begin(exchange, method: method.map { String(cString: $0) } ?? "")
      // Refuse a large body at once, or one whose end is not known; then the connection ends.
      if let refusal = exchange.refusal,
        exchange.head?.length ?? 0 > 65_536 || refusal.headers["Connection"] == "close"
      {
        return exchange.queue(refusal)
      }
      return .YES
    }
    if uploadSize.pointee > 0 {
      intake.take(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), of: exchange)
      uploadSize.pointee = 0
      return .YES
    }
    return intake.submit(exchange).map(exchange.queue) ?? .YES
  }

  /// A request has ended, with or without a response.
  static let completed: MHD_RequestCompletedCallback = { data, _, context, _ in
    guard let intake = from(data), let context, let pointer = context.pointee else { return }
    context.pointee = nil
    intake.end(Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue())
  }
}
