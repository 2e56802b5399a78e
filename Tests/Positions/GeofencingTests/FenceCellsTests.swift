import FencepostTestSupport
import Testing

@testable import FencepostGeofencing

@Suite("Cells of circles")
struct FenceCellsTests {
  /// The slots that a cell holds.
  private func slots(_ key: UInt32, in cells: FenceCells) -> Set<Int32> {
    cells.withTable { table, quads in
      guard let cell = FenceCells.find(key, in: table)?.pointee else { return [] }
      if cell.room == 0 { return cell.count == 1 ? [cell.circle.slot] : [] }
      let first = Int(cell.circle.slot)
      return Set((0..<Int(cell.count)).map { quads[first + $0 / 4].slot[$0 % 4] })
    }
  }

  @Test("They hold what a dictionary holds, while circles come and go", arguments: [1, 2, 3] as [UInt64])
  func dictionary(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var cells = FenceCells()
    var expected: [UInt32: Set<Int32>] = [:]
    var slot: Int32 = 0
    for round in 0..<4_000 {
      // Some crowded cells, and many with one.
      let isCrowd = Int.random(in: 0...1, using: &random) == 0
      let column =
        isCrowd ? Int.random(in: 0...5, using: &random) : Int.random(in: 0...40_000, using: &random)
      let key = FenceCells.key(row: isCrowd ? 3 : Int.random(in: 0...19_000, using: &random), column: column)
      let held = expected[key, default: []]
      // Half of the time it grows, half of it shrinks.
      if round % 2_000 < 1_000 || held.isEmpty {
        cells.insert(SmallCircle(x: slot, y: 0, z: 0, radius: 1, slot: slot), into: key)
        expected[key, default: []].insert(slot)
        slot += 1
      } else if let leaving = held.min() {
        let wasThere = cells.remove(slot: leaving, from: key)
        let isThere = cells.remove(slot: leaving, from: key)
        #expect(wasThere && !isThere)
        expected[key]?.remove(leaving)
      }
      #expect(slots(key, in: cells) == expected[key])
    }
    for (key, held) in expected {
      #expect(slots(key, in: cells) == held, "seed \(seed)")
      guard !held.isEmpty else { continue }
      var columns: [Int] = []
      cells.occupancy.forEach(row: Int(key >> 16), first: Int(key & 0xFFFF), count: 1) { columns.append($0) }
      #expect(columns == [Int(key & 0xFFFF)])
    }
  }

  @Test("A table that is empty has nothing")
  func empty() {
    var cells = FenceCells()
    #expect(slots(7, in: cells).isEmpty)
    let wasThere = cells.remove(slot: 1, from: 7)
    #expect(!wasThere)
  }
}
