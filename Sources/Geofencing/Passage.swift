import Geodesy

#if canImport(Glibc)
  import Glibc
#endif

/// A circle that the straight way between two fixes goes through, though neither is in it.
struct Passage {
  /// The parts of the way (0 to 1) at which it goes in and out.
  let enter: Double
  let leave: Double
  /// How deep into the circle the way goes, in metres.
  let depth: Double

  /// The passage of the way from `a` to `b` through `circle`; `nil` where there is none.
  init?(from a: Point, to b: Point, through circle: Circle) {
    let way = b.vector - a.vector
    let offset = a.vector - circle.centerVector
    let square = way.dot(way)
    guard square > 0, square < Crossing.longestChord * Crossing.longestChord else { return nil }
    let nearest = -offset.dot(way) / square
    guard nearest > 0, nearest < 1 else { return nil }
    let missSquare = offset.dot(offset) - nearest * nearest * square
    let radius = circle.chord.lowerBound
    guard missSquare < radius * radius else { return nil }
    let half = ((radius * radius - max(0, missSquare)) / square).squareRoot()
    enter = nearest - half
    leave = nearest + half
    guard enter > 0, leave < 1 else { return nil }
    depth = radius - max(0, missSquare).squareRoot()
  }

  /// The length in metres of the shortest way from `a` to `b` around a circle `margin` metres smaller than `circle`: two
  /// tangents and the arc between them.
  static func wayRound(from a: Point, to b: Point, around circle: Circle, margin: Double) -> Double {
    let radius = circle.radius - margin
    let one = a.vector - circle.centerVector
    let other = b.vector - circle.centerVector
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
