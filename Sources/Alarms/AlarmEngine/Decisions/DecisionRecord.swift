import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing

/// What is recorded of an alarm and a device near its place, which may still change.
struct DecisionRecord {
  /// How many metres a device that left must be away before it can come near again.
  private static let minimumDistance = 100.0

  var fence: FenceID
  var decision: AlarmDecision
  /// The place, once the alarm was read.
  var region: Region?
  var isInside: Bool { decision.isInside }
  /// False while the device has not been far enough from a boundary that it crossed. Such a record says nothing
  /// and is not saved.
  var isArmed: Bool
  /// Whether it is to be saved.
  var isChanged: Bool

  /// A change of the distance by fewer metres is not recorded: 2 m, or 2 % of it.
  static func resolution(at depth: Double) -> Double { max(2, 0.02 * abs(depth)) }

  /// Lets the record last until `time` at least.
  mutating func extend(to time: Instant) {
    decision.until = max(decision.until, time)
    isChanged = true
  }

  /// Records how far the boundary is from a fix.
  mutating func follow(_ depth: Double, _ fix: Fix) {
    decision.until = max(decision.until, fix.time)
    if !isArmed {
      guard depth >= DecisionRecord.minimumDistance else { return }
      isArmed = true
      decision.from = fix.time
    }
    let isNearer = decision.nearest.map { decision.isInside ? depth > $0.metres : depth < $0.metres } ?? true
    guard isNearer else { return }
    decision.nearest = AlarmDecision.Nearest(
      metres: depth, time: fix.time, accuracy: fix.horizontalAccuracy)
    isChanged = true
  }

  /// By how many metres the distance may change before there is something to record.
  func slack(at depth: Double, _ range: Double) -> Double {
    guard isArmed else { return DecisionRecord.minimumDistance - depth }
    let best = decision.nearest?.metres ?? depth
    return decision.isInside ? best - depth : min(depth - best, 1.25 * range - depth)
  }

  /// Records a judgement. Returns whether it is worth saving now.
  mutating func judge(_ judgement: Judgement) -> Bool {
    guard judgement.time >= decision.from else { return false }
    let doubtful = Judgement.Outcome.doubtful
    let isNew = judgement.outcome == doubtful && decision.doubt != doubtful.rawValue
    if isNew { decision.doubts += 1 }
    decision.doubt = judgement.outcome.rawValue
    decision.doubtTime = judgement.time
    guard isNew || judgement.outcome != doubtful else { return false }
    isChanged = true
    return true
  }
}
