import CalendarModel
import CalendarStore
import Geofencing

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
  /// The alarms that share the fence of the one numbered before them, a bit for each place of a block.
  private var sharers: [Int64: UInt128] = [:]
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

  /// The fence with a number, if it is kept: `nil` in it if it was removed, or is silent.
  func known(_ number: Int64) -> StoredFence?? {
    let (block, place) = FenceAlarms.place(of: number)
    return blocks[block]?[place]
  }

  /// Reads the fence with a number; `nil` if it was removed, or is silent.
  mutating func read(_ number: Int64, in store: CalendarStore) throws -> StoredFence? {
    let found = try store.read { try $0.fence(number: number) }
    keep(found, as: number)
    return found
  }

  /// Lets an alarm share the fence of the alarm that is numbered before it.
  mutating func share(_ fence: StoredFence) {
    let (block, place) = FenceAlarms.place(of: fence.number)
    sharers[block, default: 0] |= 1 << place
    keep(fence)
  }

  /// Whether an alarm shares the fence of the one before.
  func shares(_ number: Int64) -> Bool {
    let (block, place) = FenceAlarms.place(of: number)
    guard let bits = sharers[block] else { return false }
    return bits >> place & 1 == 1
  }

  /// The numbers of the alarms that have a fence of the index.
  func alarms(of fence: FenceID) -> ClosedRange<Int64> {
    var last = fence.rawValue
    while shares(last + 1) { last += 1 }
    return fence.rawValue...last
  }

  /// The fence of the index that an alarm has.
  func fence(ofAlarm number: Int64) -> FenceID {
    var first = number
    while shares(first) { first -= 1 }
    return FenceID(rawValue: first)
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
