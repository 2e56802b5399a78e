/// Who sent a request, as far as is known.
public struct HTTPSender: Sendable {
  /// Who is at the other end of the connection.
  public let peer: PeerAddress
  /// For whom a proxy on this machine sent it; `nil` where there is none, or it doesn't say.
  public let forwarded: PeerAddress?

  /// - Parameters:
  ///   - peer: Who is at the other end of the connection.
  ///   - list: What the header X-Forwarded-For says. Its last entry is the proxy's; the sender may have made up the
  ///     others.
  public init(peer: PeerAddress, forwardedFor list: String?) {
    self.peer = peer
    let last = peer.isLoopback ? list?.split(separator: ",").last : nil
    forwarded = last.flatMap { PeerAddress(text: $0) }.flatMap { $0.isLoopback ? nil : $0 }
  }

  /// Whom to count by.
  public var address: PeerAddress { forwarded ?? peer }

  /// Whether it may be a proxy that does not say for whom.
  var mayBeMany: Bool { forwarded == nil && peer.isLoopback }
}

/// How often each sender may ask, and guess secrets. Reached only under its owner's lock.
struct HTTPSenders {
  private let loopbackShare: Double
  private var requests: RateLimit<PeerAddress>
  private var guesses: RateLimit<PeerAddress>
  private var complaints: [PeerAddress: (since: ContinuousClock.Instant, count: Int)] = [:]

  private static let complaintInterval = Duration.seconds(3_600)
  private static let mostComplaints = 4_096

  init(_ limits: HTTPServer.Limits) {
    loopbackShare = 1 / limits.loopbackFactor
    requests = RateLimit(rate: limits.rate, burst: limits.burst)
    guesses = RateLimit(
      rate: limits.rate / limits.costOfWrongSecret, burst: limits.burst / limits.costOfWrongSecret)
  }

  /// Whether a sender may be heard now. One that has guessed too often is not, whatever it says next; but where it may
  /// stand for many, the others would be shut out with it.
  mutating func admits(_ sender: HTTPSender, at now: ContinuousClock.Instant) -> Bool {
    guard sender.mayBeMany || guesses.take(0, of: sender.address, at: now) else { return false }
    if let forwarded = sender.forwarded, !requests.take(of: forwarded, at: now) { return false }
    return requests.take(sender.peer.isLoopback ? loopbackShare : 1, of: sender.peer, at: now)
  }

  /// Counts a wrong secret.
  ///
  /// - Returns: Whether it may be told that it was wrong; and, where that is to be said, how often this sender has tried
  ///   since it was said last, which is once an hour.
  mutating func countWrongSecret(
    of sender: HTTPSender, at now: ContinuousClock.Instant
  ) -> (isHeard: Bool, attempts: Int?) {
    let isHeard = guesses.take(sender.mayBeMany ? loopbackShare : 1, of: sender.address, at: now)
    return (isHeard, complaint(about: sender.address, at: now))
  }

  private mutating func complaint(about address: PeerAddress, at now: ContinuousClock.Instant) -> Int? {
    guard var known = complaints[address] else {
      if complaints.count >= Self.mostComplaints {
        complaints = complaints.filter { now - $0.value.since < Self.complaintInterval }
      }
      guard complaints.count < Self.mostComplaints else { return nil }
      complaints[address] = (now, 0)
      return 1
    }
    known.count += 1
    let isDue = now - known.since >= Self.complaintInterval
    complaints[address] = isDue ? (now, 0) : known
    return isDue ? known.count : nil
  }
}
