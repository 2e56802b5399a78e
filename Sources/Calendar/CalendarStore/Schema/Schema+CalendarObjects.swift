extension Schema {
  /// The migration `calendar-objects`.
  static let calendarObjects = """
    -- Calendar objects (the items of one UID in a calendar) that a CalDAV client has stored: the last part of
    -- the address that the client chose, and the client's bytes. A row stays when the items go, because
    -- clients that ask for changes are told the address.
    CREATE TABLE calendar_objects (
      calendar INTEGER NOT NULL REFERENCES calendars ON DELETE CASCADE,
      uid TEXT NOT NULL,
      name TEXT NOT NULL,
      text BLOB,
      -- What the items were when the bytes came. If they are not that now, the bytes are out of date.
      fingerprint BLOB,
      PRIMARY KEY (calendar, uid)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX calendar_objects_name ON calendar_objects (calendar, name);

    -- Properties that clients have set on calendars (no object) and objects, as XML.
    CREATE TABLE calendar_properties (
      calendar INTEGER NOT NULL REFERENCES calendars ON DELETE CASCADE,
      object TEXT NOT NULL,
      namespace TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (calendar, object, namespace, name)
    ) STRICT, WITHOUT ROWID;

    -- Files that clients keep beside their calendars. A path is the encoded parts of the address, each after
    -- a slash.
    CREATE TABLE client_files (
      user TEXT NOT NULL,
      path TEXT NOT NULL,
      is_collection INTEGER NOT NULL,
      content BLOB NOT NULL,
      type TEXT,
      modified_at INTEGER NOT NULL,
      PRIMARY KEY (user, path)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE client_file_properties (
      user TEXT NOT NULL,
      path TEXT NOT NULL,
      namespace TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (user, path, namespace, name)
    ) STRICT, WITHOUT ROWID;

    -- Which items have left which calendars, and the last change in the log before that.
    CREATE TABLE departed_items (
      sequence INTEGER NOT NULL,
      calendar INTEGER NOT NULL,
      uid TEXT NOT NULL
    ) STRICT;
    CREATE INDEX departed_items_sequence ON departed_items (sequence);
    CREATE TRIGGER items_removed AFTER DELETE ON items BEGIN
      INSERT INTO departed_items
        SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0), row, OLD.uid
        FROM calendars WHERE row = OLD.calendar;
      UPDATE calendar_objects SET text = NULL, fingerprint = NULL WHERE calendar = OLD.calendar AND uid = OLD.uid;
    END;
    CREATE TRIGGER items_moved AFTER UPDATE OF calendar, uid ON items
    WHEN OLD.calendar <> NEW.calendar OR OLD.uid <> NEW.uid BEGIN
      INSERT INTO departed_items VALUES (
        coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0), OLD.calendar, OLD.uid);
      UPDATE calendar_objects SET text = NULL, fingerprint = NULL WHERE calendar = OLD.calendar AND uid = OLD.uid;
    END;
    """

  /// The migration `departed-names`: the name of an object may be gone, or another's, when clients are told
  /// that it left.
  static let departedNames = [
    "ALTER TABLE departed_items ADD COLUMN name TEXT",
    "DROP TRIGGER items_removed",
    "DROP TRIGGER items_moved",
    // Undo removes an object before its items.
    """
    CREATE TRIGGER calendar_objects_removed AFTER DELETE ON calendar_objects WHEN OLD.text IS NOT NULL BEGIN
      INSERT INTO departed_items
        SELECT \(lastChange), row, OLD.uid, OLD.name FROM calendars WHERE row = OLD.calendar;
    END
    """,
    """
    CREATE TRIGGER items_removed AFTER DELETE ON items BEGIN
      INSERT INTO departed_items SELECT \(lastChange), row, OLD.uid, \(name) FROM calendars WHERE row = OLD.calendar;
      \(forget)
    END
    """,
    """
    CREATE TRIGGER items_moved AFTER UPDATE OF calendar, uid ON items
    WHEN OLD.calendar <> NEW.calendar OR OLD.uid <> NEW.uid BEGIN
      INSERT INTO departed_items VALUES (\(lastChange), OLD.calendar, OLD.uid, \(name));
      \(forget)
    END
    """,
  ]

  private static let lastChange =
    "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)"
  private static let name = """
    coalesce(
      (SELECT name FROM calendar_objects WHERE calendar = OLD.calendar AND uid = OLD.uid),
      (SELECT d.name FROM departed_items d
       WHERE d.sequence = \(lastChange) AND d.calendar = OLD.calendar AND d.uid = OLD.uid AND d.name IS NOT NULL))
    """
  private static let forget = """
    UPDATE calendar_objects SET text = NULL, fingerprint = NULL WHERE calendar = OLD.calendar AND uid = OLD.uid;
    """
}
