import Algorithms
import CalendarModel

/// The devices whose doubts time settles, each once, by when it does.
struct RipeningQueue {
  /// The earliest comes last, where it is taken from.
  private var entries: [(time: Instant, device: Int)] = []
  private var times: [Int: Instant] = [:]

  /// The earliest; `nil` if the queue is empty.
  var earliest: (time: Instant, device: Int)? { entries.last }

  /// The devices that wait.
  var devices: [Int] { entries.map(\.device) }

  /// Whether a device waits.
  func contains(_ device: Int) -> Bool { times[device] != nil }

  /// Lets a device wait until `time` alone; `nil` where it waits for nothing. Cost: nothing where that is so already, else
  /// linear in the number of devices in doubt.
  mutating func set(_ time: Instant?, of device: Int) {
    let before = times[device]
    guard before != time else { return }
    if before != nil { entries.removeAll { $0.device == device } }
    times[device] = time
    guard let time else { return }
    let place = entries.partitioningIndex { ($0.time, $0.device) < (time, device) }
    entries.insert((time, device), at: place)
  }

  /// Forgets all.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
  }
}
