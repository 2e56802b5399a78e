extension Schema {
  /// The migration `sync-states`.
  static let syncStates = """
    -- What is known of an object. Before, a missing tag stood for one to be read again, and an empty one for
    -- one that can't be read.
    ALTER TABLE sync_objects ADD COLUMN state TEXT NOT NULL DEFAULT 'agreed'
      CHECK (state IN ('agreed', 'sent', 'unusable', 'duplicate'));
    UPDATE sync_objects SET state = 'unusable' WHERE uid = '' OR tag = '';
    DROP INDEX sync_objects_untagged;
    CREATE INDEX sync_objects_unsettled ON sync_objects (collection) WHERE tag IS NULL OR state = 'sent';
    -- When the server refused an item: it is asked again each day.
    ALTER TABLE sync_refusals ADD COLUMN refused_at INTEGER NOT NULL DEFAULT 0;
    -- When all objects were compared, and not only those that the server says have changed.
    ALTER TABLE sync_collections ADD COLUMN listed_at INTEGER;
    -- The list that it is a copy of, if the server says so: two stores that follow each other offer each
    -- other their own lists.
    ALTER TABLE sync_collections ADD COLUMN origin TEXT;
    """
}
