import FencepostGeodesy
public import FencepostSpatiotemporal

/// Simplifies tracks while they stream by, in bounded memory.
///
/// At the time of each fix, the simplified track is within ``tolerance`` of the device's position, on the map
/// and therefore on the ground. When the tracks need more vertices than allowed, the simplifier doubles the
/// tolerance and simplifies what it kept.
///
/// Cost: about 300 nanoseconds per fix.
public struct TrackSimplifier: Sendable {
  private struct OpenTrack: Sendable {
    var segments: [[TrackPoint]]
    var window: VelocityWindow

    init(start: VelocityWindow.Vertex) {
      segments = [[start.point]]
      window = VelocityWindow(start: start)
    }

    /// Adds a vertex. Returns how many vertices it keeps more than before.
    mutating func add(_ vertex: VelocityWindow.Vertex, startsSegment: Bool, tolerance: Double) -> Int {
      let seconds = vertex.point.time.seconds(since: window.latestTime)
      if startsSegment && seconds > 0 || seconds < -86_400 {
        let end = window.end
        if let end { segments[segments.count - 1].append(end.point) }
        segments.append([vertex.point])
        window = VelocityWindow(start: vertex)
        return end == nil ? 1 : 2
      }
      guard seconds > 0, let kept = window.extend(to: vertex, tolerance: tolerance) else { return 0 }
      segments[segments.count - 1].append(kept.point)
      return 1
    }
  }

  /// The largest distance between the simplified tracks and the fixes, in metres.
  public private(set) var tolerance: Double
  /// The maximum number of vertices of all tracks together.
  public let vertexLimit: Int
  /// The maximum number of devices to follow; ``omittedDevices`` counts the others.
  public let deviceLimit: Int
  /// The number of devices that it does not follow.
  public var omittedDevices: Int { omitted.count }

  private var openTracks: [DeviceNumber: OpenTrack] = [:]
  private var omitted: Set<DeviceNumber> = []
  private var vertexCount = 0

  /// A simplifier that starts with a `tolerance` in metres and keeps up to `vertexLimit` vertices, at least
  /// 64.
  public init(tolerance: Double = 0.5, vertexLimit: Int = 20_000) {
    self.tolerance = max(tolerance, 0.01)
    self.vertexLimit = max(vertexLimit, 64)
    deviceLimit = min(200, self.vertexLimit / 16)
  }

  /// Takes the next fix of its device. It drops a fix with an invalid coordinate, or a time not later than
  /// the one before. A clock that goes back by more than a day starts a new segment.
  public mutating func add(_ fix: Fix) {
    guard fix.coordinate.isValid else { return }
    let vertex = VelocityWindow.Vertex(
      TrackPoint(time: fix.time, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy))
    guard let place = openTracks.index(forKey: fix.device) else {
      begin(fix.device, at: vertex)
      return
    }
    vertexCount += openTracks.values[place].add(
      vertex, startsSegment: fix.startsSegment, tolerance: tolerance / MapPoint.metresAround)
    // Each open segment adds its end.
    if vertexCount + openTracks.count > vertexLimit { coarsen() }
  }

  private mutating func begin(_ device: DeviceNumber, at vertex: VelocityWindow.Vertex) {
    guard openTracks.count < deviceLimit else {
      if omitted.count < 100_000 { omitted.insert(device) }
      return
    }
    openTracks[device] = OpenTrack(start: vertex)
    vertexCount += 1
  }

  /// The tracks so far, ordered by device number.
  public var tracks: [(device: DeviceNumber, segments: [[TrackPoint]])] {
    openTracks.sorted { $0.key < $1.key }.map { device, track in
      var segments = track.segments
      if let end = track.window.end { segments[segments.count - 1].append(end.point) }
      return (device, segments)
    }
  }

  // MARK: Too many vertices

  /// Doubles the tolerance until a quarter of the vertices is free.
  private mutating func coarsen() {
    repeat {
      // The errors add up: old track to fixes, and new track to old track.
      let allowance = tolerance / MapPoint.metresAround
      tolerance *= 2
      vertexCount = 0
      for device in openTracks.keys {
        guard var track = openTracks.removeValue(forKey: device) else { continue }
        track.segments = TrackSimplifier.simplified(track.segments, tolerance: allowance)
        vertexCount += track.segments.reduce(0) { $0 + $1.count }
        openTracks[device] = track
      }
      // At the size of the Earth, simplifying further removes nothing.
    } while vertexCount + openTracks.count > vertexLimit / 4 * 3 && tolerance < 4 * MapPoint.metresAround
  }

  /// Simplifies each segment, and drops segments that stay near the end of the one before. The last segment
  /// stays, and so does its last point, where the track continues.
  private static func simplified(_ segments: [[TrackPoint]], tolerance: Double) -> [[TrackPoint]] {
    var kept: [[TrackPoint]] = []
    for (index, segment) in segments.enumerated() {
      if index < segments.count - 1, let last = kept.last?.last,
        segment.allSatisfy({ isNear($0, last, tolerance) })
      {
        continue
      }
      kept.append(simplified(segment, tolerance: tolerance))
    }
    return kept
  }

  private static func isNear(_ a: TrackPoint, _ b: TrackPoint, _ tolerance: Double) -> Bool {
    let (a, b) = (MapPoint(a.coordinate), MapPoint(b.coordinate))
    let (x, y) = (MapPoint.wrapped(a.x - b.x), a.y - b.y)
    return x * x + y * y <= tolerance * tolerance
  }

  private static func simplified(_ segment: [TrackPoint], tolerance: Double) -> [TrackPoint] {
    guard let first = segment.first, segment.count > 2 else { return segment }
    var kept = [first]
    var window = VelocityWindow(start: .init(first))
    for point in segment.dropFirst() {
      if let vertex = window.extend(to: .init(point), tolerance: tolerance) { kept.append(vertex.point) }
    }
    if let end = window.end { kept.append(end.point) }
    return kept
  }
}
