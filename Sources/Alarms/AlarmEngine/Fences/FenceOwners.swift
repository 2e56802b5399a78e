import FencepostAlgorithms
import FencepostCalendarModel
import FencepostGeofencing

/// The fences of each item, by a digest of its identifier: 100,000 identifiers as text would take 10 MB, and
/// dictionaries half of that. Here they take 1.6 MB.
struct FenceOwners {
  private struct Entry {
    let digest: Int
    let fence: FenceID
  }

  /// Up to ``sorted`` in the order of digests. The others were added since.
  private var entries: [Entry] = []
  private var sorted = 0

  /// How many entries without order are searched one by one, at most.
  private static let maximumUnsorted = 256

  /// Adds a fence of an item, which it has not got yet.
  mutating func add(_ fence: FenceID, of item: Identifier<CalendarItem>) {
    entries.append(Entry(digest: item.hashValue, fence: fence))
  }

  /// Removes the fences of an item, and returns them. They may be those of another item with the same digest.
  mutating func remove(_ item: Identifier<CalendarItem>) -> [FenceID] {
    sort()
    let digest = item.hashValue
    let first = entries[..<sorted].partitioningIndex { $0.digest >= digest }
    var end = first
    while end < sorted, entries[end].digest == digest { end += 1 }
    let new = entries[sorted...].filter { $0.digest == digest }
    let found = (entries[first..<end] + new).map(\.fence)
    if !new.isEmpty {
      entries.replaceSubrange(sorted..., with: entries[sorted...].filter { $0.digest != digest })
    }
    entries.removeSubrange(first..<end)
    sorted -= end - first
    return found
  }

  private mutating func sort() {
    guard entries.count - sorted > Self.maximumUnsorted else { return }
    entries.sort { $0.digest < $1.digest }
    sorted = entries.count
  }
}
