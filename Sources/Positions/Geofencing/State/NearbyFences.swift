public import FencepostGeodesy

/// The fences near a device, and how far their boundaries are: for records of what was decided. No decision
/// uses it.
///
/// While the device moves so little that nothing new can be measured, a fix costs a few nanoseconds.
public struct NearbyFences: Sendable {
  /// A fence near the device.
  public struct Entry: Sendable {
    /// The fence.
    public let fence: FenceID
    fileprivate var slot: Int32
    /// Metres from the boundary to the last measured fix; negative inside.
    public fileprivate(set) var depth: Double
    /// By how many metres ``depth`` may change before the caller wants to measure again.
    public var slack = 0.0
  }

  /// A fence is near if its boundary is within this many metres, or the fence contains the device.
  public static let range = 1_000.0
  /// Fences are collected this many metres farther, so that not each fix has to search.
  private static let margin = 500.0
  /// At most so many fences are near, the nearest ones: where there are thousands, the range is smaller.
  public static let maximumCount = 32
  /// The metres after which fences are collected again, at least.
  private static let minimumStep = 50.0

  /// The collected fences; not all of them are near.
  public var entries: [Entry] = []
  /// From how many metres on a fence is no longer near.
  public private(set) var range = NearbyFences.range
  /// Where they were collected, and how far the device may move from there.
  private var collected: Point?
  private var reach = 0.0
  /// The version of the index that they are from.
  private var version: UInt64 = 0
  private var free = FreeDisc(around: Point(Coordinate(latitude: 0, longitude: 0)))

  /// No fences, before the first fix.
  public init() {}

  /// True if a fix at `coordinate` can't bring anything new.
  @inline(__always)
  public func covers(_ coordinate: Coordinate, in index: FenceIndex) -> Bool {
    free.contains(coordinate) && version == index.fences.pointee.version
  }

  /// Measures the fences from `coordinate`, which must be valid. Then the caller sets the ``Entry/slack`` of
  /// each entry, and calls ``settle(at:)``.
  ///
  /// - Returns: Whether the entries were collected again: some may be new, and others gone.
  public mutating func measure(from coordinate: Coordinate, in index: FenceIndex) -> Bool {
    let here = Point(coordinate)
    if version == index.fences.pointee.version, let collected,
      collected.vector.distance(to: here.vector) < reach
    {
      for place in entries.indices {
        let entry = entries[place]
        let fences = index.fences
        if let (slot, _, bearing) = fences.pointee.bearing(of: entry.fence, guess: entry.slot, from: here) {
          entries[place].slot = slot
          entries[place].depth = bearing.depth
        }
      }
      return false
    }
    collect(around: here, in: index)
    return true
  }

  /// Ends the measuring at `coordinate`: until the device has moved by the smallest slack,
  /// ``covers(_:in:)`` is true.
  public mutating func settle(at coordinate: Coordinate) {
    let here = Point(coordinate)
    let left = reach - (collected?.vector.distance(to: here.vector) ?? .infinity)
    free = FreeDisc(around: here, metres: entries.reduce(left) { min($0, $1.slack) })
  }

  /// Lets the next fix measure, wherever it is.
  public mutating func unsettle() { free = FreeDisc(around: free.center) }

  private mutating func collect(around here: Point, in index: FenceIndex) {
    let within = NearbyFences.range + NearbyFences.margin
    entries.removeAll(keepingCapacity: true)
    index.fences.pointee.forEachShape(near: here, within: within) { slot, shape in
      let depth = shape.depth(here)
      guard depth <= within else { return }
      entries.append(Entry(fence: index.fences.pointee.id(slot), slot: slot, depth: depth))
    }
    var known = within
    if entries.count > NearbyFences.maximumCount {
      entries.sort { abs($0.depth) < abs($1.depth) }
      known = min(within, abs(entries[NearbyFences.maximumCount].depth))
      entries.removeSubrange(NearbyFences.maximumCount...)
    }
    range = known * NearbyFences.range / within
    reach = max(known - range, NearbyFences.minimumStep)
    collected = here
    version = index.fences.pointee.version
  }
}
