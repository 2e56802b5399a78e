import FencepostActions
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable

extension StoreReader {
  /// The reminder that `word` identifies, as the parent of `child`.
  borrowing func parent(meant word: String, of child: CalendarItem) throws -> CalendarItem {
    let parent = try item(meant: word)
    guard !parent.isEvent, !child.isEvent else {
      throw CommandError(
        "only reminders have subtasks, and '\((parent.isEvent ? parent : child).title)' is an event")
    }
    guard parent.uid != child.uid, try !subtasks(of: child).contains(where: { $0.item.uid == parent.uid })
    else {
      throw CommandError("'\(parent.title)' is already a subtask of '\(child.title)'")
    }
    return parent
  }
}

/// Items as an outline: each subtask follows its parent, if the parent is among the items.
struct ItemTree {
  /// Deeper subtasks have the same indentation.
  static let deepest = Subtasks.maximumDepth

  /// The indices of `items` in display order, with their depths.
  static func order(_ items: [CalendarItem]) -> [(index: Int, depth: Int)] {
    let known = Set(items.map(\.uid))
    var parts: [String: [Int]] = [:]
    var roots: [Int] = []
    for (index, item) in items.enumerated() {
      if let parent = item.parentUID, parent != item.uid, known.contains(parent) {
        parts[parent, default: []].append(index)
      } else {
        roots.append(index)
      }
    }
    guard !parts.isEmpty else { return items.indices.map { ($0, 0) } }
    var order: [(index: Int, depth: Int)] = []
    var seen: Set<Int> = []
    var waiting = roots.reversed().map { ($0, 0) }
    while let (index, depth) = waiting.popLast() {
      guard seen.insert(index).inserted else { continue }
      order.append((index, depth))
      waiting += (parts[items[index].uid] ?? []).reversed().map { ($0, min(depth + 1, deepest)) }
    }
    // Items in a cycle have no root.
    return order + items.indices.filter { !seen.contains($0) }.map { ($0, 0) }
  }
}
