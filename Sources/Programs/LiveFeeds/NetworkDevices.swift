package import FencepostCalendarModel

/// The devices that senders on a network report, with their numbers in the shared registry.
///
/// A sender must not fill memory with invented devices, or push out the devices of others. So there is a
/// limit for all devices and a smaller one for each sender. At a limit, the device that was silent for the
/// longest time makes room. Devices that were heard for less than an hour go first, and they are also erased
/// from the store. The store keeps all others, so that they continue from their last state when they report
/// again.
///
/// Confined to the daemon's thread. The daemon must forget the state of released devices before it processes
/// other positions.
package final class NetworkDevices {
  /// The limits of the number of devices.
  package struct Limits: Sendable {
    /// From all senders.
    package var all: Int
    /// From one sender.
    package var perSender: Int

    /// Limits. One sender has a quarter of all unless it is given.
    package init(all: Int = 100_000, perSender: Int? = nil) {
      self.all = all
      self.perSender = perSender ?? max(1, all / 4)
    }
  }

  private struct Entry {
    var number: DeviceNumber
    var sender: String
    var firstHeard: Instant
    var lastHeard: Instant
    /// The round of its last position.
    var round: Int
    /// Whether the store already knew it.
    var wasKnown: Bool

    /// Whether it was heard only once or for a short time, like an invented one.
    var isPassing: Bool { !wasKnown && lastHeard.seconds(since: firstHeard) < NetworkDevices.passingTime }
  }

  /// The seconds after which a device that reports again counts as real.
  private static let passingTime = 3_600.0
  /// The part of the devices that make room at once: 1/16. To find the most silent ones, all devices must be
  /// checked.
  private static let shareReleased = 16

  private let devices: DeviceRegistry
  /// The limits. Lower ones count when the next new device comes.
  package var limits: Limits
  private var entries: [String: Entry] = [:]
  private var counts: [String: Int] = [:]
  private var round = 0
  /// The senders with a position from each of their devices in this round, so that none of them can make
  /// room; `nil` stands for all senders together.
  private var isFullThisRound: Set<String?> = []

  /// A table of devices with numbers from `devices`.
  package init(_ devices: DeviceRegistry, limits: Limits = Limits()) {
    self.devices = devices
    self.limits = limits
  }

  /// The result of an arrival.
  package struct Admission {
    /// The positions with numbers of the registry, in their order.
    package var fixes: [Fix] = []
    /// Devices that made room. The state that is cached under their numbers is no longer theirs.
    package var released: [DeviceNumber] = []
    /// Devices to erase from the store.
    package var erased: [String] = []
    /// The number of positions without room for their device, because too many devices came at once.
    package var surplus = 0
  }

  /// Begins a round. The positions of a round are processed together, so none of its devices makes room for
  /// another.
  package func beginRound() {
    round += 1
    isFullThisRound.removeAll()
  }

  /// Numbers the devices of positions.
  ///
  /// - Parameters:
  ///   - received: The positions.
  ///   - now: The current time.
  ///   - isKnown: Whether the store knows a device.
  package func admit(
    _ received: [NetworkFixes], at now: Instant, isKnown: (String) -> Bool
  ) -> Admission {
    var admission = Admission()
    // Known devices first, so that they do not make room for devices that come before them in the message.
    for part in received { for case let name? in part.names { hear(name, at: now) } }
    for part in received {
      // By their number in the message, so that each is looked up once.
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
    // Both the query and the search for room are slow, and would change nothing.
    guard !isFullThisRound.contains(sender), !isFullThisRound.contains(nil) else { return nil }
    let wasKnown = isKnown(name)
    if counts[sender, default: 0] >= limits.perSender { release(from: sender, &admission) }
    if entries.count >= limits.all { release(from: nil, &admission) }
    guard counts[sender, default: 0] < limits.perSender, entries.count < limits.all else { return nil }
    let number = devices.temporaryNumber(of: name)
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

  /// Makes room among the devices of one sender, or of all. Devices of this round stay.
  private func release(from sender: String?, _ admission: inout Admission) {
    let candidates = entries.filter {
      ($0.value.sender == sender || sender == nil) && $0.value.round != round
    }
    if candidates.isEmpty { isFullThisRound.insert(sender) }
    let first = candidates.sorted { a, b in
      if a.value.isPassing != b.value.isPassing { return a.value.isPassing }
      return (a.value.lastHeard, a.key) < (b.value.lastHeard, b.key)
    }
    let limit = sender == nil ? limits.all : limits.perSender
    let surplus = (sender.map { counts[$0, default: 0] } ?? entries.count) - limit
    let count = max(1, limit / Self.shareReleased) + max(0, surplus)
    for (name, entry) in first.prefix(count) {
      entries[name] = nil
      counts[entry.sender, default: 1] -= 1
      if counts[entry.sender] == 0 { counts[entry.sender] = nil }
      // A device that a file or a receiver also names keeps its number.
      guard devices.release(name) else { continue }
      admission.released.append(entry.number)
      if entry.isPassing { admission.erased.append(name) }
    }
  }
}
