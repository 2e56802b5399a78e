import FencepostGeodesy
public import FencepostSpatiotemporal
import Glibc

/// Statistics about a trace, by device.
public struct TraceSurvey {
  /// The maximum number of devices. Fixes of later devices are ignored.
  public static let deviceLimit = 10_000

  /// The reader's report.
  public var report: TraceReport
  /// The errors that ended the trace, or traces in its archive, early.
  public var interruptions: [FeedError] = []
  /// The names of the devices, by number.
  public var names: [String] = []
  private var surveys: [DeviceSurvey] = []
  private let maxSpeed: Double

  /// A survey before the first fix.
  ///
  /// - Parameter maxSpeed: Metres per second. A faster step counts as a jump.
  public init(report: TraceReport, maxSpeed: Double) {
    self.report = report
    self.maxSpeed = maxSpeed
  }

  /// Adds the next fix.
  public mutating func add(_ fix: Fix) {
    let index = Int(fix.device.rawValue)
    guard index < TraceSurvey.deviceLimit else { return }
    while surveys.count <= index { surveys.append(DeviceSurvey(maxSpeed: maxSpeed)) }
    surveys[index].add(fix)
  }

  /// The devices with fixes, in order of appearance.
  public var devices: [(name: String, survey: DeviceSurvey)] {
    zip(names, surveys).filter { $0.1.fixes > 0 }.map { ($0, $1) }
  }
}

/// Statistics about a device's fixes in one trace. Memory does not grow with their number.
public struct DeviceSurvey {
  /// The shortest time without a fix that counts as a gap, in seconds.
  static let gap = 600.0

  /// The number of fixes.
  public private(set) var fixes = 0
  /// The number of tracks or segments.
  public private(set) var segments = 0
  /// The number of fixes with the same time as the fix before.
  public private(set) var duplicates = 0
  /// The number of fixes older than the latest.
  public private(set) var late = 0
  /// The number of steps between fixes that are faster than `maxSpeed`.
  public private(set) var jumps = 0
  /// The time of the first fix.
  public private(set) var first: Instant?
  /// The latest time.
  public private(set) var last: Instant?
  /// The seconds between fixes.
  public private(set) var intervals = QuantileSketch()
  /// The number of gaps of more than ten minutes.
  public private(set) var gaps = 0
  /// The start of the longest gap.
  public private(set) var maximumGapStart: Instant?
  /// Horizontal accuracies in metres.
  public private(set) var accuracies = QuantileSketch()
  /// The highest speed over ten seconds or more, in metres per second, without jumps.
  public private(set) var topSpeed = 0.0
  /// The length of the track in metres, without jumps.
  public private(set) var metres = 0.0

  /// The fix from which the next step is measured.
  private var anchor: Fix?
  private var hasJumped = false
  private let maxSpeed: Double
  /// The shortest step for speed and length, in seconds, so that jitter at one fix per second does not count
  /// as motion.
  private static let stride = 10.0

  /// A survey before the first fix.
  ///
  /// - Parameter maxSpeed: Metres per second. A faster step counts as a jump.
  public init(maxSpeed: Double) { self.maxSpeed = maxSpeed }

  /// The longest time without a fix, in seconds.
  public var maximumGap: Double { intervals.largest }

  /// Adds the next fix of the device.
  public mutating func add(_ fix: Fix) {
    fixes += 1
    if fix.startsSegment || fixes == 1 { segments += 1 }
    if let accuracy = fix.horizontalAccuracy { accuracies.add(accuracy) }
    guard let last else {
      first = fix.time
      self.last = fix.time
      anchor = fix
      return
    }
    let seconds = fix.time.seconds(since: last)
    if seconds <= 0 {
      if seconds == 0 { duplicates += 1 } else { late += 1 }
      return
    }
    if seconds > intervals.largest { maximumGapStart = last }
    if seconds > DeviceSurvey.gap { gaps += 1 }
    intervals.add(seconds)
    self.last = fix.time
    measure(to: fix)
  }

  private mutating func measure(to fix: Fix) {
    guard let anchor, anchor.coordinate.isValid else {
      self.anchor = fix
      return
    }
    let seconds = fix.time.seconds(since: anchor.time)
    guard seconds >= DeviceSurvey.stride, fix.coordinate.isValid else { return }
    let metres = Geodesic.distance(from: anchor.coordinate, to: fix.coordinate)
    if metres / seconds > maxSpeed {
      jumps += 1
      // Skips a stray fix. If the next one is far away too, the device is there.
      if !hasJumped {
        hasJumped = true
        return
      }
    } else {
      topSpeed = max(topSpeed, metres / seconds)
      self.metres += metres
    }
    hasJumped = false
    self.anchor = fix
  }
}

/// Estimates quantiles of any number of values within 1 %, in bounded memory.
///
/// Source: C. Masson, J. E. Rim, H. K. Lee, "DDSketch: a fast and fully-mergeable quantile sketch with
/// relative-error guarantees" (2019). Each bucket returns the mean of its values, so that equal values stay
/// exact.
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
