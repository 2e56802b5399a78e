extension Schema {
  static let synchronization = """
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
    ) STRICT;

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
      -- When all objects were compared, and not only those that the server says have changed.
      listed_at INTEGER,
      -- The list that it is a copy of, if the server says so: two stores that follow each other offer each
      -- other their own lists.
      origin TEXT,
      UNIQUE (account, name)
    ) STRICT;

    \(syncObjects)

    -- Items that the server does not take: not sent again until they change.
    CREATE TABLE sync_refusals (
      collection INTEGER NOT NULL REFERENCES sync_collections ON DELETE CASCADE,
      uid TEXT NOT NULL,
      text TEXT NOT NULL,
      reason TEXT NOT NULL,
      -- When the server refused it: it is asked again each day.
      refused_at INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (collection, uid)
    ) STRICT, WITHOUT ROWID;

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
    ) STRICT;

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
      renewed_at INTEGER NOT NULL,
      -- The key by which the server signs what it pushes.
      sender_key BLOB
    ) STRICT;

    CREATE TRIGGER sync_calendar_removed BEFORE DELETE ON calendars BEGIN
      INSERT OR REPLACE INTO sync_removals
        SELECT s.account, s.name, OLD.id, OLD.title,
          (SELECT json_group_array(o.name || ' ' || coalesce(o.tag, '')) FROM sync_objects o WHERE o.collection = s.row)
        FROM sync_collections s JOIN sync_accounts a ON a.row = s.account
        WHERE s.calendar = OLD.row AND a.kind = 'caldav' AND s.name <> '';
    END;
    """

  private static let syncObjects = """
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
      -- What is known of an object.
      state TEXT NOT NULL DEFAULT 'agreed'
        CHECK (state IN ('agreed', 'sent', 'unusable', 'unread', 'duplicate')),
      -- The version that an upload replaces.
      replaced_tag TEXT,
      UNIQUE (collection, name)
    ) STRICT;
    CREATE INDEX sync_objects_uid ON sync_objects (collection, uid);
    CREATE INDEX sync_objects_unsettled ON sync_objects (collection) WHERE tag IS NULL OR state = 'sent';
    """

  /// The migration `unread-objects`: objects can have another state.
  static let unreadObjects = [
    "CREATE TABLE old_objects AS SELECT * FROM sync_objects", "DROP TABLE sync_objects", syncObjects,
    """
    INSERT INTO sync_objects (row, collection, name, uid, tag, base, local, state, replaced_tag)
    SELECT row, collection, name, uid, tag, base, local, state, replaced_tag FROM old_objects
    """,
    "DROP TABLE old_objects",
  ]
}
