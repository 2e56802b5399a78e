import CalendarModel
import Geodesy
import Geofencing

/// What is known of a device's fixes in one trace, in memory that does not grow with them.
struct DeviceSurvey {
  /// Seconds without a fix from which on that counts as a gap.
  static let gap = 600.0

  private(set) var fixes = 0
  private(set) var segments = 0
  /// Fixes at the time of the one before.
  private(set) var duplicates = 0
  /// Fixes that are older than the latest.
  private(set) var late = 0
  /// Ways that nobody can have gone: faster than the robust policy believes.
  private(set) var jumps = 0
  private(set) var first: Instant?
  private(set) var last: Instant?
  private(set) var intervals = QuantileSketch()
  private(set) var gaps = 0
  /// When the longest gap began.
  private(set) var longestGapStart: Instant?
  private(set) var accuracies = QuantileSketch()
  /// The highest speed over ten seconds or more, in metres a second, jumps left out.
  private(set) var topSpeed = 0.0
  /// The length of the way in metres, jumps left out.
  private(set) var metres = 0.0

  /// Where the way was measured from last.
  private var anchor: Fix?
  private var hasJumped = false
  private static let fastest = RobustParameters().maxSpeed
  /// Seconds over which speed and length are taken, so that the jitter of a fix a second is not motion.
  private static let stride = 10.0

  /// The longest time without a fix, in seconds.
  var longestGap: Double { intervals.largest }

  /// Takes the next fix of the device.
  mutating func add(_ fix: Fix) {
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
    if metres / seconds > DeviceSurvey.fastest {
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
