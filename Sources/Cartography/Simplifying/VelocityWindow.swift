import CalendarModel
import Glibc

/// The points since the last vertex of a simplified way, kept as what they ask of the straight way on.
///
/// From the vertex on, the way goes on at a steady velocity. Each point that is left out asks that this way
/// pass it, at the time of the point, within the tolerance: its velocity must lie in a square, the size of which
/// shrinks with time. What all of them ask is the squares' intersection, a rectangle. So a point costs the
/// same whatever came before, and none is kept but the vertex and the latest.
///
/// Source: the distance is the time-synchronised one of N. Meratnia and R. A. de By, "Spatiotemporal
/// compression techniques for moving point objects" (EDBT 2004); the window is the opening one of the same
/// paper, made to cost the same for each point.
struct VelocityWindow: Sendable {
  /// The last vertex.
  private(set) var start: Vertex
  /// The latest point, at which the straight way may end.
  private(set) var end: Vertex?
  private var slowest = MapPoint(x: -.infinity, y: -.infinity)
  private var fastest = MapPoint(x: .infinity, y: .infinity)

  /// A point of a track and where it is on the map.
  struct Vertex: Sendable {
    var point: TrackPoint
    var place: MapPoint

    init(_ point: TrackPoint) {
      self.point = point
      place = MapPoint(point.coordinate)
    }
  }

  /// Nothing but the vertex `start`.
  init(start: Vertex) { self.start = start }

  /// The time of the latest point.
  var latestTime: Instant { (end ?? start).point.time }

  /// Takes the next point, later than all before.
  ///
  /// - Parameter tolerance: How far the straight way may pass a point, as a part of the map's width.
  /// - Returns: The point before, where it has to be a vertex as no straight way leads on; the window goes on
  ///   from there.
  mutating func extend(to next: Vertex, tolerance: Double) -> Vertex? {
    var vertex: Vertex?
    var seconds = next.point.time.seconds(since: start.point.time)
    var velocity = velocity(to: next, seconds: seconds)
    let isStraight =
      velocity.x >= slowest.x && velocity.x <= fastest.x && velocity.y >= slowest.y && velocity.y <= fastest.y
    if !isStraight, let end {
      vertex = end
      self = VelocityWindow(start: end)
      seconds = next.point.time.seconds(since: end.point.time)
      velocity = self.velocity(to: next, seconds: seconds)
    }
    // A square within the circle.
    let slack = tolerance * 0.5.squareRoot() / seconds
    slowest = MapPoint(x: max(slowest.x, velocity.x - slack), y: max(slowest.y, velocity.y - slack))
    fastest = MapPoint(x: min(fastest.x, velocity.x + slack), y: min(fastest.y, velocity.y + slack))
    end = next
    return vertex
  }

  private func velocity(to next: Vertex, seconds: Double) -> MapPoint {
    MapPoint(
      x: MapPoint.wrapped(next.place.x - start.place.x) / seconds, y: (next.place.y - start.place.y) / seconds
    )
  }
}
