extension Schema {
  /// What CalDAV clients have stored, what they are told of items that have left a calendar, and
  /// subscriptions.
  static let objects = """
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
    -- Objects without bytes are few, and the others' bytes are many.
    CREATE INDEX calendar_objects_bare ON calendar_objects (calendar, uid) WHERE text IS NULL;

    -- Properties that clients have set on calendars (no object) and objects, as XML.
    CREATE TABLE calendar_properties (
      calendar INTEGER NOT NULL REFERENCES calendars ON DELETE CASCADE,
      object TEXT NOT NULL,
      namespace TEXT NOT NULL,
      name TEXT NOT NULL,
      value TEXT NOT NULL,
      PRIMARY KEY (calendar, object, namespace, name)
    ) STRICT, WITHOUT ROWID;

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

    CREATE TRIGGER calendar_objects_removed AFTER DELETE ON calendar_objects WHEN OLD.text IS NOT NULL BEGIN
      INSERT INTO departed_items
        SELECT \(lastChange), row, OLD.uid, OLD.name FROM calendars WHERE row = OLD.calendar;
    END;
    \(objectTriggers)
    """

  /// Clients are told of items that leave a calendar, and of objects that get another address.
  private static let objectTriggers = """
    CREATE TRIGGER calendar_objects_renamed AFTER UPDATE OF name ON calendar_objects WHEN OLD.name <> NEW.name BEGIN
      INSERT INTO departed_items VALUES (\(lastChange), OLD.calendar, OLD.uid, OLD.name);
    END;
    CREATE TRIGGER items_removed AFTER DELETE ON items BEGIN
      INSERT INTO departed_items SELECT \(lastChange), row, OLD.uid, \(name) FROM calendars WHERE row = OLD.calendar;
      \(removal)
    END;
    CREATE TRIGGER items_moved AFTER UPDATE OF calendar, uid ON items
    WHEN OLD.calendar <> NEW.calendar OR OLD.uid <> NEW.uid BEGIN
      INSERT INTO departed_items VALUES (\(lastChange), OLD.calendar, OLD.uid, \(name));
      \(removal)
    END;
    """

  /// The migration `objects-in-undo`.
  static let objectsInUndo = [
    runningUndo, "DROP TRIGGER items_removed", "DROP TRIGGER items_moved", objectTriggers,
  ]

  /// While undo or redo reverts rows, an object's bytes are reverted with its own row, which a trigger must
  /// leave alone: where that row ends as it began, nothing would bring the bytes back.
  static let runningUndo = """
    -- Has a row while undo or redo reverts rows, within their transaction.
    CREATE TABLE running_undo (row INTEGER PRIMARY KEY) STRICT;
    """

  /// The name of an object whose items go: its own, or that under which it went within the same change.
  private static let name = """
    coalesce(
      (SELECT name FROM calendar_objects WHERE calendar = OLD.calendar AND uid = OLD.uid),
      (SELECT d.name FROM departed_items d
       WHERE d.sequence = \(lastChange) AND d.calendar = OLD.calendar AND d.uid = OLD.uid AND d.name IS NOT NULL))
    """

  /// The client's bytes go with the items; the name stays.
  private static let removal = """
    UPDATE calendar_objects SET text = NULL, fingerprint = NULL
    WHERE calendar = OLD.calendar AND uid = OLD.uid AND NOT EXISTS (SELECT 1 FROM running_undo);
    """
}
