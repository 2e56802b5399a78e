import CalendarModel
import CalendarStore
import Geofencing

/// A cache of the alarms of fences, by fence number. Each crossing needs one, and the store takes about 20
/// microseconds to find it.
///
/// A change to the store drops all: see ``follow(_:)``.
struct FenceAlarms {
  /// What is known of an alarm without reading its fence: most crossings need no more, and each fence is elsewhere in
  /// memory.
  struct Facts: OptionSet {
    let rawValue: UInt8

    /// The fence was read; it has none if it was removed, or is silent.
    static let isKnown = Facts(rawValue: 1)
    /// It shares the fence of the alarm that is numbered before it.
    static let shares = Facts(rawValue: 2)
    /// It waits for entering.
    static let awaitsEntering = Facts(rawValue: 4)
    /// It waits for leaving.
    static let awaitsLeaving = Facts(rawValue: 8)

    /// Whether the alarm waits for a crossing of this kind.
    func awaits(_ kind: Transition.Kind) -> Bool {
      contains(kind == .enter ? .awaitsEntering : .awaitsLeaving)
    }
  }

  private struct Entry {
    var fence: StoredFence?
    var facts: Facts = []
  }

  /// How many fences are kept at most, with about 300 bytes each.
  private static let most = 1 << 18
  /// The lowest bits of a number, which are its place in a block.
  private static let placeBits = 4
  private static let blockSize = 1 << placeBits

  /// Blocks of entries with consecutive numbers, in the order in which they were made. With a dictionary of all fences,
  /// a replay with many crossings takes 5 % longer: each look-up waits for memory twice.
  private var entries: [Entry] = []
  /// Where a block begins, by its number.
  private var blocks: [Int64: Int] = [:]
  /// How many fences are kept.
  private var count = 0
  /// The store's last change when the first entry was read.
  private var change: Int64?

  /// Drops outdated entries. Call it before each step, not during one: a step must see the same alarms
  /// throughout.
  ///
  /// Cost: one query of the store, some microseconds.
  mutating func follow(_ store: CalendarStore) throws {
    let last = try store.read { try $0.lastChange() }
    if change != last { removeFences() }
    change = last
  }

  /// Adds a fence that was read.
  mutating func keep(_ fence: StoredFence) { keep(fence, as: fence.number) }

  /// What is known of the alarm with a number.
  func facts(of number: Int64) -> Facts {
    guard let index = index(of: number) else { return [] }
    return entries[index].facts
  }

  /// The kept fence with a number; `nil` if it is not known, was removed, or is silent.
  func fence(_ number: Int64) -> StoredFence? { index(of: number).flatMap { entries[$0].fence } }

  /// Reads the fence with a number, and returns what is known of it then.
  mutating func read(_ number: Int64, in store: CalendarStore) throws -> Facts {
    keep(try store.read { try $0.fence(number: number) }, as: number)
    return facts(of: number)
  }

  /// Lets an alarm share the fence of the alarm that is numbered before it.
  mutating func share(_ fence: StoredFence) {
    keep(fence)
    entries[makeIndex(of: fence.number)].facts.insert(.shares)
  }

  /// Whether an alarm shares the fence of the one before.
  func shares(_ number: Int64) -> Bool { facts(of: number).contains(.shares) }

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

  private mutating func keep(_ fence: StoredFence?, as number: Int64) {
    if count >= Self.most { removeFences() }
    count += 1
    let index = makeIndex(of: number)
    entries[index].fence = fence
    var facts = entries[index].facts.intersection(.shares).union(.isKnown)
    if let event = fence?.trigger.event {
      if event.awaits(.enter) { facts.insert(.awaitsEntering) }
      if event.awaits(.leave) { facts.insert(.awaitsLeaving) }
    }
    entries[index].facts = facts
  }

  /// Where the entry of a number is; `nil` if it has no entry.
  private func index(of number: Int64) -> Int? {
    blocks[number >> Self.placeBits].map { $0 + Self.place(of: number) }
  }

  private mutating func makeIndex(of number: Int64) -> Int {
    if let index = index(of: number) { return index }
    blocks[number >> Self.placeBits] = entries.count
    entries.append(contentsOf: repeatElement(Entry(), count: Self.blockSize))
    return entries.count - Self.blockSize + Self.place(of: number)
  }

  private static func place(of number: Int64) -> Int { Int(number & Int64(blockSize - 1)) }

  /// Drops all fences. Which alarms share one stays, because the index has no other fences for them.
  private mutating func removeFences() {
    let (all, starts) = (entries, blocks)
    (entries, blocks, count) = ([], [:], 0)
    for (block, start) in starts {
      for place in 0..<Self.blockSize where all[start + place].facts.contains(.shares) {
        entries[makeIndex(of: block << Self.placeBits + Int64(place))].facts = .shares
      }
    }
  }
}
