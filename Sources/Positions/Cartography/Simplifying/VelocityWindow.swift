import FencepostSpatiotemporal
import Glibc

/// The points since the last vertex of a simplified track, kept as constraints on the next straight line.
///
/// From the vertex on, the track moves at a constant velocity. The line must pass each dropped point at its
/// time within the tolerance, so the velocity must lie in a square whose size shrinks with time. The
/// intersection of all these squares is a rectangle. So each point costs the same, and only the vertex and
/// the latest point are kept.
///
/// Source: the distance is the time-synchronised one of N. Meratnia and R. A. de By, "Spatiotemporal
/// compression techniques for moving point objects" (EDBT 2004). The window is that paper's opening window,
/// changed to a constant cost for each point.
struct VelocityWindow: Sendable {
  /// The last vertex.
  private(set) var start: Vertex
  /// The latest point, a possible end of the straight line.
  private(set) var end: Vertex?
  private var slowest = MapPoint(x: -.infinity, y: -.infinity)
  private var fastest = MapPoint(x: .infinity, y: .infinity)

  /// A point of a track and its position on the map.
  struct Vertex: Sendable {
    var point: TrackPoint
    var place: MapPoint

    init(_ point: TrackPoint) {
      self.point = point
      place = MapPoint(point.coordinate)
    }
  }

  /// A window with only the vertex `start`.
  init(start: Vertex) { self.start = start }

  /// The time of the latest point.
  var latestTime: Instant { (end ?? start).point.time }

  /// Takes the next point. It must be later than all before.
  ///
  /// - Parameter tolerance: The largest distance between the line and a point, as a fraction of the map's
  ///   width.
  /// - Returns: The point before, if it must become a vertex because no straight line fits. The window then
  ///   starts there.
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
    // The square inside the circle.
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
