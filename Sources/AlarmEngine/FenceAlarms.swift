import CalendarModel
import CalendarStore

/// A cache of the alarms of fences, by fence number. Each crossing needs one, and the store takes about 20
/// microseconds to find it.
///
/// A change to the store drops all: see ``follow(_:)``.
struct FenceAlarms {
  /// How many are kept at most, with about 300 bytes each.
  private static let most = 1 << 18

  /// The alarm of a fence. On the heap, so that the empty places of the table stay small.
  final class Entry: Sendable {
    /// What the alarm waits for; `nil` for a fence that is no longer in the store.
    let event: ProximityTrigger.Event?
    /// `nil` for a fence that is no longer in the store.
    let fence: StoredFence?

    fileprivate init(_ fence: StoredFence?) {
      event = fence?.trigger.event
      self.fence = fence
    }
  }

  private var entries: [Int64: Entry] = [:]
  /// The store's last change when the first entry was read.
  private var change: Int64?

  /// Drops outdated entries. Call it before each step, not during one: a step must see the same alarms
  /// throughout.
  ///
  /// Cost: one query of the store, some microseconds.
  mutating func follow(_ store: CalendarStore) throws {
    let last = try store.read { try $0.lastChange() }
    if change != last { entries.removeAll() }
    change = last
  }

  /// Adds a fence that was read.
  mutating func keep(_ fence: StoredFence) { keep(fence, as: fence.number) }

  /// The alarm of the fence with a number. It has no fence if it was removed, or is silent.
  mutating func alarm(ofFence number: Int64, in store: CalendarStore) throws -> Entry {
    if let known = entries[number] { return known }
    return keep(try store.read { try $0.fence(number: number) }, as: number)
  }

  @discardableResult
  private mutating func keep(_ fence: StoredFence?, as number: Int64) -> Entry {
    if entries.count >= Self.most { entries.removeAll() }
    let entry = Entry(fence)
    entries[number] = entry
    return entry
  }
}
