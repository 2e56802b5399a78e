import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import Glibc

/// Loads fences from the store into the evaluator's index as devices come near them.
///
/// The store's spatial index finds the fences of one tile of the globe at a time, so a replay in one town
/// does not wait for a million distant fences. A fence that is loaded late is not new. So the index gets the
/// number of the newest fence at the start, and a device counts as having seen them all.
struct FenceLoader {
  /// Width and height of a tile in degrees.
  private static let tile = 1.0
  /// A tile also loads the fences this many degrees of latitude (about 20 km) around it, so that its edge
  /// needs no special care.
  private static let margin = 0.2
  /// If the way between two fixes spans more tiles than this, only its ends are loaded: fences under a flight
  /// do not count.
  private static let maximumTilesOfWay = 64

  struct Tile: Hashable {
    var row: Int
    var column: Int

    /// Whether this is the tile of a coordinate. Asked for each fix, so it compares instead of dividing.
    func contains(_ coordinate: Coordinate) -> Bool {
      let (south, west) = (Double(row) * tile, Double(column) * tile)
      return coordinate.latitude >= south && coordinate.latitude < south + tile
        && coordinate.longitude >= west && coordinate.longitude < west + tile
    }
  }

  private let store: CalendarStore
  /// Whether to keep the alarms of all loaded fences: a trace crosses many of them in a short time.
  private let keepsAlarms: Bool
  /// Whether alarms of an item that are numbered in a row share a fence if theirs are alike, such as those of
  /// an arrival and a departure. Then half as many boundaries are weighed. Not if states are kept, which name
  /// the fence of each alarm.
  private let sharesFences: Bool
  /// The number of the newest fence at the start: later ones are new to each device.
  private let newest: Int64
  private var loaded: Set<Tile> = []
  /// Which fences of the index belong to an item. Empty if alarms share fences.
  private var owners = FenceOwners()
  /// How many fences were read from the store.
  private(set) var fencesRead = 0
  /// The tile of the last fix that was loaded for; `nil` if that fix has no position.
  private(set) var last: Tile?

  init(store: CalendarStore, keepsAlarms: Bool, sharesFences: Bool, into index: inout FenceIndex) throws {
    self.store = store
    self.keepsAlarms = keepsAlarms
    self.sharesFences = sharesFences
    newest = try store.read { try $0.latestFenceNumber() }
    index.raiseRevision(to: newest)
  }

  /// Whether the fences of an item can be read again.
  var knowsItems: Bool { !sharesFences }

  /// Reads the fences of an item again.
  ///
  /// - Returns: All of them, and those that are new to the index, or have moved.
  mutating func reload(
    _ item: Identifier<CalendarItem>, into index: inout FenceIndex
  ) throws -> (all: [StoredFence], changed: [Fence]) {
    let all = try store.read { try $0.fences(of: item) }
    let current = all.map(AlarmEngine.fence)
    fencesRead += current.count
    for before in owners.remove(item) where !current.contains(where: { $0.id == before }) {
      // Perhaps it belongs to another item with the same digest.
      if try store.read({ try $0.fence(number: before.rawValue) }) == nil {
        index.remove(before)
      } else {
        owners.add(before, of: item)
      }
    }
    for fence in current { owners.add(fence.id, of: item) }
    let changed = current.filter { index[$0.id] != $0 }
    for fence in changed { index.insert(fence) }
    return (all, changed)
  }

  /// Loads the fences near a fix and on the way to it from the device's last one.
  mutating func load(
    for fix: Coordinate, after before: Coordinate?, into index: inout FenceIndex, _ alarms: inout FenceAlarms
  ) throws {
    guard fix.isValid else {
      // The fix has no position; the next fix decides what to load.
      last = nil
      return
    }
    let here = FenceLoader.tile(of: fix)
    let there = before.flatMap { $0.isValid ? FenceLoader.tile(of: $0) : nil } ?? here
    for tile in FenceLoader.way(from: there, to: here) { try load(tile, into: &index, &alarms) }
    last = here
  }

  /// True if nothing needs to be loaded for a fix, because it and the device's last one are in `tile`, the
  /// ``last`` one that was loaded for. That may have been for another device, which came another way.
  static func isAtHand(_ fix: Coordinate, after before: Coordinate?, in tile: Tile?) -> Bool {
    func isThere(_ place: Coordinate) -> Bool { !place.isValid || tile?.contains(place) ?? false }
    return isThere(fix) && before.map(isThere) ?? true
  }

  private mutating func load(
    _ tile: Tile, into index: inout FenceIndex, _ alarms: inout FenceAlarms
  ) throws {
    guard loaded.insert(tile).inserted else { return }
    let box = FenceLoader.box(of: tile)
    // No fence comes twice, but other tiles may have loaded it.
    let hasOthers = index.count > 0
    var (owners, count) = (FenceOwners(), 0)
    swap(&owners, &self.owners)
    defer {
      swap(&owners, &self.owners)
      fencesRead += count
    }
    try store.read { reader in
      var before: StoredFence?
      try reader.forEachFence(in: box) { stored in
        defer { before = stored }
        count += 1
        let fence = AlarmEngine.fence(stored)
        if hasOthers, index[fence.id] != nil || alarms.shares(stored.number) { return }
        if sharesFences, stored.number <= newest, let before, before.number + 1 == stored.number,
          before.item == stored.item, AlarmEngine.fence(before).isAlike(fence)
        {
          return alarms.share(stored)
        }
        index.insert(fence)
        if !sharesFences { owners.add(fence.id, of: stored.item) }
        if keepsAlarms { alarms.keep(stored) }
      }
    }
  }

  private static func tile(of coordinate: Coordinate) -> Tile {
    Tile(
      row: Int((coordinate.latitude / tile).rounded(.down)),
      column: Int((coordinate.longitude / tile).rounded(.down)))
  }

  /// The tiles of the smaller box around two tiles.
  private static func way(from a: Tile, to b: Tile) -> [Tile] {
    let columns = Int(360 / tile)
    // Eastwards or westwards, whichever is shorter.
    let east = ((b.column - a.column) % columns + columns) % columns
    let (first, steps) = east <= columns / 2 ? (a.column, east) : (b.column, columns - east)
    let rows = min(a.row, b.row)...max(a.row, b.row)
    guard (steps + 1) * rows.count <= maximumTilesOfWay else { return [a, b] }
    return rows.flatMap { row in
      (0...steps).map { step in
        // Columns count from -180.
        let column = first + step + columns / 2
        return Tile(row: row, column: column % columns - columns / 2)
      }
    }
  }

  private static func box(of tile: Tile) -> BoundingBox {
    let south = Double(tile.row) * self.tile - margin
    let north = Double(tile.row + 1) * self.tile + margin
    // Degrees of longitude shrink towards the poles; at a pole the margin goes all around.
    let shrink = cos(max(abs(south), abs(north)) * .pi / 180)
    let width = shrink > 0.02 ? margin / shrink : 360
    let west = Double(tile.column) * self.tile - width
    let east = Double(tile.column + 1) * self.tile + width
    guard east - west < 360 else {
      return BoundingBox(south: max(south, -90), west: -180, north: min(north, 90), east: 180)
    }
    return BoundingBox(
      south: max(south, -90), west: west < -180 ? west + 360 : west, north: min(north, 90),
      east: east > 180 ? east - 360 : east)
  }
}

extension Fence {
  /// Whether the evaluator can't tell this fence from `other`.
  fileprivate func isAlike(_ other: Fence) -> Bool {
    region == other.region && reportsInitialPresence == other.reportsInitialPresence
      && seesPassing == other.seesPassing
  }
}
