/// Decides which requests are allowed, before the body is read. Called on libmicrohttpd's thread, so it must
/// be quick.
public protocol HTTPGate: Sendable {
  /// Whether it is responsible for this path.
  func claims(_ head: HTTPHead) -> Bool
  /// Decides about a request.
  func admit(_ head: HTTPHead) -> HTTPAdmission
  /// The maximum bytes of a body.
  var bodyLimit: Int { get }
  /// The maximum bytes of the body of a request with a method; ``bodyLimit`` unless a gate says otherwise.
  func bodyLimit(of method: String) -> Int
  /// The response to a larger body.
  var tooLarge: HTTPResponse { get }
}

extension HTTPGate {
  /// The limit of all methods.
  public func bodyLimit(of method: String) -> Int { bodyLimit }
}

/// The decision about a request, after its head has arrived.
public enum HTTPAdmission: Sendable {
  /// Read the body, then answer. The value is the authenticated sender, if any.
  case admitted(Principal?)
  /// Send this response at once.
  case refused(HTTPResponse)
  /// The secret is wrong. Send this response, unless the sender has guessed too often.
  case wrongSecret(HTTPResponse)
}

/// An authenticated sender.
public struct Principal: Hashable, Sendable {
  /// The method of authentication.
  public enum Way: Hashable, Sendable {
    /// A secret in an address of the settings.
    case address
    /// The password of a client.
    case client
    /// A session of the owner's browser, with the digest of its key.
    case session([UInt8])
    /// A session of a client's browser, with the digest of its key.
    case clientSession([UInt8])
    /// In a page that an app asked for; the page's name.
    case page(String)
    /// With a token from a notification, which allows answering one alarm or suggestion: its key, and for a
    /// suggestion the revision that the person saw.
    case answer(String, revision: String?)
  }

  /// The name of the client or user.
  public var name: String
  /// The method of authentication.
  public var way: Way
  /// The allowed operations.
  public var rights: Set<Right>
  /// The identifiers of the visible lists; `nil` for all.
  public var lists: Set<String>?
  /// The number of a client, which no other client ever gets; `nil` for all others.
  public var number: Int64?

  /// The digest of the session's key; `nil` for a sender without a session.
  public var session: [UInt8]? {
    switch way {
    case .session(let digest), .clientSession(let digest): digest
    case .address, .client, .page, .answer: nil
    }
  }

  /// Whether it is the owner, in a browser.
  public var isOwner: Bool {
    if case .session = way { return true }
    return false
  }

  /// Whether it is a client, by its password or in a browser.
  public var isClient: Bool {
    switch way {
    case .client, .clientSession: true
    case .address, .session, .page, .answer: false
    }
  }

  /// An authenticated sender.
  public init(
    name: String, way: Way, rights: Set<Right>, lists: Set<String>? = nil, number: Int64? = nil
  ) {
    self.name = name
    self.way = way
    self.rights = rights
    self.lists = lists
    self.number = number
  }
}

/// An operation that a sender may be allowed over the network.
public enum Right: String, Hashable, Sendable, CaseIterable {
  /// Send positions.
  case positions
  /// Read items, lists, alarms and devices.
  case read
  /// Change items and lists, and respond to alarms.
  case write
}

/// A gate for a part of a site, so that it has a queue of its own.
public struct PartGate<Inner: HTTPGate>: HTTPGate {
  private let inner: Inner
  private let contains: @Sendable (HTTPHead) -> Bool

  /// The part of `inner` whose requests `contains` returns true for.
  public init(of inner: Inner, contains: @escaping @Sendable (HTTPHead) -> Bool) {
    self.inner = inner
    self.contains = contains
  }

  /// Whether the request is of this part.
  public func claims(_ head: HTTPHead) -> Bool { contains(head) && inner.claims(head) }

  /// The decision of the whole site.
  public func admit(_ head: HTTPHead) -> HTTPAdmission { inner.admit(head) }

  /// The limit of the whole site.
  public var bodyLimit: Int { inner.bodyLimit }

  /// The limit of the whole site.
  public func bodyLimit(of method: String) -> Int { inner.bodyLimit(of: method) }

  /// The response of the whole site.
  public var tooLarge: HTTPResponse { inner.tooLarge }
}

/// Limits how often each key may do something, with a token bucket for each.
public struct RateLimit<Key: Hashable> {
  /// The tokens per second.
  public var rate: Double
  /// The capacity of a bucket.
  public var burst: Double
  /// The maximum number of buckets. Further keys share one bucket.
  public var capacity = 4_096

  private struct Bucket {
    var tokens: Double
    var filled: ContinuousClock.Instant
  }

  private var buckets: [Key: Bucket] = [:]
  private var shared: Bucket?

  /// A limit.
  public init(rate: Double, burst: Double) {
    self.rate = rate
    self.burst = burst
  }

  /// Takes tokens from the bucket of `key`, which may go into debt by one burst.
  ///
  /// - Returns: False if the bucket was already empty.
  public mutating func take(_ tokens: Double = 1, of key: Key, at now: ContinuousClock.Instant) -> Bool {
    if buckets[key] == nil && buckets.count >= capacity {
      // A full bucket is the same as a new one.
      buckets = buckets.filter { fill($0.value, now).tokens < burst }
    }
    let isShared = buckets[key] == nil && buckets.count >= capacity
    var bucket = fill((isShared ? shared : buckets[key]) ?? Bucket(tokens: burst, filled: now), now)
    let isEnough = bucket.tokens > 0
    if isEnough { bucket.tokens = max(bucket.tokens - tokens, -burst) }
    if isShared { shared = bucket } else { buckets[key] = bucket }
    return isEnough
  }

  private func fill(_ bucket: Bucket, _ now: ContinuousClock.Instant) -> Bucket {
    let (seconds, attoseconds) = max(now - bucket.filled, .zero).components
    let passed = Double(seconds) + Double(attoseconds) * 1e-18
    return Bucket(tokens: min(burst, bucket.tokens + passed * rate), filled: now)
  }
}
