public import FencepostCalendarModel
public import FencepostCalendarStore

extension StoreReader {
  /// The subtasks of a reminder (RELATED-TO, RFC 5545, section 3.8.4.5) with their depth, in the order of
  /// their creation. Each subtask is followed by its own subtasks.
  public borrowing func subtasks(
    of item: CalendarItem
  ) throws -> [(item: CalendarItem, depth: Int)] {
    // Files may contain cycles.
    var seen: Set<String> = [item.uid]
    var found: [(item: CalendarItem, depth: Int)] = []
    var waiting = try items(parentUID: item.uid).reversed().map { ($0, 0) }
    while let (next, depth) = waiting.popLast() {
      guard !next.isEvent, next.detachment == nil, seen.insert(next.uid).inserted else { continue }
      found.append((next, depth))
      if depth < Subtasks.maximumDepth {
        waiting += try items(parentUID: next.uid).reversed().map { ($0, depth + 1) }
      }
    }
    return found
  }
}

/// Reminders below others.
public enum Subtasks {
  /// Deeper subtasks are not followed.
  public static let maximumDepth = 8
}

extension StoreWriter {
  /// Moves an item to another list, with its whole series and with its subtasks of the same list.
  ///
  /// - Parameters:
  ///   - item: The item as the store has it.
  ///   - list: The new list.
  ///   - now: The time of the change.
  /// - Returns: The items that moved: this one first, then its subtasks.
  /// - Throws: ``ActionError`` if its list is read-only, or `StoreError`.
  @discardableResult
  public borrowing func move(
    _ item: CalendarItem, to list: Identifier<ItemCalendar>, at now: Instant
  ) throws -> [CalendarItem] {
    try reader.calendar(item.calendar)?.checkChangeable()
    let moved = try moveSeries(of: item, to: list, at: now).filter { $0.id == item.id }
    return try moved + moveSubtasks(of: item, to: list, at: now)
  }

  /// Moves the subtasks of an item after it has moved itself.
  ///
  /// - Parameters:
  ///   - item: The item, with the list where it was.
  ///   - list: The list where it is.
  ///   - now: The time of the change.
  /// - Returns: The subtasks that moved.
  @discardableResult
  public borrowing func moveSubtasks(
    of item: CalendarItem, to list: Identifier<ItemCalendar>, at now: Instant
  ) throws -> [CalendarItem] {
    guard list != item.calendar else { return [] }
    return try reader.subtasks(of: item).map(\.item).filter { $0.calendar == item.calendar }.map { subtask in
      try moveSeries(of: subtask, to: list, at: now).first { $0.id == subtask.id } ?? subtask
    }
  }

  /// Moves all items with the UID of an item, and returns them as they are now.
  private borrowing func moveSeries(
    of item: CalendarItem, to list: Identifier<ItemCalendar>, at now: Instant
  ) throws -> [CalendarItem] {
    try reader.items(uid: item.uid, in: item.calendar).map { member in
      var member = member
      member.calendar = list
      member.lastModified = now
      try save(member)
      return member
    }
  }
}
