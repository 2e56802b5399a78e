import CalendarModel
import CalendarStore

/// A cache of the alarms of fences, by fence number. Each crossing needs one, and the store takes about 20
/// microseconds to find it.
///
/// A change to the store drops all: see ``follow(_:)``.
struct FenceAlarms {
  /// How many are kept at most, with about 300 bytes each.
  private static let most = 1 << 18

  /// The fences, in blocks of consecutive numbers; a fence that was removed, or is silent, is a `nil` in it. With one
  /// dictionary of all fences, a replay with many crossings takes 5 % longer: each look-up waits for memory twice.
  private var blocks: [Int64: [StoredFence??]] = [:]
  private var count = 0
  /// The lowest bits of a number, which are its place in a block.
  private static let placeBits = 7
  /// The store's last change when the first entry was read.
  private var change: Int64?

  /// Drops outdated entries. Call it before each step, not during one: a step must see the same alarms
  /// throughout.
  ///
  /// Cost: one query of the store, some microseconds.
  mutating func follow(_ store: CalendarStore) throws {
    let last = try store.read { try $0.lastChange() }
    if change != last { removeAll() }
    change = last
  }

  /// Adds a fence that was read.
  mutating func keep(_ fence: StoredFence) { keep(fence, as: fence.number) }

  /// The fence with a number; `nil` if it was removed, or is silent.
  mutating func fence(_ number: Int64, in store: CalendarStore) throws -> StoredFence? {
    let (block, place) = FenceAlarms.place(of: number)
    if let known = blocks[block]?[place] { return known }
    let found = try store.read { try $0.fence(number: number) }
    keep(found, as: number)
    return found
  }

  private static func place(of number: Int64) -> (block: Int64, place: Int) {
    (number >> placeBits, Int(number & ((1 << placeBits) - 1)))
  }

  private mutating func keep(_ fence: StoredFence?, as number: Int64) {
    if count >= Self.most { removeAll() }
    count += 1
    let (block, place) = FenceAlarms.place(of: number)
    blocks[block, default: Array(repeating: nil, count: 1 << FenceAlarms.placeBits)][place] = .some(fence)
  }

  private mutating func removeAll() {
    blocks.removeAll()
    count = 0
  }
}
