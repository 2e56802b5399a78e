import CalendarModel
public import Geodesy

/// The fences that devices are held against, findable by place and by number.
///
/// A value: a copy is cheap and is not changed by changes to the original, so threads can share one.
public struct FenceIndex: Sendable {
  private var slots: [FenceID: Int] = [:]
  private var entries: [Entry] = []

  /// A fence and its geometry.
  struct Entry: Sendable {
    var fence: Fence
    var circle: Circle?
  }

  /// The highest revision of the fences that are or were in it.
  public private(set) var revision = Int64.min

  /// An index of `fences`. Of several with one number, the last counts.
  public init(_ fences: some Sequence<Fence> = []) {
    for fence in fences { insert(fence) }
  }

  /// How many fences there are.
  public var count: Int { entries.count }

  /// The fence of a number.
  public subscript(id: FenceID) -> Fence? { slots[id].map { entries[$0].fence } }

  /// Adds a fence, or moves the one of its number to where it is now.
  public mutating func insert(_ fence: Fence) {
    var circle: Circle?
    if case .circle(let center, let radius) = fence.region {
      circle = Circle(center: center, radius: radius)
    }
    let entry = Entry(fence: fence, circle: circle)
    revision = max(revision, fence.revision)
    if let slot = slots[fence.id] {
      entries[slot] = entry
    } else {
      slots[fence.id] = entries.count
      entries.append(entry)
    }
  }

  /// Removes a fence and returns it; `nil` where there was none.
  @discardableResult
  public mutating func remove(_ id: FenceID) -> Fence? {
    guard let slot = slots.removeValue(forKey: id) else { return nil }
    let removed = entries[slot].fence
    let last = entries.removeLast()
    if slot < entries.count {
      entries[slot] = last
      slots[last.fence.id] = slot
    }
    return removed
  }

  /// The numbers of the fences that contain `coordinate`, in ascending order.
  public func fences(containing coordinate: Coordinate) -> [FenceID] {
    let point = Point(coordinate)
    return entries.filter { $0.circle?.contains(point.vector, point.coordinate) ?? false }.map(\.fence.id)
      .sorted()
  }

  /// True where the fence of a number contains `coordinate`; `nil` where there is no such fence.
  public func contains(_ id: FenceID, _ coordinate: Coordinate) -> Bool? {
    slots[id].map { slot in
      let point = Point(coordinate)
      return entries[slot].circle?.contains(point.vector, point.coordinate) ?? false
    }
  }

  /// Calls `body` with each fence that contains just one of two points, and whether it is the second.
  func forEachChange(from a: Point, to b: Point, _ body: (borrowing Entry, Bool) -> Void) {
    for entry in entries {
      guard let circle = entry.circle else { continue }
      let inside = circle.contains(b.vector, b.coordinate)
      if inside != circle.contains(a.vector, a.coordinate) { body(entry, inside) }
    }
  }

  /// Calls `body` with each fence later than `revision` that tells of presence and contains `point`.
  func forEachInitialPresence(at point: Point, after revision: Int64, _ body: (borrowing Entry) -> Void) {
    for entry in entries where entry.fence.reportsInitialPresence && entry.fence.revision > revision {
      if entry.circle?.contains(point.vector, point.coordinate) ?? false { body(entry) }
    }
  }
}

/// A coordinate and its place in space.
struct Point: Sendable {
  let coordinate: Coordinate
  let vector: EarthVector

  init(_ coordinate: Coordinate) {
    self.coordinate = coordinate
    vector = EarthVector(coordinate)
  }
}
