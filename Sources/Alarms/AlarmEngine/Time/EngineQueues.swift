import FencepostAlgorithms
import FencepostCalendarModel

/// The next due times, earliest first.
///
/// Due times of the same moment are in the order of their alarms, so that two runs over the same data agree.
struct DueQueue {
  private struct Entry: Comparable {
    let due: DueTime

    static func < (a: Entry, b: Entry) -> Bool {
      if a.due.time != b.due.time { return a.due.time < b.due.time }
      if a.due.alarm != b.due.alarm { return a.due.alarm < b.due.alarm }
      return (a.due.device ?? "") < (b.due.device ?? "")
    }
  }

  private var heap = Heap<Entry>()

  /// The earliest; `nil` if the queue is empty.
  var earliest: DueTime? { heap.first?.due }

  var isEmpty: Bool { heap.isEmpty }

  /// Adds a due time. Cost: logarithmic.
  mutating func insert(_ due: DueTime) { heap.insert(Entry(due: due)) }

  /// Takes the earliest if it is due at or before `time`. Cost: logarithmic.
  mutating func popFirst(through time: Instant) -> DueTime? {
    guard let first = heap.first, first.due.time <= time else { return nil }
    return heap.popFirst()?.due
  }

  /// Removes the due times for which `isUnwanted` is true, for example if a device leaves before a stay is
  /// over. Cost: linear.
  mutating func removeAll(where isUnwanted: (DueTime) -> Bool) { heap.removeAll { isUnwanted($0.due) } }

  /// Removes all.
  mutating func removeAll() { heap.removeAll() }
}

/// The devices whose doubts time will settle, each once, ordered by that time.
struct SilenceQueue {
  private struct Entry: Comparable {
    let time: Instant
    let device: Int

    static func < (a: Entry, b: Entry) -> Bool { (a.time, a.device) < (b.time, b.device) }
  }

  /// Also contains outdated entries, which are dropped when they come first.
  private var heap = Heap<Entry>()
  /// By device; the distant future for one that does not wait. Devices are numbered from 0.
  private var times: [Instant] = []

  /// The earliest; `nil` if the queue is empty.
  var earliest: (time: Instant, device: Int)? { heap.first.map { ($0.time, $0.device) } }

  /// The waiting devices.
  var devices: [Int] { times.indices.filter(contains) }

  /// Whether a device waits.
  func contains(_ device: Int) -> Bool { device < times.count && times[device] < .distantFuture }

  /// Sets when a device's wait ends; `nil` to stop waiting. Cost: none without a change, otherwise
  /// logarithmic.
  mutating func set(_ time: Instant?, of device: Int) {
    let time = time ?? .distantFuture
    guard device < times.count ? times[device] != time : time < .distantFuture else { return }
    if device >= times.count {
      times.append(contentsOf: repeatElement(.distantFuture, count: device + 1 - times.count))
    }
    times[device] = time
    if time < .distantFuture { heap.insert(Entry(time: time, device: device)) }
    while let first = heap.first, times[first.device] != first.time { heap.popFirst() }
  }

  /// Removes all devices.
  mutating func removeAll() { self = SilenceQueue() }
}
