extension Schema {
  /// The migration `zone-texts`.
  static let zoneTexts = """
    -- With a rowid, so that the index in which observances look for their zone has its name alone: each look
    -- copied the whole text before, megabytes of it where somebody meant harm.
    CREATE TABLE time_zone_definitions_new (
      id TEXT PRIMARY KEY NOT NULL,
      text TEXT NOT NULL
    ) STRICT;
    INSERT INTO time_zone_definitions_new SELECT id, text FROM time_zone_definitions;
    DROP TABLE time_zone_definitions;
    ALTER TABLE time_zone_definitions_new RENAME TO time_zone_definitions;
    """
}
