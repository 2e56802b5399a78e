extension Schema {
  /// The migration `received-items`.
  static let receivedItems = """
    -- Items from elsewhere that were changed here since: an image of each as it came, by which a later
    -- revision of it can be told from what was changed here.
    CREATE TABLE received_items (
      item INTEGER PRIMARY KEY REFERENCES items ON DELETE CASCADE,
      image BLOB NOT NULL
    ) STRICT;
    -- That image of an item that a large change brings.
    ALTER TABLE bulk_updates ADD COLUMN received BLOB;
    -- Alarms have had a column more since "sources-and-passing".
    UPDATE timed_events SET image = NULL;
    """
}
