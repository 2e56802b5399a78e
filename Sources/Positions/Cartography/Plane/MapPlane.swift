import FencepostGeodesy
import FencepostSpatiotemporal

/// The world map, cut at a longitude without content, so that a track over the antimeridian stays in one
/// piece.
struct MapPlane {
  /// A vertex of a track on the plane.
  struct Point: Hashable {
    var time: Instant
    var place: MapPoint
    var accuracy: Double?
  }

  /// The x in the middle of the content, 0 to 1. The plane reaches half a world to either side.
  let middle: Double

  /// A plane for `coordinates`, cut in the middle of the widest gap between their longitudes.
  init(around coordinates: some Sequence<Coordinate>) {
    let xs = coordinates.map { MapPoint($0).x }.sorted()
    guard let first = xs.first, let last = xs.last else {
      middle = 0.5
      return
    }
    // The gap over the antimeridian comes first, so it wins among gaps of equal width.
    var widest = (start: last, width: first + 1 - last)
    for (west, east) in zip(xs, xs.dropFirst()) where east - west > widest.width {
      widest = (west, east - west)
    }
    let middle = widest.start + widest.width / 2 + 0.5
    self.middle = middle - middle.rounded(.down)
  }

  /// Converts a coordinate to the plane.
  func place(_ coordinate: Coordinate) -> MapPoint {
    var point = MapPoint(coordinate)
    point.x = middle + MapPoint.wrapped(point.x - middle)
    return point
  }

  /// Splits a segment at the cut. The result is one piece unless the segment goes around the world.
  func pieces(of segment: [TrackPoint]) -> [[Point]] {
    var pieces: [[Point]] = []
    var piece: [Point] = []
    for point in segment {
      let next = Point(time: point.time, place: place(point.coordinate), accuracy: point.accuracy)
      if let last = piece.last, abs(next.place.x - last.place.x) > 0.5 {
        let (before, after) = cut(from: last, to: next)
        pieces.append(piece + [before])
        piece = [after]
      }
      piece.append(next)
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }

  /// The points where the line between two points leaves the plane and enters it again.
  private func cut(from a: Point, to b: Point) -> (Point, Point) {
    let goesEast = b.place.x < a.place.x
    let (exit, entry) = goesEast ? (middle + 0.5, middle - 0.5) : (middle - 0.5, middle + 0.5)
    let length = abs(exit - a.place.x) + abs(b.place.x - entry)
    let fraction = length > 0 ? abs(exit - a.place.x) / length : 0.5
    let time = a.time.adding(seconds: b.time.seconds(since: a.time) * fraction)
    let y = a.place.y + (b.place.y - a.place.y) * fraction
    return (
      Point(time: time, place: MapPoint(x: exit, y: y), accuracy: a.accuracy),
      Point(time: time, place: MapPoint(x: entry, y: y), accuracy: b.accuracy)
    )
  }
}
