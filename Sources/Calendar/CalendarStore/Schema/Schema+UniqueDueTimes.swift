extension Schema {
  /// The migration `unique-due-times`: no alarm waits twice for the same.
  static let uniqueDueTimes = [
    """
    DELETE FROM due_times WHERE row NOT IN (
      SELECT min(row) FROM due_times GROUP BY item, alarm, device, occurrence, repetition, kind, due_at);
    DROP INDEX due_times_item;
    -- NULLs would all differ.
    CREATE UNIQUE INDEX due_times_item ON due_times (
      item, coalesce(alarm, 0), coalesce(device, ''), coalesce(occurrence, ''), repetition, kind, due_at);
    """
  ]
}
