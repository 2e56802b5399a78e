/// Which cells of a ``FenceGrid`` may have circles: a bit each, 64 neighbours of a row in one word, so that a look
/// over empty land reads a word or two a row.
///
/// Words are found by hash alone. Where two fall together a cell may seem to have circles that has none, never the other
/// way round.
struct CellOccupancy: Sendable {
  /// A power of two of them.
  private var words: [UInt64] = []

  /// None, for up to `cells` cells.
  init(cells: Int) {
    var count = 16
    while count < cells / 4 { count *= 2 }
    words = [UInt64](repeating: 0, count: count)
  }

  /// Notes that a cell has circles.
  mutating func insert(row: Int, column: Int) {
    words[place(row, column)] |= 1 << UInt64(column & 63)
  }

  /// Calls `body` with the columns, of `count` from `first` on, that may have circles.
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
