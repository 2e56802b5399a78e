import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing

/// A cache of the alarms of fences, by fence number. Each crossing needs one, and the store takes about 20
/// microseconds to find it.
///
/// A change to the store drops all: see ``follow(to:)``.
struct FenceAlarms {
  /// What is known of an alarm beside its subject. Half of all crossings need no more, and each subject is
  /// elsewhere in memory.
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
    /// It goes off for a device that is already inside.
    static let firesIfInside = Facts(rawValue: 16)
    /// Passing by counts.
    static let includesPassing = Facts(rawValue: 32)
    /// It waits for the end of a stay, or is limited to devices, hours, days or a number of times.
    static let isLimited = Facts(rawValue: 64)
    /// Its item stands for its whole list.
    static let isForWholeList = Facts(rawValue: 128)

    /// The facts of a fence that was read, or of an alarm without one.
    init(of fence: StoredFence?) {
      self = .isKnown
      guard let trigger = fence?.trigger else { return }
      if trigger.event.awaits(.enter) { insert(.awaitsEntering) }
      if trigger.event.awaits(.leave) { insert(.awaitsLeaving) }
      if trigger.firesIfInside { insert(.firesIfInside) }
      if trigger.includesPassing { insert(.includesPassing) }
      if fence?.isForWholeList == true { insert(.isForWholeList) }
      let isStay = if case .dwell = trigger.event { true } else { false }
      if isStay || trigger.frequency != .always || trigger.window != nil || !trigger.devices.isEmpty {
        insert(.isLimited)
      }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether the alarm waits for a crossing of this kind.
    func awaits(_ kind: Transition.Kind) -> Bool {
      contains(kind == .enter ? .awaitsEntering : .awaitsLeaving)
    }
  }

  private struct Entry {
    /// `nil` if the alarm was removed, or is silent.
    var subject: AlarmSubject?
    var facts: Facts = []
  }

  /// How many alarms are kept at most, with about 250 bytes each.
  private static let most = 1 << 18
  /// The lowest bits of a number, which are its position in a block.
  private static let positionBits = 4
  private static let blockSize = 1 << positionBits

  /// Blocks of entries with consecutive numbers, in the order in which they were made. With a dictionary of
  /// all alarms, a replay with many crossings takes 5 % longer: each look-up waits for memory twice.
  private var entries: [Entry] = []
  /// Where a block begins, by its number.
  private var blocks: [Int64: Int] = [:]
  /// The triggers of limited alarms, by number.
  private var limitedTriggers: [Int64: ProximityTrigger] = [:]
  /// How many alarms are kept.
  private var count = 0
  /// The store's last change when the first entry was read.
  private var change: Int64?

  /// Drops outdated entries. Call it before each step, not during one: a step must see the same alarms
  /// throughout.
  ///
  /// - Parameter last: The store's last change.
  mutating func follow(to last: Int64) {
    if change != last { removeAlarms() }
    change = last
  }

  /// Adds the alarm of a fence that was read.
  mutating func keep(_ fence: StoredFence) { keep(fence, as: fence.number) }

  /// Reads the alarm with a number. Returns its slot.
  mutating func read(_ number: Int64, in store: CalendarStore) throws -> Int? {
    keep(try store.read { try $0.fence(number: number) }, as: number)
    return slot(of: number)
  }

  // MARK: What is known

  /// The slot of the alarm with a number, until another one is read; `nil` if it has none.
  func slot(of number: Int64) -> Int? {
    blocks[number >> Self.positionBits].map { $0 + Int(number & Int64(Self.blockSize - 1)) }
  }

  /// The slot of the alarm that is numbered after the one with `number` in `slot`.
  func slot(after slot: Int?, _ number: Int64) -> Int? {
    guard let slot, (slot + 1) % Self.blockSize != 0 else { return self.slot(of: number &+ 1) }
    return slot + 1
  }

  /// What is known of the alarm in a slot.
  func facts(at slot: Int?) -> Facts { slot.map { entries[$0].facts } ?? [] }

  /// The alarm in a slot; `nil` if it is not known, was removed, or is silent.
  func subject(at slot: Int?) -> AlarmSubject? { slot.flatMap { entries[$0].subject } }

  /// The trigger of an alarm with these facts, if it is limited.
  func limitedTrigger(of number: Int64, _ facts: Facts) -> ProximityTrigger? {
    facts.contains(.isLimited) ? limitedTriggers[number] : nil
  }

  /// The fence with a number; `nil` if it is not known, was removed, or is silent.
  func fence(_ number: Int64) -> StoredFence? {
    let slot = slot(of: number)
    guard let subject = subject(at: slot), let place = subject.place, let region = place.region else {
      return nil
    }
    let facts = facts(at: slot)
    let trigger =
      limitedTrigger(of: number, facts)
      ?? ProximityTrigger(
        facts.contains(.awaitsEntering) ? .enter : .leave, at: place,
        firesIfInside: facts.contains(.firesIfInside), includesPassing: facts.contains(.includesPassing))
    return StoredFence(
      number: number, subject: subject, trigger: trigger, region: region,
      isForWholeList: facts.contains(.isForWholeList))
  }

  // MARK: Shared fences

  /// Lets an alarm share the fence of the alarm that is numbered before it.
  mutating func share(_ fence: StoredFence) {
    entries[keep(fence, as: fence.number)].facts.insert(.shares)
  }

  /// Whether an alarm shares the fence of the one before.
  func shares(_ number: Int64) -> Bool { facts(at: slot(of: number)).contains(.shares) }

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

  @discardableResult
  private mutating func keep(_ fence: StoredFence?, as number: Int64) -> Int {
    if count >= Self.most { removeAlarms() }
    count += 1
    let slot = makeSlot(of: number)
    let facts = Facts(of: fence)
    entries[slot].subject = fence?.subject
    entries[slot].facts = entries[slot].facts.intersection(.shares).union(facts)
    if facts.contains(.isLimited) { limitedTriggers[number] = fence?.trigger }
    return slot
  }

  private mutating func makeSlot(of number: Int64) -> Int {
    if let slot = slot(of: number) { return slot }
    blocks[number >> Self.positionBits] = entries.count
    entries.append(contentsOf: repeatElement(Entry(), count: Self.blockSize))
    return entries.count - Self.blockSize + Int(number & Int64(Self.blockSize - 1))
  }

  /// Drops all alarms. Which of them share a fence stays, because the index has no other fences for them.
  private mutating func removeAlarms() {
    let (all, starts) = (entries, blocks)
    (entries, blocks, limitedTriggers, count) = ([], [:], [:], 0)
    for (block, start) in starts {
      for offset in 0..<Self.blockSize where all[start + offset].facts.contains(.shares) {
        entries[makeSlot(of: block << Self.positionBits + Int64(offset))].facts = .shares
      }
    }
  }
}
