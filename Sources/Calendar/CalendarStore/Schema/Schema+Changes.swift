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
      omits_additions INTEGER NOT NULL,
      -- Who made it, a ChangeAuthor: 0 a command, 1 the pages, 2 a client, 3 an agent; and its name and
      -- number.
      door INTEGER NOT NULL DEFAULT 0,
      client TEXT,
      client_number INTEGER
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
      made_at INTEGER,
      door INTEGER NOT NULL DEFAULT 0,
      client TEXT,
      client_number INTEGER
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

  /// The migration `change-authors`. Labels began with the author's name and a colon before; those of the
  /// pages with `web`, those of agents with `mcp` and the agent's name.
  ///
  /// A command begins with a word of small letters and a blank, so a label with a colon before the first
  /// blank, or with a capital letter first, is a client's.
  static let authorsOfChanges =
    ["undo_steps", "bulk_changes"].flatMap { table in
      [
        "ALTER TABLE \(table) ADD COLUMN door INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE \(table) ADD COLUMN client TEXT",
        "ALTER TABLE \(table) ADD COLUMN client_number INTEGER",
      ]
    } + [
      "UPDATE undo_steps SET door = 1, label = substr(label, 6) WHERE substr(label, 1, 5) = 'web: '",
      """
      UPDATE undo_steps SET door = 3, client = substr(label, 5, instr(label, ': ') - 5)
      WHERE substr(label, 1, 4) = 'mcp:' AND instr(label, ': ') > 5
      """,
      """
      UPDATE undo_steps AS s SET door = 2, client = c.name, client_number = c.row
      FROM clients AS c
      WHERE s.door = 0 AND substr(s.label, 1, length(c.name) + 2) = c.name || ': '
        AND NOT EXISTS (
          SELECT 1 FROM clients d
          WHERE length(d.name) > length(c.name) AND substr(s.label, 1, length(d.name) + 2) = d.name || ': ')
      """,
      """
      UPDATE undo_steps SET door = 2, client = substr(label, 1, instr(label, ': ') - 1)
      WHERE door = 0 AND instr(label, ': ') > 1
        AND (label GLOB '[A-Z]*' OR instr(label, ': ') = instr(label, ' ') - 1)
      """,
      // An agent's name stands after `mcp:`.
      """
      UPDATE undo_steps SET label = substr(label, length(client) + CASE door WHEN 3 THEN 7 ELSE 3 END)
      WHERE client IS NOT NULL
      """,
    ]

  /// The number of the last change.
  static let lastChange = "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)"
}
