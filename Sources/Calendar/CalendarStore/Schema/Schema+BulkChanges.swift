extension Schema {
  /// The migration `bulk-changes`: see ``BulkChange``.
  static let bulkChanges = """
    -- A large change from elsewhere that is made in steps. Items that it adds have row numbers from
    -- first_item to last_item; while is_hidden is true, they are not there for anybody else.
    CREATE TABLE bulk_changes (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      first_item INTEGER NOT NULL,
      last_item INTEGER NOT NULL,
      is_hidden INTEGER NOT NULL,
      -- True once it is to be finished, and not taken back, whatever happens.
      is_decided INTEGER NOT NULL,
      -- Whether it counts against what somebody has changed meanwhile.
      is_authoritative INTEGER NOT NULL,
      -- The first alarm that it may have added.
      first_alarm INTEGER NOT NULL,
      -- The last change of the log before it.
      last_change INTEGER NOT NULL,
      -- The UndoLabel, where it can be undone.
      run TEXT,
      command TEXT,
      made_at INTEGER
    ) STRICT;

    -- What it changes and removes of items that were there before; no image: the item is removed.
    CREATE TABLE bulk_updates (
      bulk INTEGER NOT NULL,
      position INTEGER NOT NULL,
      item TEXT NOT NULL,
      image BLOB,
      PRIMARY KEY (bulk, position)
    ) STRICT, WITHOUT ROWID;
    """
}
