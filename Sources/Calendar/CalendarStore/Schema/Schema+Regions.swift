extension Schema {
  /// Regions that apps watch, and the crossings that wait for them.
  static let regions = [
    """
    -- A circle that an app watches. A manager's have an empty monitor; others the name of their monitor.
    CREATE TABLE app_regions (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      app TEXT NOT NULL,
      monitor TEXT NOT NULL,
      id TEXT NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      radius REAL NOT NULL,
      options INTEGER NOT NULL,
      state INTEGER NOT NULL,
      state_at INTEGER,
      UNIQUE (app, monitor, id)
    ) STRICT;
    """,
    """
    CREATE TABLE app_region_events (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      region INTEGER NOT NULL REFERENCES app_regions ON DELETE CASCADE,
      previous INTEGER NOT NULL,
      state INTEGER NOT NULL,
      time_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX app_region_events_region ON app_region_events (region);
    """,
    """
    -- What the engine knows of the person's device and these regions, in its own form.
    CREATE TABLE app_region_states (
      device TEXT PRIMARY KEY,
      state BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
  ]
}
