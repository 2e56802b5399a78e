import Glibc

/// Estimates quantiles of any number of values within 1 %, in bounded memory.
///
/// Source: C. Masson, J. E. Rim, H. K. Lee, "DDSketch: a fast and fully-mergeable quantile sketch with relative-error
/// guarantees" (2019). Each bucket returns the mean of its values, so that equal values stay exact.
public struct QuantileSketch {
  private struct Bucket {
    var count = 0
    var sum = 0.0
  }

  private var buckets: [Int: Bucket] = [:]
  /// The number of values.
  public private(set) var count = 0
  /// The largest value.
  public private(set) var largest = 0.0

  private static let logarithmOfRatio = log(1.02)

  /// Adds a value; ignores negative ones.
  mutating func add(_ value: Double) {
    guard value >= 0, value.isFinite else { return }
    // All values below a millionth share one bucket, and so do all values above 10^15.
    let bounded = min(max(value, 1e-6), 1e15)
    let index = Int((log(bounded) / QuantileSketch.logarithmOfRatio).rounded(.up))
    buckets[index, default: Bucket()].count += 1
    buckets[index, default: Bucket()].sum += value
    count += 1
    largest = max(largest, value)
  }

  /// The median; `nil` if there are no values.
  public var median: Double? {
    guard count > 0 else { return nil }
    var below = 0
    for (_, bucket) in buckets.sorted(by: { $0.key < $1.key }) {
      below += bucket.count
      if 2 * below >= count { return bucket.sum / Double(bucket.count) }
    }
    return largest
  }
}
