import Glibc

/// Quantiles of any number of values in memory that does not grow with them, to within 1 %.
///
/// Source: C. Masson, J. E. Rim, H. K. Lee, "DDSketch: a fast and fully-mergeable quantile sketch with
/// relative-error guarantees" (2019); each bucket answers with the mean of what fell into it, so that equal
/// values come out as they went in.
public struct QuantileSketch {
  private struct Bucket {
    var count = 0
    var sum = 0.0
  }

  private var buckets: [Int: Bucket] = [:]
  /// How many values there were.
  public private(set) var count = 0
  /// The largest of them.
  public private(set) var largest = 0.0

  private static let logarithmOfRatio = log(1.02)

  /// Takes a value that is not negative; others are left out.
  mutating func add(_ value: Double) {
    guard value >= 0, value.isFinite else { return }
    // What is below a millionth or beyond 10^15 is one bucket each.
    let bounded = min(max(value, 1e-6), 1e15)
    let index = Int((log(bounded) / QuantileSketch.logarithmOfRatio).rounded(.up))
    buckets[index, default: Bucket()].count += 1
    buckets[index, default: Bucket()].sum += value
    count += 1
    largest = max(largest, value)
  }

  /// The value below which half of all are; `nil` where there are none.
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
