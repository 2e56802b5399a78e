extension Schema {
  static let engine = """
    -- A device and its last position.
    CREATE TABLE devices (
      row INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      fix_at INTEGER,
      latitude REAL,
      longitude REAL,
      accuracy REAL,
      altitude REAL,
      speed REAL,
      course REAL,
      -- Percent.
      battery INTEGER
    ) STRICT;

    -- What the engine knows of a device and the fences near it, in the engine's own form.
    CREATE TABLE fence_states (
      device INTEGER PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
      state BLOB NOT NULL,
      -- When the last position came, by the engine's clock, and the last one that was set aside.
      arrived_at INTEGER,
      set_aside_at INTEGER
    ) STRICT;

    -- Positions beside each device's last, where the user wants them kept: `fencepost daemon --history`.
    CREATE TABLE positions (
      device INTEGER NOT NULL REFERENCES devices ON DELETE CASCADE,
      time_at INTEGER NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      accuracy REAL,
      altitude REAL,
      speed REAL,
      course REAL,
      PRIMARY KEY (device, time_at)
    ) STRICT, WITHOUT ROWID;

    -- A due time without an alarm is that of the alarm that the list's settings imply.
    CREATE TABLE due_times (
      row INTEGER PRIMARY KEY,
      item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      alarm INTEGER REFERENCES alarms ON DELETE CASCADE,
      kind TEXT NOT NULL,
      occurrence TEXT,
      repetition INTEGER NOT NULL,
      -- For a stay that is waited for.
      device TEXT,
      due_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX due_times_due ON due_times (due_at);
    CREATE INDEX due_times_alarm ON due_times (alarm);
    -- Each due time once. NULLs would all differ.
    CREATE UNIQUE INDEX due_times_item ON due_times (
      item, coalesce(alarm, 0), coalesce(device, ''), coalesce(occurrence, ''), repetition, kind, due_at);
    \(silences.joined(separator: "\n"))
    \(movedFences.joined(separator: "\n"))
    """

  /// Parts of `fence_states` that few positions change. The migration `silences`.
  static let silences = [
    """
    -- What was true of a device before each of its last silences, and what was reported since, in the
    -- engine's own form.
    CREATE TABLE silences (
      device INTEGER NOT NULL REFERENCES devices ON DELETE CASCADE,
      number INTEGER NOT NULL,
      state BLOB NOT NULL,
      PRIMARY KEY (device, number)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    -- Positions that came late from a silence, as long as older ones may change what they mean.
    CREATE TABLE late_positions (
      device INTEGER NOT NULL,
      silence INTEGER NOT NULL,
      time_at INTEGER NOT NULL,
      position BLOB NOT NULL,
      PRIMARY KEY (device, silence, time_at),
      FOREIGN KEY (device, silence) REFERENCES silences ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    """,
  ]

  /// The migration `moved-fences`.
  static let movedFences = [
    """
    -- Where an alarm that goes off at once for who is inside was before its place changed: who was inside
    -- then, too, has heard of it.
    CREATE TABLE moved_fences (
      alarm INTEGER PRIMARY KEY REFERENCES alarms ON DELETE CASCADE,
      earlier INTEGER NOT NULL,
      title TEXT NOT NULL,
      latitude REAL,
      longitude REAL,
      radius REAL NOT NULL,
      address TEXT,
      preserved_parameters TEXT,
      shape BLOB
    ) STRICT;
    """
  ]

  static let ledger = """
    -- Items and alarms by identifier, with what was said of them then: the ledger outlives both.
    CREATE TABLE firings (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      key TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      time_at INTEGER NOT NULL,
      confirmed_at INTEGER,
      went_off_at INTEGER NOT NULL,
      alarm TEXT NOT NULL,
      item TEXT NOT NULL,
      occurrence TEXT,
      is_late INTEGER NOT NULL,
      folded INTEGER NOT NULL,
      -- Proximity kinds only.
      device TEXT,
      latitude REAL,
      longitude REAL,
      accuracy REAL,
      is_interpolated INTEGER,
      place_title TEXT,
      place_latitude REAL,
      place_longitude REAL,
      place_radius REAL,
      place_address TEXT,
      place_preserved_parameters TEXT,
      place_shape BLOB,
      -- The item as it was then.
      item_title TEXT,
      item_is_reminder INTEGER,
      list_id TEXT,
      list_title TEXT,
      message TEXT,
      -- When the user acknowledged it.
      acknowledged_at INTEGER,
      -- The possible times of a crossing that happened between distant positions.
      earliest_at INTEGER,
      latest_at INTEGER,
      -- More of the item as it was then.
      item_start TEXT,
      item_end TEXT,
      item_location TEXT,
      item_notes TEXT,
      item_url TEXT,
      -- What went off before this was put off, and the alarm that this was put off to.
      snoozed_kind TEXT,
      snoozed_key TEXT,
      snoozed_at INTEGER,
      snoozed_place TEXT,
      snoozed_device TEXT,
      put_off_to TEXT,
      -- The evidence of a crossing.
      source TEXT,
      item_conference TEXT
    ) STRICT;
    CREATE INDEX firings_went_off ON firings (went_off_at);
    CREATE INDEX firings_item ON firings (item);
    CREATE INDEX firings_put_off ON firings (put_off_to) WHERE put_off_to IS NOT NULL;

    \(deliveries)
    \(repeatedDeliveries.joined(separator: "\n"))
    """

  /// Each of what channels tell: a firing or a suggestion.
  private static let deliveries = """
    CREATE TABLE deliveries (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      firing INTEGER REFERENCES firings ON DELETE CASCADE,
      channel TEXT NOT NULL,
      state INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER NOT NULL,
      delivered_at INTEGER,
      last_error TEXT,
      suggestion INTEGER REFERENCES suggestions ON DELETE CASCADE,
      UNIQUE (firing, channel),
      CHECK ((firing IS NULL) <> (suggestion IS NULL))
    ) STRICT;
    CREATE INDEX deliveries_pending ON deliveries (channel, next_attempt_at) WHERE state = 0;
    CREATE UNIQUE INDEX deliveries_suggestion ON deliveries (suggestion, channel) WHERE suggestion IS NOT NULL;
    """

  /// How often a channel has told a notice that it repeats until somebody answers.
  static let repeatedDeliveries = ["ALTER TABLE deliveries ADD COLUMN told INTEGER NOT NULL DEFAULT 0;"]

  /// Suggestions leave the ledger, where they stood as firings with an alarm and an item of their own making.
  static let suggestionDeliveries = [
    """
    CREATE TEMP TABLE earlier_deliveries AS
    SELECT d.*, s.row AS suggestion, f.kind FROM deliveries d JOIN firings f ON f.row = d.firing
    LEFT JOIN suggestions s ON f.kind = 'suggestion' AND s.id = f.item;
    DROP TABLE deliveries;
    """,
    deliveries,
    """
    INSERT INTO deliveries
    SELECT row, iif(suggestion IS NULL, firing, NULL), channel, state, attempts, next_attempt_at, delivered_at,
      last_error, suggestion
    FROM earlier_deliveries WHERE kind <> 'suggestion' OR suggestion IS NOT NULL;
    DROP TABLE earlier_deliveries;
    DELETE FROM firings WHERE kind = 'suggestion';
    """,
  ]
}
