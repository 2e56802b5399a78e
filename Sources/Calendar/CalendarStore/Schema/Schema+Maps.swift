extension Schema {
  /// Places of maps that were imported: data of others, which undo and the log of changes leave out. The
  /// migration `maps`.
  static let maps = [
    """
    CREATE TABLE map_files (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL,
      imported_at INTEGER NOT NULL,
      -- False while its places are written or removed: nobody sees them then.
      is_complete INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE map_places (
      row INTEGER PRIMARY KEY,
      file INTEGER NOT NULL REFERENCES map_files,
      key TEXT NOT NULL,
      name TEXT,
      kind TEXT NOT NULL,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      radius REAL NOT NULL,
      address TEXT,
      opening_hours TEXT,
      words TEXT NOT NULL
    ) STRICT
    """,
    "CREATE INDEX map_places_file ON map_places (file)",
    """
    CREATE VIRTUAL TABLE map_words USING fts5 (
      name, words, content = 'map_places', content_rowid = 'row',
      tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')
    """,
  ]
}
