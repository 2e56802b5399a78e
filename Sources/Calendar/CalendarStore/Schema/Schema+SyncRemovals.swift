extension Schema {
  /// The migration `sync-removals`.
  static let syncRemovals = """
    -- Calendars of a server that were removed here, and are to be removed there. `objects` has the path and
    -- tag of each object of the last synchronization: if the server has others now, the calendar comes back.
    CREATE TABLE sync_removals (
      account INTEGER NOT NULL REFERENCES sync_accounts ON DELETE CASCADE,
      name TEXT NOT NULL,
      calendar TEXT NOT NULL,
      title TEXT NOT NULL,
      objects TEXT NOT NULL,
      PRIMARY KEY (account, name)
    ) STRICT, WITHOUT ROWID;
    -- Objects that are to be read again: each look asks for them.
    CREATE INDEX sync_objects_untagged ON sync_objects (collection) WHERE tag IS NULL;
    CREATE TRIGGER sync_calendar_removed BEFORE DELETE ON calendars BEGIN
      INSERT OR REPLACE INTO sync_removals
        SELECT s.account, s.name, OLD.id, OLD.title,
          (SELECT json_group_array(o.name || ' ' || coalesce(o.tag, '')) FROM sync_objects o WHERE o.collection = s.row)
        FROM sync_collections s JOIN sync_accounts a ON a.row = s.account
        WHERE s.calendar = OLD.row AND a.kind = 'caldav' AND s.name <> '';
    END;
    """
}
