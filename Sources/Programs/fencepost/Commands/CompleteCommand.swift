import FencepostActions
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostCommandLineTable
import FencepostRecurrence

extension FencepostTable {
  static let complete = Command(
    "complete", aliases: ["done"], summary: "Mark reminders as completed",
    discussion: [
      "A recurring reminder moves on to its next occurrence. Open subtasks stay open."
    ],
    examples: [
      Example("fencepost complete 1FFC 4505", "Two at once"),
      Example("fencepost complete --undo F209", "Mark it as not completed"),
    ],
    options: [.flag(.undo, "Mark as not completed")],
    positionals: [reminders],
    action: .run { try $0.complete() })
}

extension CommandContext {
  /// `complete ID… [--undo]`.
  func complete() throws {
    let undo = parsed.flag(.undo)
    let store = try openExistingStore()
    let prefixes = parsed.positionals(.id)
    let (now, resolver, times) = (now, resolver, TimeText(context: self))
    let done: [(String, CalendarItem, Int)] = try store.write { writer in
      var done: [(String, CalendarItem)] = []
      for item in try writer.reader.items(meant: prefixes) {
        let result = try writer.complete(item, isDone: !undo, at: now, resolver: resolver)
        guard result.isChanged else {
          done.append((undo ? "not completed:" : "already completed:", item))
          continue
        }
        // An RDATE may come before the reminder's own due time.
        let next = result.occurrence.flatMap { _ in
          OccurrenceSeries(result.item, resolver: resolver).firstOccurrence(startingAfter: .distantPast)
        }.map { times.text($0.end) }
        done.append((undo ? "reopened" : next.map { "next due \($0):" } ?? "completed", result.item))
      }
      // Subtasks may be among those that were just completed.
      return try done.map { what, item in
        let open = undo ? 0 : try writer.reader.subtasks(of: item).count { !$0.item.isSilenced }
        return (what, item, open)
      }
    }
    for (what, item, open) in done {
      try say(what, item, open == 0 ? "" : "; \(open) subtask\(open == 1 ? " is" : "s are") still open")
    }
  }
}
