/// The tables, in the order in which the first migration creates them.
///
/// Conventions:
/// - `row` is SQLite's number, `id` is the model's identifier. Rows refer to each other by `row`.
/// - Moments are integer microseconds since 1970 (`…_at`). Times in their original form are texts (see
///   ``CalendarModel/CalendarTime``).
/// - Tables are STRICT: an integer column rejects text.
/// - A value that is only read as a whole is one column (lists as JSON); values for searches have their own
///   columns.
enum Schema {
  /// The migration `calendar`.
  static let calendar =
    [migrations, accounts] + spatialMetadata + [items, itemParts] + places + [engine, ledger, changes]

  private static let migrations = """
    CREATE TABLE migrations (
      name TEXT PRIMARY KEY,
      applied TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
    ) STRICT;
    """

  private static let accounts = """
    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    -- Which app may do what: EventKit's authorization status for an entity type.
    CREATE TABLE access_decisions (
      app TEXT NOT NULL,
      entity INTEGER NOT NULL,
      status INTEGER NOT NULL,
      decided_at INTEGER NOT NULL,
      PRIMARY KEY (app, entity)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sources (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind INTEGER NOT NULL,
      title TEXT NOT NULL,
      is_delegate INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE calendars (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      source INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
      kind INTEGER NOT NULL,
      title TEXT NOT NULL,
      red REAL, green REAL, blue REAL, alpha REAL,
      entities INTEGER NOT NULL,
      allows_changes INTEGER NOT NULL,
      is_subscribed INTEGER NOT NULL,
      is_immutable INTEGER NOT NULL,
      availabilities INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX calendars_source ON calendars (source);

    -- VTIMEZONEs of zones that the system does not know by name.
    CREATE TABLE time_zone_definitions (
      id TEXT PRIMARY KEY,
      text TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE time_zone_observances (
      zone TEXT NOT NULL REFERENCES time_zone_definitions ON DELETE CASCADE,
      position INTEGER NOT NULL,
      is_daylight INTEGER NOT NULL,
      start TEXT NOT NULL,
      offset_from INTEGER NOT NULL,
      offset_to INTEGER NOT NULL,
      name TEXT,
      rules TEXT,
      dates TEXT,
      PRIMARY KEY (zone, position)
    ) STRICT, WITHOUT ROWID;
    """

  /// SpatiaLite's own tables with only one coordinate system, EPSG's WGS 84. All systems would take 6 MB of
  /// the file and 80 ms. SpatiaLite's own set for WGS 84 would take 0.2 MB of the file and 1.5 MB of the
  /// memory of the creating process.
  private static let spatialMetadata = [
    "SELECT InitSpatialMetaData('NONE')",
    """
    INSERT INTO spatial_ref_sys VALUES
      (4326, 'epsg', 4326, 'WGS 84', '+proj=longlat +datum=WGS84 +no_defs',
      'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],'
      || 'AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],'
      || 'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],'
      || 'AUTHORITY["EPSG","4326"]]');
    """,
  ]

  private static let items = """
    CREATE TABLE items (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      calendar INTEGER NOT NULL REFERENCES calendars ON DELETE CASCADE,
      uid TEXT NOT NULL,
      is_reminder INTEGER NOT NULL,
      title TEXT NOT NULL,
      location TEXT,
      notes TEXT,
      url TEXT,
      time_zone TEXT,
      created_at INTEGER,
      last_modified_at INTEGER,
      sequence INTEGER NOT NULL,
      priority INTEGER NOT NULL,
      categories TEXT,
      classification TEXT NOT NULL,
      detached_occurrence TEXT,
      detached_and_future INTEGER NOT NULL,
      parent_uid TEXT,
      preserved_properties TEXT,
      preserved_components TEXT,
      start TEXT,
      -- DTEND of an event, DUE of a reminder.
      end_or_due TEXT,
      -- Events.
      availability INTEGER,
      status INTEGER,
      birthday_contact TEXT,
      -- Reminders.
      is_completed INTEGER,
      completed_at INTEGER,
      percent_complete INTEGER,
      is_cancelled INTEGER,
      is_in_process INTEGER,
      -- Which other tables hold more of it: ItemParts.
      parts INTEGER NOT NULL,
      -- Completed, or cancelled: CalendarItem.isSilenced.
      is_silenced INTEGER NOT NULL,
      -- Where occurrences can be: see OccurrenceBounds. No last_end: no end is known.
      first_start_at INTEGER,
      last_end_at INTEGER,
      span INTEGER,
      -- DUE as a moment, a day more or less: the zone is left out of account.
      due_about INTEGER
    ) STRICT;
    CREATE INDEX items_uid ON items (uid);
    CREATE INDEX items_calendar ON items (calendar);
    CREATE INDEX items_bounds ON items (span, first_start_at, last_end_at, is_reminder)
      WHERE first_start_at IS NOT NULL;
    CREATE INDEX reminders_incomplete ON items (due_about) WHERE is_reminder AND NOT is_completed;
    CREATE INDEX reminders_completed ON items (completed_at) WHERE is_reminder AND is_completed;
    """

  private static let itemParts = """
    -- AUTOINCREMENT: a number is never given twice, since the state of fences is kept under it.
    CREATE TABLE alarms (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      position INTEGER NOT NULL,
      trigger_kind INTEGER NOT NULL,
      trigger_at INTEGER,
      trigger_days INTEGER,
      trigger_seconds INTEGER,
      action INTEGER NOT NULL,
      action_value TEXT,
      message TEXT,
      summary TEXT,
      repeat_count INTEGER NOT NULL,
      repeat_days INTEGER,
      repeat_seconds INTEGER,
      acknowledged_at INTEGER,
      snooze_of TEXT,
      preserved_properties TEXT,
      preserved_components TEXT,
      -- Proximity alarms only. Their place is in structured_locations.
      proximity INTEGER,
      dwell_seconds INTEGER,
      fires_if_inside INTEGER,
      frequency TEXT,
      has_window INTEGER,
      window_from INTEGER,
      window_until INTEGER,
      window_weekdays INTEGER,
      window_first_day INTEGER,
      window_last_day INTEGER,
      devices TEXT
    ) STRICT;
    CREATE INDEX alarms_item ON alarms (item, position);
    CREATE INDEX alarms_id ON alarms (id);

    CREATE TABLE recurrence_rules (
      item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      is_exception INTEGER NOT NULL,
      position INTEGER NOT NULL,
      rule TEXT NOT NULL,
      PRIMARY KEY (item, is_exception, position)
    ) STRICT, WITHOUT ROWID;

    -- RDATE and EXDATE.
    CREATE TABLE recurrence_dates (
      item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      is_exception INTEGER NOT NULL,
      position INTEGER NOT NULL,
      start TEXT NOT NULL,
      ends TEXT,
      PRIMARY KEY (item, is_exception, position)
    ) STRICT, WITHOUT ROWID;

    -- The organizer is at position -1.
    CREATE TABLE participants (
      item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      position INTEGER NOT NULL,
      url TEXT NOT NULL,
      name TEXT,
      kind INTEGER NOT NULL,
      role INTEGER NOT NULL,
      status INTEGER NOT NULL,
      is_current_user INTEGER NOT NULL,
      preserved_parameters TEXT,
      PRIMARY KEY (item, position)
    ) STRICT, WITHOUT ROWID;
    """

  /// For STRICT a geometry column is a BLOB; RecoverGeometryColumn registers it with SpatiaLite.
  private static let places = [
    """
    -- The place of an item (no alarm) or of a proximity alarm. Latitude and longitude are kept as they were
    -- said, right or wrong; `shape` is what a map can show: the outline, else the point.
    CREATE TABLE structured_locations (
      row INTEGER PRIMARY KEY,
      item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      alarm INTEGER UNIQUE REFERENCES alarms ON DELETE CASCADE,
      title TEXT NOT NULL,
      latitude REAL,
      longitude REAL,
      radius REAL NOT NULL,
      address TEXT,
      preserved_parameters TEXT,
      shape BLOB
    ) STRICT;
    CREATE INDEX structured_locations_item ON structured_locations (item);

    -- Boxes around what a place covers, under the spatial index: one, or two where the place spans the
    -- antimeridian.
    CREATE TABLE location_extents (
      row INTEGER PRIMARY KEY,
      location INTEGER NOT NULL REFERENCES structured_locations ON DELETE CASCADE,
      extent BLOB NOT NULL
    ) STRICT;
    CREATE INDEX location_extents_location ON location_extents (location);
    """,
    "SELECT RecoverGeometryColumn('structured_locations', 'shape', 4326, 'GEOMETRY', 'XY')",
    "SELECT RecoverGeometryColumn('location_extents', 'extent', 4326, 'POLYGON', 'XY')",
    "SELECT CreateSpatialIndex('location_extents', 'extent')",
    """
    -- SpatiaLite's own trigger prepares a statement anew for each row, after removing what it takes to be
    -- there already. This one does the same for rows that are new, and spares an import a sixth of its time.
    DROP TRIGGER gii_location_extents_extent;
    CREATE TRIGGER gii_location_extents_extent AFTER INSERT ON location_extents BEGIN
      INSERT INTO idx_location_extents_extent VALUES (
        NEW.row, MbrMinX(NEW.extent), MbrMaxX(NEW.extent), MbrMinY(NEW.extent), MbrMaxY(NEW.extent));
    END;
    """,
  ]

  private static let engine = """
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
      course REAL
    ) STRICT;

    -- What the engine knows of a device and the fences near it, in the engine's own form.
    CREATE TABLE fence_states (
      device INTEGER PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
      state BLOB NOT NULL
    ) STRICT;

    -- The next times at which time-based alarms go off.
    CREATE TABLE due_times (
      row INTEGER PRIMARY KEY,
      item INTEGER NOT NULL REFERENCES items ON DELETE CASCADE,
      alarm INTEGER NOT NULL REFERENCES alarms ON DELETE CASCADE,
      kind TEXT NOT NULL,
      occurrence TEXT,
      repetition INTEGER NOT NULL,
      -- For a stay that is waited for.
      device TEXT,
      due_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX due_times_due ON due_times (due_at);
    CREATE INDEX due_times_item ON due_times (item);
    CREATE INDEX due_times_alarm ON due_times (alarm);
    """

  private static let ledger = """
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
      acknowledged_at INTEGER
    ) STRICT;
    CREATE INDEX firings_went_off ON firings (went_off_at);
    CREATE INDEX firings_item ON firings (item);

    CREATE TABLE deliveries (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      firing INTEGER NOT NULL REFERENCES firings ON DELETE CASCADE,
      channel TEXT NOT NULL,
      state INTEGER NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt_at INTEGER NOT NULL,
      delivered_at INTEGER,
      last_error TEXT,
      UNIQUE (firing, channel)
    ) STRICT;
    CREATE INDEX deliveries_pending ON deliveries (channel, next_attempt_at) WHERE state = 0;
    """

  private static let changes = """
    -- What changed, in the order in which it did. AUTOINCREMENT: numbers only grow, though old rows go.
    CREATE TABLE changes (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      transaction_number INTEGER NOT NULL,
      entity INTEGER NOT NULL,
      id TEXT NOT NULL,
      kind INTEGER NOT NULL
    ) STRICT;
    """

  /// The migration `positions`.
  static let positions = """
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
    """
}
