extension Schema {
  /// The migration `push-subscriptions`.
  static let pushSubscriptions = [
    """
    -- Browsers and apps that want alarms pushed to them. Each ends with the session or the client that asked
    -- for it.
    CREATE TABLE push_subscriptions (
      id TEXT PRIMARY KEY,
      endpoint TEXT NOT NULL UNIQUE,
      public_key BLOB NOT NULL,
      secret BLOB NOT NULL,
      answer_key BLOB NOT NULL,
      session BLOB UNIQUE REFERENCES web_sessions ON DELETE CASCADE,
      client TEXT REFERENCES clients (user) ON DELETE CASCADE,
      created_at INTEGER NOT NULL,
      CHECK ((session IS NULL) <> (client IS NULL))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX push_subscriptions_client ON push_subscriptions (client) WHERE client IS NOT NULL;
    """,
    """
    CREATE TRIGGER push_subscriptions_ended AFTER DELETE ON push_subscriptions BEGIN
      UPDATE deliveries SET state = 2, last_error = 'the subscription has ended'
      WHERE state = 0 AND channel = 'webpush:' || OLD.id;
    END;
    """,
  ]
}
