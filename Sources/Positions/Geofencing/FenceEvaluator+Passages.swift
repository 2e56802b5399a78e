import FencepostGeodesy
import FencepostSpatiotemporal

extension FenceEvaluator {
  /// If two fixes are more seconds apart than this, the way between them is unknown.
  static let longestSight = 120.0
  /// The longest detour of a device without a speed, relative to the straight way: a street around a park.
  private static let usualDetour = 1.2
  /// The same for a device that states its speed: tolerance for the speedometer and for hills.
  private static let measuredDetour = 1.15
  /// The same for fences that include passing: rather report a few devices that took another road.
  private static let passingDetour = 1.05

  /// Finds the fences that the device crossed between two fixes, if it can't have gone around them.
  ///
  /// - Parameters:
  ///   - metres: the length of the way.
  ///   - slack: the possible error of the way, in metres, from the accuracy of both fixes.
  func seePassages(
    _ fix: Fix, after last: DeviceState.LastFix, from there: Point, to here: Point, metres: Double,
    slack: Double,
    _ state: borrowing DeviceState, into transitions: inout [Transition], _ observer: ((Judgement) -> Void)?
  ) {
    let fences = index.fences
    let seconds = fix.time.seconds(since: last.time)
    var farthest = metres * FenceEvaluator.usualDetour
    if let speed = fix.speed, speed >= 0 {
      farthest = min(farthest, max(speed * seconds, metres) * FenceEvaluator.measuredDetour)
    }
    fences.pointee.forEachPassage(from: there, to: here, depth: slack, state.vicinity) { slot, shape in
      guard fences.pointee.revision(slot) <= state.seenRevision,
        let passage = Passage(from: there, to: here, through: shape, margin: slack),
        passage.wayRound(from: there, to: here)
          > (fences.pointee.table.seesPassing(slot) ? metres * FenceEvaluator.passingDetour : farthest)
      else { return }
      let fence = fences.pointee.id(slot)
      guard !state.doubts.contains(where: { $0.fence == fence }) else { return }
      observer?(
        Judgement(
          fence: fence, time: fix.time, believedInside: false, depth: -passage.depth, accuracy: slack,
          gain: 0, evidence: 0, needed: 0, circumstances: [], outcome: .passed))
      for (kind, fraction) in [(Transition.Kind.enter, passage.enter), (.leave, passage.leave)] {
        transitions.append(
          Transition(
            fence: fence, kind: kind, time: last.time.adding(seconds: seconds * fraction),
            confirmedAt: fix.time, fix: fix, isInterpolated: true, source: .passage))
      }
    }
  }
}
