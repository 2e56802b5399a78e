extension Schema {
  /// The migration `implied-alarms`.
  static let impliedAlarms = [
    """
    -- When an item, or its due time, came from elsewhere.
    ALTER TABLE items ADD COLUMN arrived_at INTEGER;
    UPDATE timed_events SET image = NULL;

    -- What a list says of its reminders' alarms: a duration, 'none', or nothing; the second of the day;
    -- whether those ring that have no alarm.
    ALTER TABLE calendars ADD COLUMN default_alarm TEXT;
    ALTER TABLE calendars ADD COLUMN all_day_second INTEGER;
    ALTER TABLE calendars ADD COLUMN rings_when_due INTEGER NOT NULL DEFAULT 1;

    -- A due time without an alarm is that of the alarm that the list's settings imply.
    CREATE TABLE new_due_times (
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
    INSERT INTO new_due_times (row, item, alarm, kind, occurrence, repetition, device, due_at)
      SELECT row, item, alarm, kind, occurrence, repetition, device, due_at FROM due_times;
    DROP TABLE due_times;
    ALTER TABLE new_due_times RENAME TO due_times;
    CREATE INDEX due_times_due ON due_times (due_at);
    CREATE INDEX due_times_item ON due_times (item);
    CREATE INDEX due_times_alarm ON due_times (alarm);

    -- The item as it was then, and what went off before this was put off.
    ALTER TABLE firings ADD COLUMN item_start TEXT;
    ALTER TABLE firings ADD COLUMN item_end TEXT;
    ALTER TABLE firings ADD COLUMN item_location TEXT;
    ALTER TABLE firings ADD COLUMN item_notes TEXT;
    ALTER TABLE firings ADD COLUMN item_url TEXT;
    ALTER TABLE firings ADD COLUMN snoozed_kind TEXT;
    ALTER TABLE firings ADD COLUMN snoozed_key TEXT;
    ALTER TABLE firings ADD COLUMN snoozed_at INTEGER;
    ALTER TABLE firings ADD COLUMN snoozed_place TEXT;
    ALTER TABLE firings ADD COLUMN snoozed_device TEXT;
    -- The alarm that it was put off to.
    ALTER TABLE firings ADD COLUMN put_off_to TEXT;
    CREATE INDEX firings_put_off ON firings (put_off_to) WHERE put_off_to IS NOT NULL;
    """
  ]
}
