extension Schema {
  /// The migration `subscriptions`.
  static let subscriptions = """
    -- Calendars that are kept from an address elsewhere, and when that was last looked at.
    CREATE TABLE subscriptions (
      calendar INTEGER PRIMARY KEY REFERENCES calendars ON DELETE CASCADE,
      address TEXT NOT NULL,
      interval INTEGER,
      suggested_interval INTEGER,
      entity_tag TEXT,
      modified TEXT,
      checked_at INTEGER,
      succeeded_at INTEGER,
      next_at INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      failure TEXT
    ) STRICT;
    """
}
