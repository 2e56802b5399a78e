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
