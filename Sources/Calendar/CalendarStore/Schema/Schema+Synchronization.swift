extension Schema {
  /// The migration `synchronization`.
  static let synchronization = [
    """
    -- Servers and folders with which lists are kept the same.
    CREATE TABLE sync_accounts (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      -- The address that the user gave, or the path of a folder.
      address TEXT NOT NULL,
      user TEXT,
      -- The source of its calendars; NULL where they belong to another one.
      source INTEGER REFERENCES sources ON DELETE CASCADE,
      home TEXT,
      -- What the server can do, as far as it is known: JSON.
      capabilities TEXT NOT NULL,
      checked_at INTEGER,
      succeeded_at INTEGER,
      next_at INTEGER NOT NULL,
      failures INTEGER NOT NULL,
      failure TEXT
    ) STRICT
    """,
    """
    CREATE TABLE sync_collections (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      account INTEGER NOT NULL REFERENCES sync_accounts ON DELETE CASCADE,
      calendar INTEGER NOT NULL UNIQUE REFERENCES calendars ON DELETE CASCADE,
      -- Its path on the server.
      name TEXT NOT NULL,
      -- What the server said of its state after the last synchronization.
      token TEXT,
      change_tag TEXT,
      -- Name and colour that both sides had.
      title TEXT,
      color TEXT,
      -- The place in the log of changes up to which the items were compared; NULL for never.
      compared INTEGER,
      -- How many objects would be removed here, and there, if somebody agreed.
      waiting_removals INTEGER NOT NULL,
      waiting_deletions INTEGER NOT NULL,
      UNIQUE (account, name)
    ) STRICT
    """,
    """
    -- Objects that both sides had after the last synchronization.
    CREATE TABLE sync_objects (
      row INTEGER PRIMARY KEY,
      collection INTEGER NOT NULL REFERENCES sync_collections ON DELETE CASCADE,
      name TEXT NOT NULL,
      uid TEXT NOT NULL,
      tag TEXT,
      -- The text that the server has, and the text of the items here where that says something else.
      base TEXT NOT NULL,
      local TEXT,
      UNIQUE (collection, name)
    ) STRICT
    """,
    "CREATE INDEX sync_objects_uid ON sync_objects (collection, uid)",
    """
    -- Items that the server does not take: not sent again until they change.
    CREATE TABLE sync_refusals (
      collection INTEGER NOT NULL REFERENCES sync_collections ON DELETE CASCADE,
      uid TEXT NOT NULL,
      text TEXT NOT NULL,
      reason TEXT NOT NULL,
      PRIMARY KEY (collection, uid)
    ) STRICT, WITHOUT ROWID
    """,
    """
    -- Values that a merge could not keep.
    CREATE TABLE sync_conflicts (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL REFERENCES sync_collections ON DELETE CASCADE,
      uid TEXT NOT NULL,
      title TEXT NOT NULL,
      occurrence TEXT,
      property TEXT NOT NULL,
      loser TEXT NOT NULL,
      kept TEXT NOT NULL,
      lost TEXT NOT NULL,
      found_at INTEGER NOT NULL
    ) STRICT
    """,
  ]
}
