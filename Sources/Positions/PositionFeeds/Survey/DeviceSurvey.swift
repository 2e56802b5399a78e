import FencepostGeodesy
public import FencepostSpatiotemporal

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
  public private(set) var longestGapStart: Instant?
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
  /// The shortest step for speed and length, in seconds, so that jitter at one fix per second does not count as
  /// motion.
  private static let stride = 10.0

  /// A survey before the first fix.
  ///
  /// - Parameter maxSpeed: Metres per second. A faster step counts as a jump.
  public init(maxSpeed: Double) { self.maxSpeed = maxSpeed }

  /// The longest time without a fix, in seconds.
  public var longestGap: Double { intervals.largest }

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
    if seconds > intervals.largest { longestGapStart = last }
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
