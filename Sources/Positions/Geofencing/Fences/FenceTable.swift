import FencepostGeodesy
import FencepostSpatiotemporal

/// The fences by number. Each keeps its slot until it is removed.
struct FenceTable: Sendable {
  /// The data of a fence: 64 bytes. Decisions read the last 48. Large arrays begin 48 bytes into a cache
  /// line, so these bytes lie in one line, and one look at a fence waits for memory once.
  struct Row: Sendable {
    /// The circle's centre; NaN for other regions.
    var center: Coordinate
    var id: Int64
    var revision: Int64
    var radius: Double
    /// The centre again, so that trigonometry runs once; NaN if it is not on the globe.
    var centerVector: EarthVector

    /// How a point lies to the circle, or `nil` if the fence is not a circle, or contains nothing.
    @inline(__always)
    func bearing(from point: Point) -> Bearing? {
      let metres = point.vector.distance(to: centerVector)
      guard radius >= 0, metres >= 0 else { return nil }
      // Chords of small circles are as long as their arcs, to a few micrometres.
      let isPlain = radius < ChordBounds.short && abs(metres - radius) > ChordBounds.mostShortExcess
      return Bearing(
        isInside: isPlain
          ? metres < radius
          : Circle(center: center, radius: radius, centerVector: centerVector)?
            .contains(point.vector, point.coordinate) ?? false,
        depth: ChordBounds.geodesic(ofChord: metres) - radius, radius: radius)
    }
  }

  private var slots = SlotDirectory()
  private(set) var rows: [Row] = []
  private var vacant: [Int32] = []
  /// Fences whose region is not a circle.
  private var regions: [Int32: Region] = [:]
  /// Fences that report presence.
  private var reporters: Set<Int32> = []
  /// Fences that include passing.
  private var watchers: Set<Int32> = []

  /// The highest number of a fence that is or was here.
  private(set) var latest = FenceID(rawValue: .min)

  /// How many fences there are.
  var count: Int { slots.count }

  /// Makes room for `count` fences.
  mutating func reserve(_ count: Int) {
    slots.reserve(count) { [rows] in rows[Int($0)].id }
    rows.reserveCapacity(count)
  }

  /// The slot of a fence.
  func slot(of id: FenceID) -> Int32? { slots.find(id.rawValue) { rows[Int($0)].id } }

  /// The prepared circle in a slot, or `nil` if the slot has no circle, or one that contains nothing.
  @inline(__always)
  func circle(_ slot: Int32) -> Circle? {
    rows.withUnsafeBufferPointer { rows in
      let row = rows[Int(slot)]
      return Circle(center: row.center, radius: row.radius, centerVector: row.centerVector)
    }
  }

  /// The fence of a slot.
  func fence(_ slot: Int32) -> Fence {
    let row = rows[Int(slot)]
    return Fence(
      id: FenceID(rawValue: row.id),
      region: regions[slot] ?? .circle(center: row.center, radius: row.radius), revision: row.revision,
      reportsInitialPresence: reporters.contains(slot), seesPassing: watchers.contains(slot))
  }

  /// Adds a fence whose number has no slot yet.
  mutating func add(_ fence: Fence) -> Int32 {
    var row = Row(
      center: Coordinate(latitude: .nan, longitude: .nan), id: fence.id.rawValue, revision: fence.revision,
      radius: .nan, centerVector: EarthVector(x: .nan, y: .nan, z: .nan))
    if case .circle(let center, let radius) = fence.region {
      row.center = center
      row.radius = radius
      if center.isValid { row.centerVector = EarthVector(center) }
    }
    let slot: Int32
    if let reused = vacant.popLast() {
      slot = reused
      rows[Int(slot)] = row
    } else {
      slot = Int32(rows.count)
      rows.append(row)
    }
    slots.insert(slot) { [rows] in rows[Int($0)].id }
    latest = max(latest, fence.id)
    if case .polygons = fence.region { regions[slot] = fence.region }
    if fence.reportsInitialPresence { reporters.insert(slot) }
    if fence.seesPassing { watchers.insert(slot) }
    return slot
  }

  /// Frees a slot.
  mutating func remove(_ slot: Int32) {
    slots.remove(rows[Int(slot)].id) { [rows] in rows[Int($0)].id }
    regions[slot] = nil
    reporters.remove(slot)
    watchers.remove(slot)
    // So that a guessed slot does not find it.
    rows[Int(slot)].revision = .max
    rows[Int(slot)].radius = .nan
    vacant.append(slot)
  }

  /// True if the fence in a slot includes passing.
  func seesPassing(_ slot: Int32) -> Bool { !watchers.isEmpty && watchers.contains(slot) }

  /// True if some fence reports presence.
  var hasReporters: Bool { !reporters.isEmpty }

  /// The slots of the fences that report presence.
  var reporterSlots: Set<Int32> { reporters }
}

/// The slots of numbers: a hash table with 4 bytes a place. The slots themselves have the numbers.
struct SlotDirectory: Sendable {
  /// Slots in open addressing, in a power of two of places; ``vacant`` for a free one.
  private var places: [Int32] = []
  private(set) var count = 0

  private static let vacant: Int32 = -1

  /// Makes room for `count` numbers.
  mutating func reserve(_ count: Int, _ number: (Int32) -> Int64) {
    var size = max(16, places.count)
    while count * 4 > size * 3 { size *= 2 }
    guard size > places.count else { return }
    let old = places
    places = [Int32](repeating: SlotDirectory.vacant, count: size)
    for slot in old where slot != SlotDirectory.vacant { put(slot, number(slot)) }
  }

  /// The slot of a number.
  ///
  /// - Parameter number: returns the number in a slot.
  func find(_ wanted: Int64, _ number: (Int32) -> Int64) -> Int32? {
    guard !places.isEmpty else { return nil }
    var place = home(wanted)
    while places[place] != SlotDirectory.vacant {
      if number(places[place]) == wanted { return places[place] }
      place = next(place)
    }
    return nil
  }

  /// Adds the slot of a number that has none yet.
  mutating func insert(_ slot: Int32, _ number: (Int32) -> Int64) {
    reserve(count + 1, number)
    put(slot, number(slot))
    count += 1
  }

  /// Removes a number that has a slot.
  mutating func remove(_ wanted: Int64, _ number: (Int32) -> Int64) {
    guard !places.isEmpty else { return }
    var hole = home(wanted)
    while places[hole] != SlotDirectory.vacant, number(places[hole]) != wanted { hole = next(hole) }
    guard places[hole] != SlotDirectory.vacant else { return }
    count -= 1
    // Entries behind it move up if they may fill the hole, so that no search ends too soon.
    var place = next(hole)
    while places[place] != SlotDirectory.vacant {
      let fromHome = (place - home(number(places[place]))) & (places.count - 1)
      if fromHome >= (place - hole) & (places.count - 1) {
        places[hole] = places[place]
        hole = place
      }
      place = next(place)
    }
    places[hole] = SlotDirectory.vacant
  }

  private mutating func put(_ slot: Int32, _ number: Int64) {
    var place = home(number)
    while places[place] != SlotDirectory.vacant { place = next(place) }
    places[place] = slot
  }

  private func home(_ number: Int64) -> Int {
    let mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: (mixed ^ mixed >> 32) & UInt64(places.count - 1))
  }

  private func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }
}
