import FencepostGeodesy
import FencepostSpatiotemporal

#if canImport(Glibc)
  import Glibc
#endif

/// A fence that the straight way between two fixes crosses, though neither is in it.
struct Passage {
  /// The fractions of the way (0 to 1) at which it goes in and out.
  let enter: Double
  let leave: Double
  /// How deep into the fence the way goes, in metres.
  let depth: Double
  /// A disc inside the fence on the way: a device that can't have gone around it was in the fence.
  let disc: Disc

  /// The ends of a straight line in the fence, across the way: a device that did not cross it went around one
  /// of them.
  private var ends: [EarthVector] = []
  /// The fence is taken to be smaller by this many metres.
  private let margin: Double

  /// The passage of the way from `a` to `b` through a fence, at least `margin` metres deep; `nil` if there is
  /// none.
  init?(from a: Point, to b: Point, through shape: borrowing Shape, margin: Double) {
    switch shape {
    case .circle(let circle): self.init(from: a, to: b, through: circle, margin)
    case .polygons(let polygons): self.init(from: a, to: b, through: polygons, margin)
    }
  }

  private init?(from a: Point, to b: Point, through circle: Circle, _ margin: Double) {
    let way = b.vector - a.vector
    let offset = a.vector - circle.centerVector
    let square = way.dot(way)
    guard square > 0, square < Crossing.maximumChord * Crossing.maximumChord else { return nil }
    let nearest = -offset.dot(way) / square
    guard nearest > 0, nearest < 1 else { return nil }
    let missSquare = offset.dot(offset) - nearest * nearest * square
    let radius = circle.chord.lowerBound
    guard missSquare < radius * radius else { return nil }
    let half = ((radius * radius - max(0, missSquare)) / square).squareRoot()
    enter = nearest - half
    leave = nearest + half
    guard enter > 0, leave < 1 else { return nil }
    self.margin = margin
    depth = radius - max(0, missSquare).squareRoot()
    guard depth >= margin else { return nil }
    disc = Disc(center: Point(coordinate: circle.center, vector: circle.centerVector), radius: circle.radius)
  }

  /// For polygons, the disc is around the deepest of ``samples`` points of the way.
  private init?(from a: Point, to b: Point, through polygons: PreparedPolygons, _ margin: Double) {
    let way = b.vector - a.vector
    guard way.dot(way) < Crossing.maximumChord * Crossing.maximumChord, !polygons.contains(a.vector),
      !polygons.contains(b.vector)
    else { return nil }
    let crossings = polygons.crossings(from: a, to: b)
    guard let enter = crossings.first, let leave = crossings.last, enter < leave else { return nil }
    var deepest: (depth: Double, point: Point)?
    for sample in 0..<Passage.samples {
      let fraction = enter + (leave - enter) * (Double(sample) + 0.5) / Double(Passage.samples)
      let point = Point(a.vector + way.scaled(fraction))
      guard polygons.contains(point.vector) else { continue }
      let depth = polygons.distance(point.vector)
      if depth > deepest?.depth ?? 0 { deepest = (depth, point) }
    }
    guard let deepest, deepest.depth >= margin else { return nil }
    self.margin = margin
    self.enter = enter
    self.leave = leave
    depth = deepest.depth
    disc = Disc(center: deepest.point, radius: deepest.depth)
    guard let across = deepest.point.vector.cross(way).unit else { return }
    let length = way.dot(way).squareRoot()
    ends = [1, -1].map { side in
      Passage.end(of: across.scaled(side), from: deepest, in: polygons, margin, farthest: length)
    }
  }

  /// The last point, at most `farthest` metres away, up to which a straight line stays this deep within
  /// polygons.
  private static func end(
    of direction: EarthVector, from start: (depth: Double, point: Point), in polygons: PreparedPolygons,
    _ margin: Double, farthest: Double
  ) -> EarthVector {
    var end = start.point.vector
    var depth = start.depth
    var metres = 0.0
    for _ in 0..<samples {
      // The boundary is at least the depth away.
      let next = metres + max(depth - margin, 0.5)
      let there = start.point.vector + direction.scaled(next)
      guard next <= farthest, polygons.contains(there) else { break }
      depth = polygons.distance(there)
      guard depth >= margin else { break }
      metres = next
      end = there
    }
    return end
  }

  private static let samples = 33

  /// A lower bound, in metres, on the length of all ways from `a` to `b` around the fence.
  func wayRound(from a: Point, to b: Point) -> Double {
    let aroundLine = ends.map { a.vector.distance(to: $0) + b.vector.distance(to: $0) }.min() ?? 0
    return max(aroundLine, wayRoundDisc(from: a, to: b))
  }

  /// The length in metres of the shortest way from `a` to `b` around ``disc``: two tangents and the arc
  /// between them.
  private func wayRoundDisc(from a: Point, to b: Point) -> Double {
    let radius = disc.radius - margin
    let one = a.vector - disc.center.vector
    let other = b.vector - disc.center.vector
    let far = one.dot(one).squareRoot()
    let near = other.dot(other).squareRoot()
    guard radius > 0, far > radius, near > radius else { return 0 }
    let angle = acos(max(-1, min(1, one.dot(other) / (far * near))))
    let arc = angle - acos(radius / far) - acos(radius / near)
    guard arc > 0 else { return 0 }
    return (far * far - radius * radius).squareRoot() + (near * near - radius * radius).squareRoot() + radius
      * arc
  }
}

extension FenceEvaluator {
  /// If two fixes are more seconds apart than this, the way between them is unknown.
  static let maximumPassageGap = 120.0
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
