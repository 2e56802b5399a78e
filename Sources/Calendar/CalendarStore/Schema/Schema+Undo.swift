extension Schema {
  /// The migration `places-and-undo`.
  static let placesAndUndo = [
    """
    -- Places that were given a name. `title` is the name.
    CREATE TABLE named_places (
      row INTEGER PRIMARY KEY,
      title TEXT NOT NULL UNIQUE,
      latitude REAL,
      longitude REAL,
      radius REAL NOT NULL,
      address TEXT,
      preserved_parameters TEXT,
      shape BLOB
    ) STRICT;

    -- Transactions that can be undone, or done again.
    CREATE TABLE undo_steps (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      -- The transactions of one run of a command are undone together.
      run TEXT NOT NULL,
      label TEXT NOT NULL,
      made_at INTEGER NOT NULL,
      is_undone INTEGER NOT NULL,
      -- Where the log of changes tells what it touched.
      first_change INTEGER NOT NULL,
      last_change INTEGER NOT NULL,
      -- Rows before and after, in SQLite's form; items that were added are left out where the next column
      -- says so. None: there was too much to keep.
      changeset BLOB,
      omits_additions INTEGER NOT NULL
    ) STRICT;

    -- The transactions that steps were made, undone and done again by; all others are somebody else's.
    CREATE TABLE undo_transactions (number INTEGER PRIMARY KEY) STRICT;
    """
  ]
  /// The migration `dropped-undo-steps`.
  static let droppedUndoSteps = """
    -- Steps that are gone for every reader. Their rows hold much data, which later transactions delete a
    -- little at a time.
    CREATE TABLE dropped_undo_steps (
      step INTEGER PRIMARY KEY REFERENCES undo_steps ON DELETE CASCADE
    ) STRICT;
    """
}
