public import Spatiotemporal
import Geodesy

/// What is known of a device's fixes in one trace, in memory that does not grow with them.
public struct DeviceSurvey {
  /// Seconds without a fix from which on that counts as a gap.
  static let gap = 600.0

  /// How many fixes there were.
  public private(set) var fixes = 0
  /// How many tracks or segments they were in.
  public private(set) var segments = 0
  /// Fixes at the time of the one before.
  public private(set) var duplicates = 0
  /// Fixes that are older than the latest.
  public private(set) var late = 0
  /// Steps between fixes that are faster than `maxSpeed`.
  public private(set) var jumps = 0
  /// The time of the first fix.
  public private(set) var first: Instant?
  /// The latest time.
  public private(set) var last: Instant?
  /// Seconds between fixes.
  public private(set) var intervals = QuantileSketch()
  /// How many times more than ten minutes passed without a fix.
  public private(set) var gaps = 0
  /// When the longest gap began.
  public private(set) var longestGapStart: Instant?
  /// Horizontal accuracies, in metres.
  public private(set) var accuracies = QuantileSketch()
  /// The highest speed over ten seconds or more, in metres a second, jumps left out.
  public private(set) var topSpeed = 0.0
  /// The length of the way in metres, jumps left out.
  public private(set) var metres = 0.0

  /// Where the way was measured from last.
  private var anchor: Fix?
  private var hasJumped = false
  private let maxSpeed: Double
  /// Seconds over which speed and length are taken, so that the jitter of a fix a second is not motion.
  private static let stride = 10.0

  /// The survey of a device that has sent nothing yet.
  ///
  /// - Parameter maxSpeed: Metres a second. What is faster counts as a jump.
  public init(maxSpeed: Double) { self.maxSpeed = maxSpeed }

  /// The longest time without a fix, in seconds.
  public var longestGap: Double { intervals.largest }

  /// Takes the next fix of the device.
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
      // A stray fix is passed over; if the next one is far away too, the device is there.
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
