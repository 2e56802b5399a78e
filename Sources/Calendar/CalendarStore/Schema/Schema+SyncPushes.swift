extension Schema {
  /// The migration `sync-pushes`.
  static let syncPushes = """
    -- Where servers push that calendars of an account have changed (WebDAV-Push): the last part of the path,
    -- and the keys of the messages.
    CREATE TABLE sync_receivers (
      account INTEGER PRIMARY KEY REFERENCES sync_accounts ON DELETE CASCADE,
      path TEXT NOT NULL UNIQUE,
      key BLOB NOT NULL,
      secret BLOB NOT NULL
    ) STRICT;
    -- What servers were asked to push. `address` is where a server keeps it; none if it refused.
    CREATE TABLE sync_registrations (
      collection INTEGER PRIMARY KEY REFERENCES sync_collections ON DELETE CASCADE,
      endpoint TEXT NOT NULL,
      address TEXT,
      renewed_at INTEGER NOT NULL
    ) STRICT;
    """
}
