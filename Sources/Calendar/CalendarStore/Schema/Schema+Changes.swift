extension Schema {
  static let changes = """
    -- What changed, in the order in which it did. AUTOINCREMENT: numbers only grow, though old rows go.
    CREATE TABLE changes (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      transaction_number INTEGER NOT NULL,
      entity INTEGER NOT NULL,
      id TEXT NOT NULL,
      kind INTEGER NOT NULL
    ) STRICT;

    -- Which items have left which calendars, and the last change in the log before that.
    CREATE TABLE departed_items (
      sequence INTEGER NOT NULL,
      calendar INTEGER NOT NULL,
      uid TEXT NOT NULL,
      -- The last part of its address, if a client gave it one.
      name TEXT
    ) STRICT;
    CREATE INDEX departed_items_sequence ON departed_items (sequence);
    \(forgottenChanges)

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
    \(runningUndo)

    -- Steps that are gone for every reader. Their rows hold much data, which later transactions delete a
    -- little at a time.
    CREATE TABLE dropped_undo_steps (
      step INTEGER PRIMARY KEY REFERENCES undo_steps ON DELETE CASCADE
    ) STRICT;

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
      -- The image of an item as it came: see received_items.
      received BLOB,
      PRIMARY KEY (bulk, position)
    ) STRICT, WITHOUT ROWID;
    """

  /// The last change of each calendar that the log no longer has.
  private static let forgottenChanges = """
    -- The last change of each calendar that is no longer in the log. A new calendar has none before it began.
    CREATE TABLE forgotten_changes (
      calendar INTEGER PRIMARY KEY REFERENCES calendars ON DELETE CASCADE,
      sequence INTEGER NOT NULL
    ) STRICT;
    CREATE TRIGGER calendars_added AFTER INSERT ON calendars BEGIN
      INSERT OR REPLACE INTO forgotten_changes VALUES (NEW.row, \(lastChange));
    END;
    """

  /// The migration `changes-of-calendars`.
  static let changesOfCalendars = [
    forgottenChanges,
    """
    INSERT INTO forgotten_changes
    SELECT row, coalesce((SELECT min(sequence) - 1 FROM changes), \(lastChange)) FROM calendars
    """,
  ]

  /// The number of the last change.
  static let lastChange = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)"
}
