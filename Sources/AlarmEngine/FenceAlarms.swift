import CalendarModel
import CalendarStore

/// The alarms of fences, by the fences' numbers. A crossing needs one; the store takes some 20 microseconds to find it.
///
/// A change to the store drops all of them: see ``follow(_:)``.
struct FenceAlarms {
  /// How many are kept at most, at some 300 bytes each.
  private static let most = 1 << 18

  /// On the heap, so that the empty places of the table stay small.
  private final class Entry: Sendable {
    /// `nil` for a fence that the store has no more.
    let fence: StoredFence?

    init(_ fence: StoredFence?) { self.fence = fence }
  }

  private var entries: [Int64: Entry] = [:]
  /// The store's last change when the first of them was read.
  private var change: Int64?

  /// Drops what is out of date. To be called before each step, and not during one: what a step sees stays the same.
  ///
  /// Cost: one look at the store, some microseconds.
  mutating func follow(_ store: CalendarStore) throws {
    let last = try store.read { try $0.lastChange() }
    if change != last { entries.removeAll() }
    change = last
  }

  /// Keeps a fence that was read.
  mutating func keep(_ fence: StoredFence) { keep(fence, as: fence.number) }

  /// The fence with a number; `nil` where its alarm was removed, or is silent.
  mutating func fence(number: Int64, in store: CalendarStore) throws -> StoredFence? {
    if let known = entries[number] { return known.fence }
    let fence = try store.read { try $0.fence(number: number) }
    keep(fence, as: number)
    return fence
  }

  private mutating func keep(_ fence: StoredFence?, as number: Int64) {
    if entries.count >= Self.most { entries.removeAll() }
    entries[number] = Entry(fence)
  }
}
