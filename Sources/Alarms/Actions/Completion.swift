public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence

extension CalendarItem {
  /// Completes a reminder; one that repeats moves to its next occurrence.
  ///
  /// Its alarms stay, and do not go off while it is completed. Alarms that the user snoozed are removed: who
  /// completes a reminder has answered them.
  ///
  /// - Parameters:
  ///   - now: The time of the completion.
  ///   - closed: The occurrences that a client has completed or cancelled as items of their own.
  ///   - resolver: The zones in which it moves on.
  /// - Returns: The completed occurrence as a reminder of its own, to be saved too; `nil` if it does not
  ///   repeat, or this was the last occurrence.
  public mutating func complete(
    at now: Instant, closed: [CalendarTime] = [], resolver: TimeResolver
  ) -> CalendarItem? {
    if let done = rollOn(at: now, closed: closed, resolver: resolver) { return done }
    // A program may have said when it was.
    if reminder?.isCompleted == false { reminder?.complete(at: now) }
    alarms.removeAll { $0.snoozeOf != nil }
    lastModified = now
    return nil
  }
}

/// What completing or reopening a reminder came to.
public struct CompletionResult: Sendable {
  /// The reminder afterwards; of one that repeats, at its next occurrence.
  public var item: CalendarItem
  /// False if it was already so.
  public var isChanged: Bool
  /// Of a reminder that repeats, the occurrence that was completed.
  public var occurrence: CalendarItem?
}

extension StoreWriter {
  /// Completes a reminder or opens it again, and saves it. Alarms of it that went off and wait for an answer
  /// are answered with it.
  ///
  /// - Parameters:
  ///   - item: The reminder as the store has it.
  ///   - isDone: Whether to complete it; otherwise it is opened again.
  ///   - now: The current time.
  ///   - resolver: The zones in which one that repeats moves on.
  /// - Throws: ``ActionError`` if it is an event or its list is read-only, or `StoreError`.
  public borrowing func complete(
    _ item: CalendarItem, isDone: Bool = true, at now: Instant, resolver: TimeResolver
  ) throws -> CompletionResult {
    guard let reminder = item.reminder else { throw ActionError.notAReminder(title: item.title) }
    try reader.calendar(item.calendar)?.checkChangeable()
    var result = CompletionResult(item: item, isChanged: reminder.isCompleted != isDone)
    guard result.isChanged else { return result }
    if isDone {
      let closed = try reader.closedOccurrences(of: item)
      result.occurrence = result.item.complete(at: now, closed: closed, resolver: resolver)
      if let occurrence = result.occurrence { try save(occurrence) }
      try acknowledgeFirings(of: item.id, at: now)
    } else {
      result.item.reminder?.reopen()
      result.item.lastModified = now
    }
    try save(result.item)
    return result
  }
}
