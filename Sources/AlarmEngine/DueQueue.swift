import CalendarModel

/// The due times that come next, earliest first: a binary min-heap.
///
/// Due times of the same moment come in the order of their alarms, so that two runs over the same data agree.
struct DueQueue {
  private var heap: [DueTime] = []

  /// The earliest; `nil` where none is left.
  var earliest: DueTime? { heap.first }

  var isEmpty: Bool { heap.isEmpty }

  private static func precedes(_ a: DueTime, _ b: DueTime) -> Bool {
    if a.time != b.time { return a.time < b.time }
    if a.alarm != b.alarm { return a.alarm < b.alarm }
    return (a.device ?? "") < (b.device ?? "")
  }

  /// Adds a due time. Cost: logarithmic.
  mutating func insert(_ due: DueTime) {
    heap.append(due)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard DueQueue.precedes(heap[child], heap[parent]) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the earliest, where it is due at or before `time`. Cost: logarithmic.
  mutating func popFirst(through time: Instant) -> DueTime? {
    guard let first = heap.first, first.time <= time else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if DueQueue.precedes(heap[child], heap[least]) { least = child }
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }

  /// Takes out all that `unwanted` says. Cost: linear; it happens when somebody leaves before a stay is over.
  mutating func removeAll(where unwanted: (DueTime) -> Bool) {
    let kept = heap.filter { !unwanted($0) }
    guard kept.count != heap.count else { return }
    heap.removeAll(keepingCapacity: true)
    for due in kept { insert(due) }
  }

  /// Forgets all.
  mutating func removeAll() { heap.removeAll(keepingCapacity: true) }
}
