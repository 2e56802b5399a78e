/// How often each of many may do something: a bucket of tokens for each, which fills up as time passes.
public struct RateLimit<Key: Hashable> {
  /// Tokens a second.
  public var rate: Double
  /// How many a bucket holds.
  public var burst: Double
  /// How many buckets are kept at most; whoever comes beyond that shares one.
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

  /// Takes tokens out of the bucket of `key`, which may run into debt of one burst.
  ///
  /// - Returns: False where there was none left before.
  public mutating func take(_ tokens: Double = 1, of key: Key, at now: ContinuousClock.Instant) -> Bool {
    if buckets[key] == nil && buckets.count >= capacity {
      // Full ones say nothing that a new one does not.
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
