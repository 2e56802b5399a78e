extension Schema {
  static let clients = """
    -- Which app may do what: EventKit's authorization status for an entity type.
    CREATE TABLE access_decisions (
      app TEXT NOT NULL,
      entity INTEGER NOT NULL,
      status INTEGER NOT NULL,
      decided_at INTEGER NOT NULL,
      -- The status that the app asks for while it has another one, and the one that it asked for in vain.
      wanted INTEGER,
      refused INTEGER,
      -- The only lists that the app may see, as a JSON array of identifiers; NULL for all.
      lists TEXT,
      -- 1 if it may change nothing.
      reads_only INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (app, entity)
    ) STRICT, WITHOUT ROWID;

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
      used_at INTEGER NOT NULL,
      -- The client that signed in; none: the owner.
      client TEXT REFERENCES clients (user) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    \(sessionsOfClients)
    \(invitations)

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

    -- CalDAV clients that want to hear when a calendar changes (WebDAV-Push). `told` is the last change that
    -- they heard of.
    CREATE TABLE change_subscriptions (
      id TEXT PRIMARY KEY,
      calendar INTEGER NOT NULL REFERENCES calendars ON DELETE CASCADE,
      client TEXT NOT NULL REFERENCES clients (user) ON DELETE CASCADE,
      endpoint TEXT NOT NULL,
      public_key BLOB NOT NULL,
      secret BLOB NOT NULL,
      includes_properties INTEGER NOT NULL,
      includes_content INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      told INTEGER NOT NULL,
      UNIQUE (calendar, endpoint)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX change_subscriptions_client ON change_subscriptions (client);

    CREATE TRIGGER push_subscriptions_ended AFTER DELETE ON push_subscriptions BEGIN
      UPDATE deliveries SET state = 2, last_error = 'the subscription has ended'
      WHERE state = 0 AND channel = 'webpush:' || OLD.id;
    END;
    """

  private static let sessionsOfClients = """
    CREATE INDEX web_sessions_client ON web_sessions (client) WHERE client IS NOT NULL;
    """

  private static let invitations = """
    -- Links that make a client for whoever opens them first.
    CREATE TABLE invitations (
      digest BLOB PRIMARY KEY,
      list TEXT NOT NULL,
      rights TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """

  /// The migration `invitations`.
  static let sharing = [
    "ALTER TABLE web_sessions ADD COLUMN client TEXT REFERENCES clients (user) ON DELETE CASCADE",
    sessionsOfClients,
    invitations,
  ]
}
