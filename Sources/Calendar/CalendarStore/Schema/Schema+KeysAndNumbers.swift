extension Schema {
  /// The migration `keys-and-numbers`.
  static let keysAndNumbers =
    [
      // A firing's key names its item.
      "UPDATE OR IGNORE firings SET key = item || '/' || key",
      // Undo restores rows under their old numbers, which must be free: AUTOINCREMENT never reuses a number.
      // It does not change the rows in the file, so only the text of the schema changes. That keeps
      // SpatiaLite's columns, triggers and index (SQLite's ALTER TABLE, "Making Other Kinds Of Table Schema
      // Changes").
      "PRAGMA writable_schema = ON",
      """
      UPDATE sqlite_schema SET sql = replace(sql, 'row INTEGER PRIMARY KEY,', 'row INTEGER PRIMARY KEY AUTOINCREMENT,')
      WHERE type = 'table' AND name IN (\(numbered.map { "'\($0)'" }.joined(separator: ", ")))
      """,
      "PRAGMA writable_schema = RESET",
      // Makes other connections read the schema again.
      "CREATE TABLE news (row INTEGER PRIMARY KEY); DROP TABLE news",
    ]
    + numbered.map { "INSERT INTO sqlite_sequence SELECT '\($0)', max(row) FROM \($0) HAVING max(row) > 0" }

  private static let numbered = [
    "sources", "calendars", "items", "structured_locations", "location_extents", "named_places",
  ]
}
