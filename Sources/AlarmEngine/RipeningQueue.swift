import Algorithms
import CalendarModel

/// The devices whose doubts time settles, each once, by when it does.
struct RipeningQueue {
  private struct Entry: Comparable {
    let time: Instant
    let device: Int

    static func < (a: Entry, b: Entry) -> Bool { (a.time, a.device) < (b.time, b.device) }
  }

  /// Also has entries that do not count any more, which go once they come first.
  private var heap = Heap<Entry>()
  private var times: [Int: Instant] = [:]

  /// The earliest; `nil` if the queue is empty.
  var earliest: (time: Instant, device: Int)? { heap.first.map { ($0.time, $0.device) } }

  /// The devices that wait.
  var devices: [Int] { Array(times.keys) }

  /// Whether a device waits.
  func contains(_ device: Int) -> Bool { times[device] != nil }

  /// Lets a device wait until `time` alone; `nil` where it waits for nothing. Cost: nothing where that is so already, else
  /// logarithmic.
  mutating func set(_ time: Instant?, of device: Int) {
    guard times[device] != time else { return }
    times[device] = time
    if let time { heap.insert(Entry(time: time, device: device)) }
    while let first = heap.first, times[first.device] != first.time { heap.popFirst() }
  }

  /// Forgets all.
  mutating func removeAll() { self = RipeningQueue() }
}
