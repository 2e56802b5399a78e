import CalendarModel
import Geodesy

/// The fences by number, in slots that stay theirs until they are removed.
struct FenceTable: Sendable {
  /// What is kept of a fence.
  struct Row: Sendable {
    var id: Int64
    var revision: Int64
    /// The circle, or the circle around the polygons.
    var center: Coordinate
    var radius: Double
  }

  private var slots: [Int64: Int32] = [:]
  private(set) var rows: [Row] = []
  private var vacant: [Int32] = []
  /// Fences whose region is not a circle.
  private var regions: [Int32: Region] = [:]
  /// Those that tell of presence.
  private var reporters: Set<Int32> = []

  /// How many fences there are.
  var count: Int { slots.count }

  /// Makes room for `count` fences.
  mutating func reserve(_ count: Int) {
    slots.reserveCapacity(count)
    rows.reserveCapacity(count)
  }

  /// The slot of a fence.
  func slot(of id: FenceID) -> Int32? { slots[id.rawValue] }

  /// The fence of a slot.
  func fence(_ slot: Int32) -> Fence {
    let row = rows[Int(slot)]
    return Fence(
      id: FenceID(rawValue: row.id),
      region: regions[slot] ?? .circle(center: row.center, radius: row.radius), revision: row.revision,
      reportsInitialPresence: reporters.contains(slot))
  }

  /// Adds a fence of a number that has no slot yet.
  mutating func add(_ fence: Fence) -> Int32 {
    var row = Row(
      id: fence.id.rawValue, revision: fence.revision, center: Coordinate(latitude: .nan, longitude: .nan),
      radius: .nan)
    if case .circle(let center, let radius) = fence.region {
      row.center = center
      row.radius = radius
    }
    let slot: Int32
    if let reused = vacant.popLast() {
      slot = reused
      rows[Int(slot)] = row
    } else {
      slot = Int32(rows.count)
      rows.append(row)
    }
    slots[fence.id.rawValue] = slot
    if case .polygons = fence.region { regions[slot] = fence.region }
    if fence.reportsInitialPresence { reporters.insert(slot) }
    return slot
  }

  /// Frees a slot.
  mutating func remove(_ slot: Int32) {
    slots[rows[Int(slot)].id] = nil
    regions[slot] = nil
    reporters.remove(slot)
    // A guess at the slot must not find it.
    rows[Int(slot)].revision = .max
    rows[Int(slot)].radius = .nan
    vacant.append(slot)
  }

  /// True where some fence tells of presence.
  var hasReporters: Bool { !reporters.isEmpty }

  /// The slots of the fences that tell of presence.
  var reporterSlots: Set<Int32> { reporters }
}
