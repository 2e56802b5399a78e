extension Schema {
  /// The migration `clients`.
  static let clients = """
    -- Programs and devices that may use the server, each with a password of its own. Of secrets only digests
    -- are kept.
    CREATE TABLE clients (
      row INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      user TEXT NOT NULL UNIQUE,
      digest BLOB NOT NULL,
      rights TEXT NOT NULL,
      lists TEXT,
      created_at INTEGER NOT NULL,
      used_at INTEGER
    ) STRICT;
    -- Browsers that are signed in.
    CREATE TABLE web_sessions (
      digest BLOB PRIMARY KEY,
      browser TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      used_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
