import Algorithms
import CalendarModel

/// The devices whose doubts time will settle, each once, ordered by that time.
struct RipeningQueue {
  private struct Entry: Comparable {
    let time: Instant
    let device: Int

    static func < (a: Entry, b: Entry) -> Bool { (a.time, a.device) < (b.time, b.device) }
  }

  /// Also contains outdated entries, which are dropped when they come first.
  private var heap = Heap<Entry>()
  private var times: [Int: Instant] = [:]

  /// The earliest; `nil` if the queue is empty.
  var earliest: (time: Instant, device: Int)? { heap.first.map { ($0.time, $0.device) } }

  /// The waiting devices.
  var devices: [Int] { Array(times.keys) }

  /// Whether a device waits.
  func contains(_ device: Int) -> Bool { times[device] != nil }

  /// Sets when a device's wait ends; `nil` to stop waiting. Cost: none without a change, otherwise
  /// logarithmic.
  mutating func set(_ time: Instant?, of device: Int) {
    guard times[device] != time else { return }
    times[device] = time
    if let time { heap.insert(Entry(time: time, device: device)) }
    while let first = heap.first, times[first.device] != first.time { heap.popFirst() }
  }

  /// Removes all devices.
  mutating func removeAll() { self = RipeningQueue() }
}
