import FencepostGeodesy
public import FencepostSpatiotemporal

/// A device crossed the boundary of a fence.
public struct Transition: Hashable, Sendable {
  /// The direction.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// From outside to inside.
    case enter
    /// From inside to outside.
    case leave
  }

  /// The fence.
  public var fence: FenceID
  /// The direction.
  public var kind: Kind
  /// When the device crossed the boundary, as exactly as the fixes allow.
  public var time: Instant
  /// When the policy was sure: the time of ``fix``; `nil` if that is ``time``.
  public var confirmedAt: Instant?
  /// The fix that settled it.
  public var fix: Fix
  /// True if ``time`` was interpolated between two fixes.
  public var isInterpolated: Bool
  /// True if the device was already inside at its first look at the fence (see
  /// ``Fence/reportsInitialPresence``). ``kind`` is then ``Kind/enter``.
  public var isInitial: Bool
  /// True if the fix before is older than the fence. The crossing may be older too: compare ``time`` with the
  /// fence.
  public var isFirstLook: Bool
  /// What settled the crossing.
  public var source: CrossingSource
  /// True if later fixes came before those that settled it: it does not show where the device is now.
  public var isLate: Bool

  /// When the crossing was sure: an interpolated one is known at the later of its two fixes.
  public var settledAt: Instant { confirmedAt ?? (isInterpolated ? fix.time : time) }

  /// A transition.
  public init(
    fence: FenceID, kind: Kind, time: Instant, confirmedAt: Instant? = nil, fix: Fix,
    isInterpolated: Bool = false, isInitial: Bool = false, isFirstLook: Bool = false,
    source: CrossingSource = .positions, isLate: Bool = false
  ) {
    self.fence = fence
    self.kind = kind
    self.time = time
    self.confirmedAt = confirmedAt
    self.fix = fix
    self.isInterpolated = isInterpolated
    self.isInitial = isInitial
    self.isFirstLook = isFirstLook
    self.source = source
    self.isLate = isLate
  }
}

/// Where a straight way meets a boundary.
enum Crossing {
  /// Longer ways, in metres, are geodesics. Shorter ones are chords, which are at most 8 m below the surface:
  /// too little to affect a distance.
  static let maximumChord = 20_000.0

  /// The fraction (0 to 1) of the way from `a` to `b` at which it meets the boundary of `circle`. One end
  /// must be inside and the other outside.
  static func fraction(from a: Point, to b: Point, of circle: Circle) -> Double {
    let way = b.vector - a.vector
    let square = way.dot(way)
    let doubt = circle.chord.upperBound - circle.chord.lowerBound
    if square > maximumChord * maximumChord || doubt > 0.01 || circle.radius > ChordBounds.reach {
      return bisect(from: a, to: b) { circle.contains($0.vector, $0.coordinate) }
    }
    guard square > 0 else { return 1 }
    let offset = a.vector - circle.centerVector
    let chord = circle.chord.lowerBound
    let c = offset.dot(offset) - chord * chord
    let half = offset.dot(way)
    let root = max(0, half * half - square * c).squareRoot()
    // Leaving uses the far root, entering the near one, each in the form without cancellation.
    let fraction: Double
    if c <= 0 {
      fraction = half > 0 ? -c / (half + root) : (root - half) / square
    } else {
      fraction = half < 0 ? c / (root - half) : 1
    }
    return min(1, max(0, fraction))
  }

  /// The fraction (0 to 1) of the geodesic from `a` to `b` at which `contains` changes, by bisection, to a
  /// centimetre.
  static func bisect(from a: Point, to b: Point, _ contains: (Point) -> Bool) -> Double {
    let way = Geodesic.inverse(from: a.coordinate, to: b.coordinate)
    let startsInside = contains(a)
    var low = 0.0
    var high = 1.0
    while (high - low) * way.metres > 0.01 && high - low > 1e-12 {
      let middle = (low + high) / 2
      let there = Geodesic.destination(
        from: a.coordinate, azimuth: way.azimuth, metres: way.metres * middle)
      if contains(Point(there)) == startsInside { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
