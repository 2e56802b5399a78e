extension Schema {
  /// What the engine recorded, for people who ask later why an alarm rang or did not. Items, alarms and devices
  /// by name, with what was said of them then: a record outlives them and never changes with them.
  static let records = [
    """
    -- What came of an alarm at a place while a device was near: a row for each approach, stay and crossing.
    CREATE TABLE decisions (
      row INTEGER PRIMARY KEY,
      item TEXT NOT NULL,
      alarm TEXT NOT NULL,
      device TEXT NOT NULL,
      place TEXT NOT NULL,
      -- What the alarm waited for: enter, leave or dwell.
      event TEXT NOT NULL,
      is_inside INTEGER NOT NULL,
      from_at INTEGER NOT NULL,
      until_at INTEGER NOT NULL,
      -- Metres from the boundary at the fix that came closest to a crossing; negative inside.
      nearest REAL,
      nearest_at INTEGER,
      nearest_accuracy REAL,
      doubts INTEGER NOT NULL,
      doubt TEXT,
      doubt_at INTEGER,
      crossed_at INTEGER,
      confirmed_at INTEGER,
      source TEXT,
      is_late INTEGER NOT NULL,
      outcome TEXT,
      firing TEXT,
      ending TEXT
    ) STRICT
    """,
    "CREATE INDEX decisions_item ON decisions (item)",
    "CREATE INDEX decisions_device ON decisions (device)",
    """
    -- When an engine ran, deliveries were paused, a device was silent, or its positions were ignored.
    CREATE TABLE observations (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      -- Empty if it is about the engine.
      device TEXT NOT NULL,
      from_at INTEGER NOT NULL,
      until_at INTEGER NOT NULL,
      reason TEXT,
      accuracy REAL,
      count INTEGER NOT NULL,
      ending TEXT,
      UNIQUE (device, kind, from_at)
    ) STRICT
    """,
  ]
}
