import FencepostGeodesy

/// Polygons, and circles that are too large for a grid of boundaries.
///
/// Grids find each by a disc around it, by the disc's size. Shapes as large as a good part of a continent are
/// in a list.
struct RegionTable: Sendable {
  private var shapes: [Int32: Shape] = [:]
  private var grids = FenceCollection.gridRadii.map { FenceGrid(maxRadius: $0) }
  /// Shapes whose disc is too large for all grids.
  private(set) var large: Set<Int32> = []

  /// True if there are no shapes.
  var isEmpty: Bool { shapes.isEmpty }

  /// The shape of a slot.
  subscript(slot: Int32) -> Shape? { shapes[slot] }

  /// Adds the shape of a slot.
  mutating func insert(_ shape: Shape, slot: Int32) {
    shapes[slot] = shape
    let disc = shape.disc
    if let grid = grids.firstIndex(where: { disc.radius <= $0.maxRadius }) {
      grids[grid].insert(disc, slot: slot)
    } else {
      large.insert(slot)
    }
  }

  /// Removes the shape of a slot, if there is one.
  mutating func remove(_ slot: Int32) {
    guard let disc = shapes.removeValue(forKey: slot)?.disc else { return }
    if let grid = grids.firstIndex(where: { disc.radius <= $0.maxRadius }) {
      grids[grid].remove(slot: slot, center: disc.center.coordinate)
    } else {
      large.remove(slot)
    }
  }

  /// Calls `body` with each shape that comes within this distance of a point, except for large ones. May
  /// include others.
  func forEach(near point: Point, within metres: Double, _ body: (Int32, Shape) -> Void) {
    for grid in grids where grid.count > 0 {
      grid.scanDiscs(near: point, within: metres) { slot in
        if let shape = shapes[slot] { body(slot, shape) }
      }
    }
  }

  /// Calls `body` with each large shape.
  func forEachLarge(_ body: (Int32, Shape) -> Void) {
    for slot in large {
      if let shape = shapes[slot] { body(slot, shape) }
    }
  }
}

/// A ball that contains a shape.
struct Disc {
  let center: Point
  /// A chord, in metres.
  let radius: Double
}

extension Shape {
  /// A disc around the shape.
  var disc: Disc {
    switch self {
    case .circle(let circle):
      Disc(
        center: Point(coordinate: circle.center, vector: circle.centerVector), radius: circle.chord.upperBound
      )
    case .polygons(let polygons): polygons.disc
    }
  }
}
