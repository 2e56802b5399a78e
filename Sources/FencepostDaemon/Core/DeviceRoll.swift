import CalendarModel

/// The devices that were heard of over a network, under the numbers that they have with all feeds.
///
/// A sender must not fill memory with invented devices, or push out other people's. So there is a limit for all and a
/// smaller one for each sender. Where one is reached, the device that was silent the longest makes room: first those that
/// were heard for less than an hour, which are erased from the store too. The store keeps what is known of all others, so
/// that they go on when they are heard again.
///
/// Confined to the daemon's thread. What it releases must be forgotten there before other positions are weighed.
final class DeviceRoll {
  /// How many devices there may be.
  struct Limits: Sendable {
    /// Of all senders.
    var all = 100_000
    /// Of one sender.
    var perSender = 25_000
  }

  private struct Entry {
    var number: DeviceNumber
    var sender: String
    var firstHeard: Instant
    var lastHeard: Instant
    /// In which round it was heard last.
    var round: Int
    /// Whether the store knew it before.
    var wasKnown: Bool

    /// Heard of once, or for a moment, as an invented one is.
    var isPassing: Bool { !wasKnown && lastHeard.seconds(since: firstHeard) < DeviceRoll.passingTime }
  }

  /// Seconds after which a device that is heard again is no invention.
  private static let passingTime = 3_600.0
  /// One in so many devices makes room at once, as finding those that were silent the longest takes a look at all.
  private static let shareReleased = 16

  private let devices: DeviceRegistry
  private let limits: Limits
  private var entries: [String: Entry] = [:]
  private var counts: [String: Int] = [:]
  private var round = 0
  /// The senders all of whose devices were heard in this round, so that none makes room; `nil` stands for all senders
  /// together.
  private var isFullThisRound: Set<String?> = []

  /// A roll of devices that `devices` numbers.
  init(_ devices: DeviceRegistry, limits: Limits = Limits()) {
    self.devices = devices
    self.limits = limits
  }

  /// What came of an arrival.
  struct Admission {
    /// The positions, under the numbers of the registry, in their order.
    var fixes: [Fix] = []
    /// Devices that made room: what is known of them under their numbers is no longer theirs.
    var released: [DeviceNumber] = []
    /// Devices that are to be erased from the store.
    var erased: [String] = []
    /// How many positions are of a device for which there was no room, since too many came at once.
    var surplus = 0
  }

  /// Begins a round: what is admitted until the next one is weighed together, so that no device of it makes room for another.
  func beginRound() {
    round += 1
    isFullThisRound.removeAll()
  }

  /// Numbers the devices of positions.
  ///
  /// - Parameters:
  ///   - received: The positions.
  ///   - now: The current time.
  ///   - isKnown: Whether the store knows a device.
  func admit(
    _ received: [NetworkFixes], at now: Instant, isKnown: (String) -> Bool
  ) -> Admission {
    var admission = Admission()
    // Those that are known first, so that none of them makes room for one that came before it.
    for part in received { for case let name? in part.names { hear(name, at: now) } }
    for part in received {
      // By their number in the message; each is looked up once.
      var numbers: [DeviceNumber?] = []
      for name in part.names {
        numbers.append(name.flatMap { number(of: $0, from: part.sender, at: now, isKnown, &admission) })
      }
      for var fix in part.fixes {
        if let number = numbers[Int(fix.device.rawValue)] {
          fix.device = number
          admission.fixes.append(fix)
        } else {
          admission.surplus += 1
        }
      }
    }
    return admission
  }

  private func number(
    of name: String, from sender: String, at now: Instant, _ isKnown: (String) -> Bool,
    _ admission: inout Admission
  ) -> DeviceNumber? {
    if let entry = entries[name] { return entry.number }
    // Asking the store and looking for room both take long, and neither changes anything.
    guard !isFullThisRound.contains(sender), !isFullThisRound.contains(nil) else { return nil }
    let wasKnown = isKnown(name)
    if counts[sender, default: 0] >= limits.perSender { release(from: sender, &admission) }
    if entries.count >= limits.all { release(from: nil, &admission) }
    guard counts[sender, default: 0] < limits.perSender, entries.count < limits.all else { return nil }
    let number = devices.lend(to: name)
    entries[name] = Entry(
      number: number, sender: sender, firstHeard: now, lastHeard: now, round: round, wasKnown: wasKnown)
    counts[sender, default: 0] += 1
    return number
  }

  private func hear(_ name: String, at now: Instant) {
    guard let index = entries.index(forKey: name) else { return }
    entries.values[index].lastHeard = max(entries.values[index].lastHeard, now)
    entries.values[index].round = round
  }

  /// Makes room among the devices of one sender, or of all: none of those that were heard in this round.
  private func release(from sender: String?, _ admission: inout Admission) {
    let candidates = entries.filter {
      ($0.value.sender == sender || sender == nil) && $0.value.round != round
    }
    if candidates.isEmpty { isFullThisRound.insert(sender) }
    let first = candidates.sorted { a, b in
      if a.value.isPassing != b.value.isPassing { return a.value.isPassing }
      return (a.value.lastHeard, a.key) < (b.value.lastHeard, b.key)
    }
    let count = max(1, (sender == nil ? limits.all : limits.perSender) / Self.shareReleased)
    for (name, entry) in first.prefix(count) {
      entries[name] = nil
      counts[entry.sender, default: 1] -= 1
      if counts[entry.sender] == 0 { counts[entry.sender] = nil }
      // One that a file or a receiver names too keeps its number.
      guard devices.release(name) else { continue }
      admission.released.append(entry.number)
      if entry.isPassing { admission.erased.append(name) }
    }
  }
}
