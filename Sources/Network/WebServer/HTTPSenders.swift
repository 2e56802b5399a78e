public import FencepostSystem
import Synchronization

/// The sender of a request.
public struct HTTPSender: Sendable {
  /// The peer of the connection.
  public let peer: PeerAddress
  /// The client of a proxy on this machine; `nil` without a proxy, or if the proxy does not report it.
  public let forwarded: PeerAddress?

  /// Creates a sender.
  ///
  /// - Parameters:
  ///   - peer: The peer of the connection.
  ///   - list: The header X-Forwarded-For. The proxy adds the last entry; the client may have invented the
  ///     others.
  public init(peer: PeerAddress, forwardedFor list: String?) {
    self.peer = peer
    let last = peer.isLoopback ? list?.split(separator: ",").last : nil
    forwarded = last.flatMap { PeerAddress(text: $0) }.flatMap { $0.isLoopback ? nil : $0 }
  }

  /// The address for rate limits.
  public var address: PeerAddress { forwarded ?? peer }

  /// Whether it may be a proxy that does not report its client.
  public var mayBeMany: Bool { forwarded == nil && peer.isLoopback }
}

/// Limits each sender's requests and wrong secrets. Use it only under its owner's lock.
struct HTTPSenders {
  private let loopbackShare: Double
  private let loopbackGuess: Double
  private var requests: RateLimit<PeerAddress>
  private var guesses: RateLimit<PeerAddress>
  private var bytes: RateLimit<String>
  private var complaints: [PeerAddress: (since: ContinuousClock.Instant, count: Int)] = [:]

  private static let complaintInterval = Duration.seconds(3_600)
  private static let maximumComplaints = 4_096

  init(_ limits: HTTPServer.Limits) {
    loopbackShare = 1 / limits.loopbackFactor
    loopbackGuess = 1 / limits.loopbackGuesses
    requests = RateLimit(rate: limits.rate, burst: limits.burst)
    bytes = RateLimit(rate: limits.clientByteRate, burst: limits.clientBytes)
    guesses = RateLimit(
      rate: limits.rate / limits.costOfWrongSecret, burst: limits.burst / limits.costOfWrongSecret)
  }

  /// Whether a request is accepted now. After too many wrong secrets a sender is refused, even with the right
  /// one. This does not apply to an address that many clients may share, because it would lock out all of
  /// them.
  mutating func admits(_ sender: HTTPSender, at now: ContinuousClock.Instant) -> Bool {
    guard sender.mayBeMany || guesses.take(0, of: sender.address, at: now) else { return false }
    if let forwarded = sender.forwarded, !requests.take(of: forwarded, at: now) { return false }
    return requests.take(sender.peer.isLoopback ? loopbackShare : 1, of: sender.peer, at: now)
  }

  /// Counts the bytes of a client's body; false if it has sent too many for now.
  mutating func admits(bytes count: Int, of client: String, at now: ContinuousClock.Instant) -> Bool {
    bytes.take(Double(count), of: client, at: now)
  }

  /// Counts a wrong secret.
  ///
  /// - Returns: Whether to answer that the secret is wrong. Once an hour also the number of attempts since
  ///   the last report, which the caller should report.
  mutating func countWrongSecret(
    of sender: HTTPSender, at now: ContinuousClock.Instant
  ) -> (isHeard: Bool, attempts: Int?) {
    let isHeard = guesses.take(sender.mayBeMany ? loopbackGuess : 1, of: sender.address, at: now)
    return (isHeard, complaint(about: sender.address, at: now))
  }

  private mutating func complaint(about address: PeerAddress, at now: ContinuousClock.Instant) -> Int? {
    guard var known = complaints[address] else {
      if complaints.count >= Self.maximumComplaints {
        complaints = complaints.filter { now - $0.value.since < Self.complaintInterval }
      }
      guard complaints.count < Self.maximumComplaints else { return nil }
      complaints[address] = (now, 0)
      return 1
    }
    known.count += 1
    let isDue = now - known.since >= Self.complaintInterval
    complaints[address] = isDue ? (now, 0) : known
    return isDue ? known.count : nil
  }
}

/// The complete requests of a site that wait for a response, for one or more threads.
public final class HTTPQueue: Sendable {
  private struct State {
    var waiting: [HTTPExchange] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let wake: WakeUp

  /// An empty queue.
  public init() throws(SystemFailure) { wake = try WakeUp() }

  /// Waits for requests, and takes all of them. Returns none if `stop` becomes readable.
  public func next(stop: Int32 = -1) -> [HTTPExchange] {
    while true {
      let taken = state.withLock { state in
        defer { state.waiting.removeAll() }
        return state.waiting
      }
      if !taken.isEmpty { return taken }
      if Readiness.wait(for: wake.descriptor, interruptedBy: stop) == .interrupted { return [] }
      wake.clear()
    }
  }

  /// Waits for a request, and takes one. Returns `nil` if `stop` becomes readable.
  func nextOne(stop: Int32) -> HTTPExchange? {
    while true {
      let (taken, isMore) = state.withLock { state in
        let taken = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        return (taken, !state.waiting.isEmpty)
      }
      // Wake another thread for the rest.
      if isMore { wake.signal() }
      if let taken { return taken }
      if Readiness.wait(for: wake.descriptor, interruptedBy: stop) == .interrupted { return nil }
      wake.clear()
    }
  }

  func add(_ exchange: HTTPExchange) {
    state.withLock { $0.waiting.append(exchange) }
    wake.signal()
  }
}

/// Threads that answer the requests of a queue, each one at a time.
public final class HTTPWorkers: Sendable {
  private let stop: WakeUp

  /// Starts `count` threads. They end with this object, after their current request.
  public init(
    _ count: Int, for queue: HTTPQueue, answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse
  ) throws(SystemFailure) {
    stop = try WakeUp()
    for _ in 0..<count {
      try SystemThread.start("web") { [stop] in
        while let exchange = queue.nextOne(stop: stop.descriptor) {
          guard let request = exchange.request else { continue }
          exchange.answer(exchange.isAbandoned ? .busy : answer(request))
        }
      }
    }
  }

  deinit { stop.signal() }
}
