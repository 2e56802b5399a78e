extension Schema {
  /// The migration `preserved-components`.
  static let preservedComponents = """
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
