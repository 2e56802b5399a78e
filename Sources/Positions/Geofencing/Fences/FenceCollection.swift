import FencepostGeodesy
import FencepostSpatiotemporal
import Synchronization

/// The contents of a ``FenceIndex``.
///
/// Grids have the circles, by size (``FenceGrid``), and a ``RegionTable`` has the other shapes.
///
/// Not copyable: each query would otherwise retain all that it refers to.
struct FenceCollection: ~Copyable, Sendable {
  private(set) var table = FenceTable()
  fileprivate(set) var grids = FenceCollection.gridRadii.map { FenceGrid(maxRadius: $0) }
  fileprivate(set) var regions = RegionTable()

  /// The largest radius in metres in each grid. Most fences are in the first. More grids would read fewer
  /// distant circles where small ones crowd, but more cells everywhere else.
  static let gridRadii = [512.0, 4_096, 32_768, 131_072]

  /// Differs between indexes that have ever changed separately.
  private(set) var version = FenceCollection.nextVersion()

  private static let versions = Atomic<UInt64>(0)

  private static func nextVersion() -> UInt64 {
    versions.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The highest revision of the fences that are or were here.
  private(set) var revision = Int64.min

  /// Treats fences up to `revision` as present, though they are not loaded yet.
  mutating func raiseRevision(to revision: Int64) { self.revision = max(self.revision, revision) }

  /// An index of `fences`. If several have the same number, the last wins.
  init(_ fences: some Sequence<Fence>) {
    table.reserve(fences.underestimatedCount)
    for fence in fences { insert(fence) }
  }

  /// A copy.
  init(copying other: borrowing FenceCollection) {
    table = other.table
    grids = other.grids
    regions = other.regions
    version = other.version
    revision = other.revision
  }

  // MARK: Fences by number

  /// How many fences there are.
  var count: Int { table.count }

  /// The fence of a number.
  subscript(id: FenceID) -> Fence? {
    guard let slot = table.slot(of: id) else { return nil }
    return table.fence(slot)
  }

  /// Adds a fence, or moves the one with the same number.
  mutating func insert(_ fence: Fence) {
    // A look for a number that is not there waits for memory.
    if fence.id <= table.latest { remove(fence.id) }
    version = FenceCollection.nextVersion()
    raiseRevision(to: fence.revision)
    let slot = table.add(fence)
    guard let shape = Shape(fence.region) else { return }
    if case .circle(let circle) = shape,
      let grid = FenceCollection.gridRadii.firstIndex(where: { circle.radius <= $0 })
    {
      grids[grid].insert(circle, slot: slot)
    } else {
      regions.insert(shape, slot: slot)
    }
  }

  /// Removes a fence and returns it; `nil` if there was none.
  @discardableResult
  mutating func remove(_ id: FenceID) -> Fence? {
    guard let slot = table.slot(of: id) else { return nil }
    let fence = table.fence(slot)
    if case .circle(let center, let radius) = fence.region, center.isValid, radius >= 0,
      let grid = FenceCollection.gridRadii.firstIndex(where: { radius <= $0 })
    {
      grids[grid].remove(slot: slot, center: center)
    } else {
      regions.remove(slot)
    }
    table.remove(slot)
    version = FenceCollection.nextVersion()
    return fence
  }

  // MARK: Fences by place

  /// The numbers of the fences that contain `coordinate`, in ascending order.
  func fences(containing coordinate: Coordinate) -> [FenceID] {
    guard coordinate.isValid else { return [] }
    let point = Point(coordinate)
    var found: [FenceID] = []
    forEachSlot(near: point) { slot in
      if shape(slot)?.contains(point) ?? false { found.append(id(slot)) }
    }
    return found.sorted()
  }

  /// True if the fence contains `coordinate`; `nil` if there is no such fence.
  func contains(_ id: FenceID, _ coordinate: Coordinate) -> Bool? {
    guard let slot = table.slot(of: id) else { return nil }
    return coordinate.isValid && shape(slot)?.contains(Point(coordinate)) ?? false
  }

  /// The number of the fence in a slot.
  func id(_ slot: Int32) -> FenceID { FenceID(rawValue: table.rows[Int(slot)].id) }

  /// The revision of the fence in a slot.
  func revision(_ slot: Int32) -> Int64 { table.rows[Int(slot)].revision }

  /// The slot of a fence; `guess` is usually right.
  func slot(of id: FenceID, guess: Int32) -> Int32? {
    let rows = table.rows
    return guess >= 0 && guess < rows.count && rows[Int(guess)].id == id.rawValue ? guess : table.slot(of: id)
  }

  /// True if the fence in a slot reports presence, not only crossings.
  func reportsPresence(_ slot: Int32) -> Bool {
    table.hasReporters && table.reporterSlots.contains(slot)
  }

  /// How a device looks at a fence whose boundary it has crossed.
  enum Look {
    /// It knows the fence.
    case known
    /// It sees the fence for the first time.
    case first
    /// The same, and the fence asks for a report of presence, which is no crossing.
    case ofPresence
  }

  /// How a device that was on the other side at its last fix looks at the fence in a slot.
  ///
  /// - Parameters:
  ///   - inside: whether it is inside now.
  ///   - seen: the revision up to which it has seen fences.
  ///   - reported: the one up to which its presence at the last fix was reported.
  @inline(__always)
  func look(at slot: Int32, inside: Bool, seen: Int64, reported: Int64) -> Look {
    let revision = revision(slot)
    if revision <= seen { return .known }
    guard reportsPresence(slot) else { return .first }
    if inside { return .ofPresence }
    return revision <= reported ? .known : .first
  }

  /// The shape of the fence in a slot; `nil` if it contains nothing.
  func shape(_ slot: Int32) -> Shape? {
    if let circle = table.circle(slot) { return .circle(circle) }
    return regions[slot]
  }

  /// The slot and the revision of a fence, and how a point lies to it; `nil` if there is no such fence, or it
  /// contains nothing.
  @inline(__always)
  func bearing(
    of id: FenceID, guess: Int32, from point: Point
  ) -> (slot: Int32, revision: Int64, bearing: Bearing)? {
    guard let slot = slot(of: id, guess: guess) else { return nil }
    let row = table.rows[Int(slot)]
    guard let bearing = row.bearing(from: point) ?? regions[slot]?.bearing(from: point) else { return nil }
    return (slot, row.revision, bearing)
  }

  /// Calls `body` with each fence newer than `revision` that reports presence and contains `point`.
  func forEachInitialPresence(at point: Point, after revision: Int64, _ body: (FenceID, Int32) -> Void) {
    guard table.hasReporters else { return }
    if revision == .min {
      forEachSlot(near: point) { slot in
        if table.reporterSlots.contains(slot), shape(slot)?.contains(point) ?? false { body(id(slot), slot) }
      }
    } else {
      for slot in table.reporterSlots where self.revision(slot) > revision {
        if shape(slot)?.contains(point) ?? false { body(id(slot), slot) }
      }
    }
  }

  private func forEachSlot(near point: Point, _ body: (Int32) -> Void) {
    for grid in grids { grid.scan(near: point, body) }
    regions.forEach(near: point, within: 0) { slot, _ in body(slot) }
    regions.forEachLarge { slot, _ in body(slot) }
  }
}

// Queries of an evaluator at each fix.
extension FenceCollection {
  /// Calls `body` with each fence that contains exactly one of two points, and whether that is the second.
  ///
  /// - Parameter vicinity: the known boundaries around the device. Updated here.
  func forEachChange(
    from a: Point, to b: Point, vicinity: inout Vicinity, _ body: (Int32, borrowing Shape, Bool) -> Void
  ) {
    func decide(_ slot: Int32, _ wanted: Bool?) {
      if let circle = table.circle(slot) {
        let inside = circle.contains(b.vector, b.coordinate)
        if inside != circle.contains(a.vector, a.coordinate) && inside == wanted ?? inside {
          body(slot, .circle(circle), inside)
        }
        return
      }
      guard let shape = regions[slot] else { return }
      let inside = shape.contains(b)
      if inside != shape.contains(a) && inside == wanted ?? inside { body(slot, shape, inside) }
    }
    // Known circles are measured together and decided after that. There are at most ``NearCircles/capacity``.
    var hits = InlineArray<32, Int32>(repeating: 0)
    var count = 0
    let suffices = vicinity.measure(from: a, to: b, version: version) {
      hits[count] = $0
      count += 1
    }
    if suffices {
      for place in 0..<count { decide(hits[place], nil) }
      return
    }
    let clear = regions.isEmpty ? .infinity : lookAtRegions(from: a, to: b, vicinity: &vicinity, decide)
    vicinity.renew(around: b, clear: clear, version: version) { reach, near in
      var extent = FenceGrid.SearchExtent()
      grids.withUnsafeBufferPointer { grids in
        for place in grids.indices where grids[place].count > 0 {
          let seen = grids[place].scan(from: a, to: b, reach: reach, near: &near, decide)
          extent.examined = min(extent.examined, seen.examined)
          extent.nearest = min(extent.nearest, seen.nearest)
        }
      }
      return extent
    }
  }

  /// Calls `body` with the slot of each region that may contain exactly one of two points, and the direction
  /// to check, like ``FenceGrid/scan(from:to:reach:near:_:)``. Returns the distance in metres around `b`
  /// without a region's boundary.
  private func lookAtRegions(
    from a: Point, to b: Point, vicinity: inout Vicinity, _ body: (Int32, Bool?) -> Void
  ) -> Double {
    let step = a.vector.distance(to: b.vector)
    let reach = vicinity.reach
    var clear = reach
    regions.forEach(near: b, within: reach) { slot, shape in
      clear = min(clear, shape.clearance(b))
      body(slot, step > reach ? true : nil)
    }
    if step > reach { regions.forEach(near: a, within: 0) { slot, _ in body(slot, false) } }
    guard !regions.large.isEmpty else { return clear }
    let known = vicinity.clearing.metres(from: a, to: b, version: version)
    if known >= reach { return clear }
    var far = Double.infinity
    regions.forEachLarge { slot, shape in
      far = min(far, shape.clearance(b))
      body(slot, nil)
    }
    vicinity.clearing = Clearing(center: b.vector, metres: far, version: version)
    return min(clear, far)
  }

  /// Calls `body` with each fence that comes within this distance of a point. May include others.
  func forEachShape(near point: Point, within metres: Double, _ body: (Int32, borrowing Shape) -> Void) {
    for grid in grids where grid.count > 0 {
      grid.scanDiscs(near: point, within: metres) { slot in
        if let circle = table.circle(slot) { body(slot, .circle(circle)) }
      }
    }
    regions.forEach(near: point, within: metres) { body($0, $1) }
    regions.forEachLarge { body($0, $1) }
  }

  /// Calls `body` with each fence that the straight way between two points may cross at least `depth` metres
  /// deep, if neither end is in it.
  ///
  /// - Parameter vicinity: the known boundaries around the device.
  func forEachPassage(
    from a: Point, to b: Point, depth: Double, _ vicinity: borrowing Vicinity,
    _ body: (Int32, borrowing Shape) -> Void
  ) {
    func tell(_ slot: Int32) {
      if let circle = table.circle(slot) { body(slot, .circle(circle)) }
    }
    if vicinity.scanPassages(from: a, to: b, depth: depth, version: version, tell) { return }
    for grid in grids where grid.count > 0 { grid.scanPassages(from: a, to: b, depth: depth, tell) }
    guard !regions.isEmpty else { return }
    let step = a.vector.distance(to: b.vector)
    regions.forEach(near: b, within: step) { body($0, $1) }
    if vicinity.clearing.metres(from: a, to: b, version: version) <= 0 {
      regions.forEachLarge { body($0, $1) }
    }
  }
}
