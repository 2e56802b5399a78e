extension Schema {
  /// The migration `change-subscriptions`.
  static let changeSubscriptions = """
    -- CalDAV clients that want to hear when a calendar changes (WebDAV-Push). `told` is the last change that
    -- they heard of.
    CREATE TABLE change_subscriptions (
      id TEXT PRIMARY KEY,
      calendar INTEGER NOT NULL REFERENCES calendars ON DELETE CASCADE,
      client TEXT NOT NULL REFERENCES clients (user) ON DELETE CASCADE,
      endpoint TEXT NOT NULL,
      public_key BLOB NOT NULL,
      secret BLOB NOT NULL,
      includes_properties INTEGER NOT NULL,
      includes_content INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      told INTEGER NOT NULL,
      UNIQUE (calendar, endpoint)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX change_subscriptions_client ON change_subscriptions (client);
    """
}
