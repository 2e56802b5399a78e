extension Schema {
  /// The apps that asked a broker, and what they asked for. Not a user's data: undo leaves it alone.
  static let apps = [
    """
    CREATE TABLE apps (
      -- As in access_decisions.
      key TEXT PRIMARY KEY,
      -- How well the system vouches for the key.
      strength TEXT NOT NULL,
      -- What the app says of itself: its name, and the reason for its last request.
      claim TEXT NOT NULL,
      reason TEXT,
      first_used_at INTEGER NOT NULL,
      last_used_at INTEGER NOT NULL,
      requests INTEGER NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE app_uses (
      row INTEGER PRIMARY KEY,
      app TEXT NOT NULL,
      used_at INTEGER NOT NULL,
      verb TEXT NOT NULL,
      requests INTEGER NOT NULL,
      -- The items that it got or changed.
      items INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE INDEX app_uses_app ON app_uses (app)",
  ]
}
