extension Schema {
  /// See ``TimedEvents``.
  static let timedEvents = """
    -- Events by where occurrences can be; `span` and the bounds are those of `items`. The image is derived:
    -- triggers take it away when what it shows changes.
    CREATE TABLE timed_events (
      span INTEGER NOT NULL,
      first_start_at INTEGER NOT NULL,
      item INTEGER NOT NULL,
      last_end_at INTEGER,
      calendar INTEGER NOT NULL,
      uid TEXT NOT NULL,
      image BLOB,
      PRIMARY KEY (span, first_start_at, item)
    ) STRICT, WITHOUT ROWID;

    CREATE TRIGGER timed_events_insert AFTER INSERT ON items
    WHEN NOT NEW.is_reminder AND NEW.first_start_at IS NOT NULL BEGIN
      \(insertion)
    END;
    CREATE TRIGGER timed_events_delete AFTER DELETE ON items WHEN NOT OLD.is_reminder BEGIN
      \(deletion)
    END;
    CREATE TRIGGER timed_events_update AFTER UPDATE ON items
    WHEN NOT (OLD.is_reminder AND NEW.is_reminder) BEGIN
      \(deletion)
      \(insertion)
    END;
    """

  /// The triggers of the tables that hold parts of an item. Parts are added in the same step as their item,
  /// whose image is made after it.
  static let timedEventParts = [
    "alarms", "structured_locations", "recurrence_rules", "recurrence_dates", "participants",
  ].flatMap { table in
    [("delete", "OLD"), ("update", "NEW")].map { event, row in
      """
      CREATE TRIGGER timed_events_\(table)_\(event) AFTER \(event.uppercased()) ON \(table) BEGIN
        UPDATE timed_events SET image = NULL
        WHERE (span, first_start_at, item)
            = (SELECT span, first_start_at, row FROM items WHERE row = \(row).item)
          AND image IS NOT NULL;
      END
      """
    }
  }

  private static let insertion = """
    INSERT INTO timed_events (span, first_start_at, item, last_end_at, calendar, uid)
          SELECT NEW.span, NEW.first_start_at, NEW.row, NEW.last_end_at, NEW.calendar, NEW.uid
          WHERE NOT NEW.is_reminder AND NEW.first_start_at IS NOT NULL;
    """
  private static let deletion = """
    DELETE FROM timed_events
          WHERE span = OLD.span AND first_start_at = OLD.first_start_at AND item = OLD.row;
    """
}
