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
