extension Schema {
  static let calendars = """
    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sources (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      kind INTEGER NOT NULL,
      title TEXT NOT NULL,
      is_delegate INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE calendars (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      source INTEGER NOT NULL REFERENCES sources ON DELETE CASCADE,
      kind INTEGER NOT NULL,
      title TEXT NOT NULL,
      red REAL, green REAL, blue REAL, alpha REAL,
      entities INTEGER NOT NULL,
      allows_changes INTEGER NOT NULL,
      is_subscribed INTEGER NOT NULL,
      is_immutable INTEGER NOT NULL,
      availabilities INTEGER NOT NULL,
      -- What a list says of its reminders' alarms: a duration, 'none', or nothing; the second of the day;
      -- whether those ring that have no alarm; the duration after which its alarms are told again.
      default_alarm TEXT,
      all_day_second INTEGER,
      rings_when_due INTEGER NOT NULL DEFAULT 1,
      nag TEXT
    ) STRICT;
    CREATE INDEX calendars_source ON calendars (source);

    -- VTIMEZONEs of zones that the system does not know by name.
    -- With a rowid, so that the index in which observances look for their zone has its name alone: each look
    -- copied the whole text before, megabytes of it where somebody meant harm.
    CREATE TABLE time_zone_definitions (
      id TEXT PRIMARY KEY NOT NULL,
      text TEXT NOT NULL
    ) STRICT;

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

  static let items = """
    CREATE TABLE items (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
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
      due_about INTEGER,
      -- When the item, or its due time, came from elsewhere.
      arrived_at INTEGER
    ) STRICT;
    CREATE INDEX items_uid ON items (uid);
    CREATE INDEX items_calendar ON items (calendar);
    CREATE INDEX reminders_incomplete ON items (due_about) WHERE is_reminder AND NOT is_completed;
    CREATE INDEX reminders_completed ON items (completed_at) WHERE is_reminder AND is_completed;
    -- An import looks for one occurrence of a series, which may have very many.
    CREATE INDEX items_detached ON items (uid, detached_occurrence)
      WHERE detached_occurrence IS NOT NULL;
    -- A command looks for the subtasks of each subtask.
    CREATE INDEX items_parent ON items (parent_uid) WHERE parent_uid IS NOT NULL;

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
      devices TEXT,
      -- Whether passing by counts.
      includes_passing INTEGER
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

    -- Items from elsewhere that were changed here since: an image of each as it came, by which a later
    -- revision of it can be told from what was changed here.
    CREATE TABLE received_items (
      item INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
      image BLOB NOT NULL
    ) STRICT;

    -- Components of calendars that are neither events nor reminders, as other programs wrote them.
    CREATE TABLE preserved_components (
      calendar INTEGER NOT NULL REFERENCES calendars ON DELETE CASCADE,
      name TEXT NOT NULL,
      id TEXT NOT NULL,
      text TEXT NOT NULL,
      PRIMARY KEY (calendar, name, id)
    ) STRICT, WITHOUT ROWID;
    """
}
