import Geodesy
import Spatiotemporal

extension FenceEvaluator {
  /// Two fixes farther apart in time than this many seconds tell nothing of the way between them.
  static let longestSight = 120.0
  /// How much longer than the straight way a device is taken to have gone at most, where it states no speed: as much as a
  /// street that bends round a park.
  private static let usualDetour = 1.2
  /// And where it states its speed: what speedometers and the way's ups and downs allow for.
  private static let measuredDetour = 1.15
  /// And for fences that see who passes: whoever goes by on a road is to be told of, and some who took another road too.
  private static let passingDetour = 1.05

  /// Sees the fences that the device went through between two fixes, where it can't have gone round them.
  ///
  /// - Parameters:
  ///   - metres: the length of the way.
  ///   - slack: how far the way may be off, in metres, from the accuracy of both fixes.
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
