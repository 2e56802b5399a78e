import FencepostAlgorithms
import FencepostGeodesy
import FencepostSpatiotemporal

/// Everything that a map shows, on one plane.
struct MapContent {
  struct DrawnTrack {
    var device: String
    var pieces: [[MapPlane.Point]]

    /// Times without positions: from the end of each piece to the start of the next. A cut at the edge of the
    /// world is no gap.
    var gaps: [(from: MapPoint, to: MapPoint)] {
      zip(pieces, pieces.dropFirst()).compactMap { before, after in
        guard let from = before.last?.place, let to = after.first?.place, abs(to.x - from.x) <= 0.5 else {
          return nil
        }
        return (from, to)
      }
    }
  }
  struct Fence {
    var fence: MapFence
    var outline: FenceOutline
  }
  struct Alarm {
    var alarm: MapAlarm
    /// Its number in the list, from 1.
    var number: Int
    /// The position of the device; `nil` if no track has it.
    var place: MapPoint?
  }

  var tracks: [DrawnTrack]
  var fences: [Fence]
  var alarms: [Alarm]
  var strays: [MapPoint]
  /// The northwest and southeast corners of the area that must be visible.
  var extent: (MapPoint, MapPoint)
  /// The time of the first and the last point of all tracks.
  var span: ClosedRange<Instant>?

  init(_ map: TraceMap) {
    let vertices = map.tracks.lazy.flatMap { $0.segments.joined().lazy.map(\.coordinate) }
    let crossed = map.fences.filter { $0.wasCrossed || map.tracks.isEmpty }
    let plane = MapPlane(
      around: Array(vertices) + crossed.compactMap(\.region.anchor)
        + map.alarms.compactMap(\.position).filter(\.isValid))
    tracks = map.tracks.map { track in
      DrawnTrack(device: track.device, pieces: track.segments.flatMap { plane.pieces(of: $0) })
    }
    fences = map.fences.compactMap { fence in
      FenceOutline(fence.region, on: plane).map { Fence(fence: fence, outline: $0) }
    }
    strays = map.strays.filter(\.isValid).map(plane.place)
    let found = tracks
    alarms = map.alarms.enumerated().map { index, alarm in
      let place = alarm.position.flatMap { $0.isValid ? plane.place($0) : nil }
      return Alarm(
        alarm: alarm, number: index + 1,
        place: place ?? MapContent.place(at: alarm.wentOffAt, device: alarm.device, in: found))
    }
    let moments = tracks.flatMap { $0.pieces.joined().map(\.time) }
    span = moments.min().flatMap { first in moments.max().map { first...$0 } }
    extent = MapContent.extent(
      tracks.flatMap { $0.pieces.joined().map(\.place) } + alarms.compactMap(\.place)
        + fences.filter { $0.fence.wasCrossed || found.isEmpty }.flatMap {
          [$0.outline.extent.0, $0.outline.extent.1]
        })
  }

  private static func extent(_ points: [MapPoint]) -> (MapPoint, MapPoint) {
    guard let first = points.first else { return (MapPoint(x: 0, y: 0), MapPoint(x: 1, y: 1)) }
    return points.reduce(into: (first, first)) { box, point in
      box.0 = MapPoint(x: min(box.0.x, point.x), y: min(box.0.y, point.y))
      box.1 = MapPoint(x: max(box.1.x, point.x), y: max(box.1.y, point.y))
    }
  }

  /// The position of a device at `time`; without a device name, that of the first device with a position
  /// then.
  private static func place(at time: Instant, device: String?, in tracks: [DrawnTrack]) -> MapPoint? {
    for track in tracks where device == nil || track.device == device {
      for piece in track.pieces {
        guard let first = piece.first, let last = piece.last, first.time <= time, time <= last.time else {
          continue
        }
        let after = piece.partitioningIndex { $0.time >= time }
        guard after > 0 else { return first.place }
        let (a, b) = (piece[after - 1], piece[after])
        return a.place.interpolated(
          to: b.place, fraction: time.seconds(since: a.time) / b.time.seconds(since: a.time))
      }
    }
    // Between two segments: the last position before.
    let candidates = tracks.filter { device == nil || $0.device == device }
    let seen = candidates.first?.pieces.joined().last { $0.time <= time }
    return seen?.place
  }
}

extension Region {
  /// Any valid point of the region.
  var anchor: Coordinate? {
    switch self {
    case .circle(let center, _): center.isValid ? center : nil
    case .polygons(let polygons): polygons.first?.exterior.first { $0.isValid }
    }
  }
}
