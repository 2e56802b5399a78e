public import FencepostCalendarModel
public import FencepostDatabase

/// An answer to an invitation, on its way to the organizer.
public struct Reply: Hashable, Sendable, Identifiable {
  /// Its state.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// It waits to be sent.
    case waiting
    /// A program began to send it. If that program was killed, it may have arrived, and is not sent again.
    case sending
    /// It was sent.
    case sent
    /// It could not be sent, and won't be tried again.
    case failed
    /// It is left to a person, as a file.
    case file
  }

  /// Its identifier.
  public var id: Identifier<Reply>
  /// The suggestion that it answers; `nil` if an earlier version wrote it.
  public var suggestion: Identifier<Suggestion>?
  /// The mail address of the attendee who answers.
  public var sender: String
  /// The mail address of the organizer.
  public var recipient: String
  /// The subject of the mail.
  public var subject: String
  /// The text for people.
  public var body: String
  /// The iCalendar text: METHOD is REPLY.
  public var calendar: String
  /// Its state.
  public var state = State.waiting
  /// When it was written.
  public var created: Instant
  /// When its state last changed.
  public var changed: Instant
  /// Why it was not sent; or where the file is.
  public var remark: String?

  /// An answer that waits to be sent.
  public init(
    id: Identifier<Reply> = .random(), sender: String, recipient: String, subject: String, body: String,
    calendar: String, created: Instant, to suggestion: Identifier<Suggestion>? = nil
  ) {
    self.suggestion = suggestion
    self.id = id
    self.sender = sender
    self.recipient = recipient
    self.subject = subject
    self.body = body
    self.calendar = calendar
    self.created = created
    changed = created
  }
}

extension StoreReader {
  /// The answers in a state, the oldest first; of all states for `nil`.
  public func replies(_ state: Reply.State? = nil) throws(StoreError) -> [Reply] {
    try connection.all(Queries.all) {
      $0.add(state?.rawValue)
    } read: {
      $0.reply()
    }
  }

  /// The answers to suggestions that wait again although the organizer may know the answer: it was sent, or a
  /// program began to, or it is a file that somebody may have sent.
  public func repliesOfReopenedSuggestions() throws(StoreError) -> [Reply] {
    try connection.all(Queries.reopened) { $0.reply() }
  }

  /// Whether an answer waits to be sent. Cost: microseconds.
  public func hasWaitingReplies() throws(StoreError) -> Bool {
    try connection.first(Queries.hasWaiting, { _ in }, read: { $0.bool() }) ?? false
  }

  /// An answer; `nil` if it is not in the store.
  public func reply(_ id: Identifier<Reply>) throws(StoreError) -> Reply? {
    try connection.first(Queries.one, { $0.add(id) }, read: { $0.reply() })
  }
}

extension StoreWriter {
  /// Adds an answer. This is not in the log of changes.
  public func add(_ reply: Reply) throws(StoreError) {
    try connection.run(Queries.add) {
      $0.add(reply.id)
      $0.add(reply.sender)
      $0.add(reply.recipient)
      $0.add(reply.subject)
      $0.add(reply.body)
      $0.add(reply.calendar)
      $0.add(reply.state.rawValue)
      $0.add(reply.created)
      $0.add(reply.changed)
      $0.add(reply.remark)
      $0.add(reply.suggestion)
    }
  }

  /// Takes the answers to a suggestion back that wait to be sent.
  ///
  /// - Returns: How many.
  public func withdrawReplies(to suggestion: Identifier<Suggestion>) throws(StoreError) -> Int {
    try connection.run(Queries.withdraw) { $0.add(suggestion) }
    return connection.changedRows
  }

  /// Moves an answer from one state to another.
  ///
  /// - Returns: False, without a change, if it is in another state: another program was faster.
  public func move(
    _ id: Identifier<Reply>, from old: Reply.State, to new: Reply.State, remark: String? = nil,
    at now: Instant
  ) throws(StoreError) -> Bool {
    try connection.run(Queries.move) {
      $0.add(new.rawValue)
      $0.add(remark)
      $0.add(now)
      $0.add(id)
      $0.add(old.rawValue)
    }
    return connection.changedRows > 0
  }
}

extension RowReader {
  fileprivate mutating func reply() -> Reply {
    let id: Identifier<Reply> = identifier()
    let (sender, recipient, subject, body, calendar) = (text(), text(), text(), text(), text())
    let state: Reply.State = value(usually: .waiting, or: .failed)
    var reply = Reply(
      id: id, sender: sender, recipient: recipient, subject: subject, body: body, calendar: calendar,
      created: instant())
    reply.state = state
    reply.changed = instant()
    reply.remark = optionalText()
    reply.suggestion = optionalIdentifier()
    return reply
  }
}

private enum Queries {
  private static let columns =
    "id, sender, recipient, subject, body, calendar, state, created_at, changed_at, remark, suggestion"
  static let all = SQL("SELECT \(columns) FROM replies WHERE ?1 IS NULL OR state = ?1 ORDER BY row")
  static let reopened = SQL(
    """
    SELECT \(columns) FROM replies WHERE state IN ('sending', 'sent', 'file')
      AND suggestion IN (SELECT id FROM suggestions WHERE state = 'proposed')
    ORDER BY row
    """)
  static let withdraw = SQL("DELETE FROM replies WHERE suggestion = ? AND state = 'waiting'")
  static let hasWaiting = SQL("SELECT 1 FROM replies WHERE state = 'waiting' LIMIT 1")
  static let one = SQL("SELECT \(columns) FROM replies WHERE id = ?")
  static let add = SQL("INSERT INTO replies (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
  static let move = SQL(
    "UPDATE replies SET state = ?, remark = ?, changed_at = ? WHERE id = ? AND state = ?")
}
