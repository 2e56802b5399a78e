extension Schema {
  static let suggestions = """
    -- What people booked, or were sent: the inbox. content has all of it, as JSON-LD or iCalendar.
    CREATE TABLE suggestions (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      provider TEXT NOT NULL,
      reference TEXT NOT NULL,
      leg TEXT NOT NULL,
      state TEXT NOT NULL,
      title TEXT NOT NULL,
      start TEXT,
      content TEXT NOT NULL,
      sender TEXT,
      is_signed INTEGER NOT NULL,
      message TEXT,
      found_at INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      -- The event that it became, and the suggestion that it brings up to date.
      item TEXT,
      replaces TEXT,
      -- The app that told of it.
      app TEXT,
      -- The number of the booking in the form for comparison, none if it is not known yet, and the day of the
      -- start.
      key TEXT,
      day INTEGER,
      -- What it was before it changed, in the form of content.
      previous TEXT
    ) STRICT;
    \(suggestionKeys)
    \(suggestionSources.joined(separator: ";\n"));
    \(bookingStatements.joined(separator: ";\n"));
    \(ticketFiles.joined(separator: ";\n"));

    -- What apps told of reservations, the last one last. intent is what the app gets when somebody opens it
    -- there.
    CREATE TABLE donations (
      row INTEGER PRIMARY KEY,
      app TEXT NOT NULL,
      identifier TEXT NOT NULL,
      suggestion TEXT NOT NULL,
      group_identifier TEXT,
      intent TEXT NOT NULL
    ) STRICT;
    CREATE INDEX donations_app ON donations (app, identifier);
    CREATE INDEX donations_suggestion ON donations (suggestion);

    CREATE TABLE seen_suggestions (hash INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE scanned_mails (hash INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE trusted_senders (domain TEXT PRIMARY KEY, trusted_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    \(replies.joined(separator: "\n"))
    \(toldSuggestions.joined(separator: ";\n"));
    """

  /// The migration `previous-suggestions`.
  static let previousSuggestions = ["ALTER TABLE suggestions ADD COLUMN previous TEXT"]

  /// Answers to invitations, on their way to organizers. The migration `replies`.
  static let replies = [
    """
    CREATE TABLE replies (
      row INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      sender TEXT NOT NULL,
      recipient TEXT NOT NULL,
      subject TEXT NOT NULL,
      body TEXT NOT NULL,
      calendar TEXT NOT NULL,
      state TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      changed_at INTEGER NOT NULL,
      remark TEXT
    ) STRICT;
    """
  ]

  /// The migration `told-suggestions`: each content of a suggestion is told once, and a button answers what
  /// was told.
  static let toldSuggestions = [
    "ALTER TABLE suggestions ADD COLUMN is_automatic INTEGER NOT NULL DEFAULT 0",
    // The content of a suggestion that a channel told last, as a digest.
    "ALTER TABLE deliveries ADD COLUMN revision TEXT",
    // A reply that waits is taken back with the answer.
    "ALTER TABLE replies ADD COLUMN suggestion TEXT",
    """
    -- What is new since somebody looked, for notices.
    CREATE TABLE untold_suggestions (
      suggestion INTEGER PRIMARY KEY REFERENCES suggestions ON DELETE CASCADE
    ) STRICT
    """,
    """
    CREATE TRIGGER suggestions_added AFTER INSERT ON suggestions BEGIN
      INSERT INTO untold_suggestions SELECT NEW.row
      WHERE NOT EXISTS (SELECT 1 FROM untold_suggestions WHERE suggestion = NEW.row);
    END
    """,
    """
    CREATE TRIGGER suggestions_changed AFTER UPDATE OF content, state ON suggestions
    WHEN NEW.state = 'proposed' AND (NEW.content <> OLD.content OR OLD.state = 'cancelled') BEGIN
      INSERT INTO untold_suggestions SELECT NEW.row
      WHERE NOT EXISTS (SELECT 1 FROM untold_suggestions WHERE suggestion = NEW.row);
    END
    """,
  ]

  /// The migration `suggestion-sources`.
  static let suggestionSources = [
    """
    -- What mails and pages said of a suggestion, one row each; content is JSON-LD as it was read. The
    -- suggestion is what they say together, in whichever order they were read.
    CREATE TABLE suggestion_sources (
      row INTEGER PRIMARY KEY,
      suggestion TEXT NOT NULL REFERENCES suggestions (id) ON DELETE CASCADE,
      -- The date of the mail, not of its reading.
      dated_at INTEGER NOT NULL,
      sender TEXT,
      is_signed INTEGER NOT NULL,
      message TEXT,
      app TEXT,
      content TEXT NOT NULL
    ) STRICT
    """, "CREATE INDEX suggestion_sources_suggestion ON suggestion_sources (suggestion)",
  ]

  /// The migration `ticket-files`.
  static let ticketFiles = [
    """
    -- Tickets as they came: PDFs and passes. A file of two bookings is here once.
    CREATE TABLE ticket_files (
      row INTEGER PRIMARY KEY,
      digest TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      content BLOB NOT NULL,
      saved_at INTEGER NOT NULL
    ) STRICT
    """,
    """
    -- The bookings of a ticket. No reference to suggestions: an undone scan may come back.
    CREATE TABLE ticket_bookings (
      suggestion TEXT NOT NULL,
      file INTEGER NOT NULL REFERENCES ticket_files ON DELETE CASCADE,
      -- The domain of the mail that brought it.
      sender TEXT,
      PRIMARY KEY (suggestion, file)
    ) STRICT, WITHOUT ROWID
    """, "CREATE INDEX ticket_bookings_file ON ticket_bookings (file)",
    "CREATE INDEX suggestions_item ON suggestions (item) WHERE item IS NOT NULL",
  ]

  private static let bookingStatements = [
    """
    -- Bookings as mails and pages told them, one row each, before anything was made of them. What waits follows
    -- from these rows in the order of their times, so the order of reading does not count. content is empty for
    -- a suggestion of an earlier version, of which that is not known.
    CREATE TABLE booking_statements (
      hash INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      -- The number of the booking in the form for comparison; empty if it has none.
      key TEXT NOT NULL,
      day INTEGER,
      dated_at INTEGER NOT NULL,
      sender TEXT,
      is_signed INTEGER NOT NULL,
      message TEXT,
      content TEXT NOT NULL
    ) STRICT
    """, "CREATE INDEX booking_statements_key ON booking_statements (kind, key)",
    "CREATE INDEX booking_statements_day ON booking_statements (kind, day)",
  ]

  /// The migration `booking-statements`.
  static let statementsOfBookings =
    bookingStatements + [
      """
      INSERT INTO booking_statements (hash, kind, key, day, dated_at, is_signed, content)
      SELECT -row, kind, coalesce(key, ''), day, found_at, 0, '' FROM suggestions
      WHERE content NOT LIKE 'BEGIN:VCALENDAR%'
      """
    ]

  private static let suggestionKeys = """
    CREATE INDEX suggestions_key ON suggestions (kind, key);
    CREATE INDEX suggestions_day ON suggestions (kind, day);
    CREATE INDEX suggestions_replaces ON suggestions (replaces) WHERE replaces IS NOT NULL;
    """

  /// The migration `suggestion-keys`.
  static let keysOfSuggestions = [
    "DROP INDEX suggestions_key", "ALTER TABLE suggestions ADD COLUMN key TEXT",
    "ALTER TABLE suggestions ADD COLUMN day INTEGER", suggestionKeys,
  ]
}
