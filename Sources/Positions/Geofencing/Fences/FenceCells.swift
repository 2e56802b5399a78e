/// The circles of a ``FenceGrid`` by cell: a hash table of cells, and runs of quads for cells with several
/// circles.
///
/// A cell with one circle contains it directly, in half a cache line, so the circle is found together with
/// the cell. A lone fence takes 40 to 60 bytes here.
struct FenceCells: Sendable {
  /// A cell that has, or had, circles; or a free place of the table.
  struct Cell: Sendable {
    var key: UInt32
    /// How many quads its run has room for, a power of two. 0 without a run, ``vacant`` for a free place.
    var room: Int32
    var count: Int32
    /// The only circle, if there is no run; otherwise ``SmallCircle/slot`` is the start of the run.
    var circle: SmallCircle

    static let vacant: Int32 = -1
    static let none = Cell(key: 0, room: vacant, count: 0, circle: .none)
  }

  /// Open addressing, filled to four fifths. Grows by half, because this table is most of the memory of lone
  /// fences.
  private var table: [Cell] = []
  private var taken = 0
  private var quads: [CircleQuad] = []
  /// Unused runs of quads, by the logarithm of their length.
  private var free: [[Int32]] = []
  private(set) var occupancy = CellOccupancy(cells: 0)

  // MARK: Changes

  mutating func insert(_ circle: SmallCircle, into key: UInt32) {
    let cell = placeToFill(key)
    let count = Int(table[cell].count)
    table[cell].count += 1
    if count == 0 && table[cell].room == 0 {
      table[cell].circle = circle
      return
    }
    if count >= 4 * Int(table[cell].room) { grow(cell) }
    let first = Int(table[cell].circle.slot)
    quads[first + count / 4][count % 4] = circle
  }

  /// Removes the circle of a slot; `false` if the cell does not have it.
  mutating func remove(slot: Int32, from key: UInt32) -> Bool {
    guard let cell = place(of: key), table[cell].count > 0 else { return false }
    if table[cell].room == 0 {
      guard table[cell].circle.slot == slot else { return false }
      table[cell].count = 0
      table[cell].circle = .none
      return true
    }
    let first = Int(table[cell].circle.slot)
    let last = Int(table[cell].count) - 1
    for place in 0...last where quads[first + place / 4].slot[place % 4] == slot {
      quads[first + place / 4][place % 4] = quads[first + last / 4][last % 4]
      quads[first + last / 4][last % 4] = .none
      table[cell].count -= 1
      return true
    }
    return false
  }

  /// The cell of `key`. Creates it if necessary.
  private mutating func placeToFill(_ key: UInt32) -> Int {
    if let place = place(of: key) { return place }
    if (taken + 1) * 5 > table.count * 4 { rehash() }
    let place = vacantPlace(for: key)
    table[place] = Cell(key: key, room: 0, count: 0, circle: .none)
    taken += 1
    occupancy.insert(row: FenceCells.row(key), column: FenceCells.column(key))
    return place
  }

  private func place(of key: UInt32) -> Int? {
    table.withUnsafeBufferPointer { table in
      guard let base = table.baseAddress, let cell = FenceCells.find(key, in: table) else { return nil }
      return cell - base
    }
  }

  private func vacantPlace(for key: UInt32) -> Int {
    var place = FenceCells.home(key, of: table.count)
    while table[place].room != Cell.vacant { place = place + 1 < table.count ? place + 1 : 0 }
    return place
  }

  /// Enlarges the table, and drops cells without circles.
  private mutating func rehash() {
    let old = table
    table = [Cell](repeating: .none, count: max(16, old.count + old.count / 2))
    occupancy = CellOccupancy(cells: table.count)
    taken = 0
    for cell in old where cell.room != Cell.vacant {
      if cell.count == 0 {
        if cell.room > 0 { giveBack(cell.circle.slot, log: Int(cell.room).trailingZeroBitCount) }
        continue
      }
      table[vacantPlace(for: cell.key)] = cell
      taken += 1
      occupancy.insert(row: FenceCells.row(cell.key), column: FenceCells.column(cell.key))
    }
  }

  /// Moves the circles of a cell to a run of twice the room.
  private mutating func grow(_ cell: Int) {
    let room = Int(table[cell].room)
    if room == 0 {
      let to = allocate(log: 0)
      quads[Int(to)][0] = table[cell].circle
      table[cell].circle.slot = to
      table[cell].room = 1
      return
    }
    let from = Int(table[cell].circle.slot)
    let log = room.trailingZeroBitCount
    let to = allocate(log: log + 1)
    for offset in 0..<room {
      quads[Int(to) + offset] = quads[from + offset]
      quads[from + offset] = CircleQuad()
    }
    giveBack(Int32(from), log: log)
    table[cell].circle.slot = to
    table[cell].room = Int32(room * 2)
  }

  private mutating func giveBack(_ quad: Int32, log: Int) {
    while free.count <= log { free.append([]) }
    free[log].append(quad)
  }

  private mutating func allocate(log: Int) -> Int32 {
    if log < free.count, let quad = free[log].popLast() { return quad }
    let first = Int32(quads.count)
    // Arrays double when they are full. That is too much here, where they are most of the memory of many
    // fences.
    if quads.count + (1 << log) > quads.capacity { quads.reserveCapacity(quads.count * 9 / 8 + (1 << log)) }
    for _ in 0..<(1 << log) { quads.append(CircleQuad()) }
    return first
  }

  // MARK: Keys

  /// The key of a cell. There are fewer than 65,536 rows, and columns in a row.
  static func key(row: Int, column: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: row) << 16 | UInt32(truncatingIfNeeded: column) & 0xFFFF
  }

  private static func row(_ key: UInt32) -> Int { Int(key >> 16) }
  private static func column(_ key: UInt32) -> Int { Int(key & 0xFFFF) }

  /// Where the search for a key begins.
  @inline(__always)
  private static func home(_ key: UInt32, of count: Int) -> Int {
    let mixed = (key ^ key >> 15) &* 0x9E37_79B9
    return Int(truncatingIfNeeded: (UInt64(mixed) &* UInt64(truncatingIfNeeded: count)) >> 32)
  }

  // MARK: Queries

  /// Calls `body` with the cells and quads of the table, for ``find(_:in:)``.
  @inline(__always)
  func withTable<Result>(
    _ body: (UnsafeBufferPointer<Cell>, UnsafeBufferPointer<CircleQuad>) -> Result
  ) -> Result {
    table.withUnsafeBufferPointer { table in quads.withUnsafeBufferPointer { body(table, $0) } }
  }

  /// The cell of a key.
  @inline(__always)
  static func find(_ key: UInt32, in table: UnsafeBufferPointer<Cell>) -> UnsafePointer<Cell>? {
    guard let base = table.baseAddress, !table.isEmpty else { return nil }
    let end = base + table.count
    var cell = base + home(key, of: table.count)
    while cell.pointee.room != Cell.vacant {
      if cell.pointee.key == key { return cell }
      cell += 1
      if cell == end { cell = base }
    }
    return nil
  }
}

/// Which cells of a ``FenceGrid`` may have circles: one bit a cell, and 64 neighbours of a row in one word. A
/// search over empty land reads one or two words a row. Without it, a fix of one of 1,000 devices among
/// 100,000 fences worldwide takes 17 to 38 % longer.
///
/// A hash alone finds a word. If two words collide, an empty cell may seem to have circles, but never the
/// reverse.
struct CellOccupancy: Sendable {
  /// Their number is a power of two.
  private var words: [UInt64] = []

  /// An empty set, for up to `cells` cells.
  init(cells: Int) {
    var count = 16
    while count < cells / 4 { count *= 2 }
    words = [UInt64](repeating: 0, count: count)
  }

  /// Notes that a cell has circles.
  mutating func insert(row: Int, column: Int) {
    words[place(row, column)] |= 1 << UInt64(column & 63)
  }

  /// Calls `body` with those of the `count` columns from `first` on that may have circles.
  @inline(__always)
  func forEach(row: Int, first: Int, count: Int, _ body: (Int) -> Void) {
    words.withUnsafeBufferPointer { words in
      var column = first
      let end = first &+ count
      while column < end {
        let bit = column & 63
        let run = min(end &- column, 64 &- bit)
        var left = (words[place(row, column)] &>> UInt64(bit)) & (UInt64.max &>> UInt64(64 &- run))
        while left != 0 {
          body(column &+ left.trailingZeroBitCount)
          left &= left &- 1
        }
        column = column &+ run
      }
    }
  }

  private func place(_ row: Int, _ column: Int) -> Int {
    let key = UInt64(truncatingIfNeeded: row) << 32 | UInt64(truncatingIfNeeded: column >> 6)
    return Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (words.count &- 1)
  }
}
