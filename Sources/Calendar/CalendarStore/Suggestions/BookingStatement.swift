public import FencepostCalendarModel
public import FencepostDatabase

/// A booking as one mail or page told it, before anything is made of it.
///
/// What waits follows from all statements since the last answer, in the order of their own times. So the order
/// in which mails are read does not count. Of a message about an event, only who sent it is kept.
public struct BookingStatement: Hashable, Sendable {
  /// Stands for the mail and its words.
  public var hash: Int64
  /// The kind of booking.
  public var kind: String
  /// The number of the booking as in ``Suggestion/key``; empty if it has none.
  public var key: String
  /// The day of its start, if known.
  public var day: CivilDay?
  /// What was said, and by whom. Its content is empty for what an earlier version did not keep.
  public var source: SuggestionSource

  /// A statement.
  public init(hash: Int64, kind: String, key: String, day: CivilDay?, source: SuggestionSource) {
    self.hash = hash
    self.kind = kind
    self.key = key
    self.day = day
    self.source = source
  }
}

extension StoreReader {
  /// The statements of a kind that one suggestion may be about together with `statements`, these included: those
  /// with the same number, and those without a number of about the same day; then those with these in turn.
  ///
  /// Cost: some microseconds for each.
  ///
  /// - Parameter maximum: How many are looked for.
  /// - Returns: `nil` if there are more.
  public func statements(
    about statements: [BookingStatement], maximum: Int
  ) throws(StoreError) -> [BookingStatement]? {
    var found: [Int64: BookingStatement] = [:]
    var looks: Set<Look> = []
    var rest = statements
    while let next = rest.popLast() {
      guard found[next.hash] == nil else { continue }
      found[next.hash] = next
      if found.count > maximum { return nil }
      let look = Look(key: next.key, day: next.day)
      guard looks.insert(look).inserted else { continue }
      rest += try connection.all(Queries.related) {
        $0.add(next.kind)
        $0.add(next.key)
        $0.add(next.day.map { $0.dayNumber })
        $0.add(Int64(maximum + 1))
      } read: {
        $0.statement()
      }
    }
    return Array(found.values)
  }

  private struct Look: Hashable {
    var key: String
    var day: CivilDay?
  }
}

extension StoreWriter {
  /// Keeps a statement; one with its hash gets the new date.
  public func save(_ statement: BookingStatement) throws(StoreError) {
    try connection.run(Queries.add) {
      $0.add(statement.hash)
      $0.add(statement.kind)
      $0.add(statement.key)
      $0.add(statement.day.map { $0.dayNumber })
      $0.add(statement.source.date)
      $0.add(statement.source.sender)
      $0.add(statement.source.isSigned)
      $0.add(statement.source.message)
      $0.add(statement.source.content)
    }
  }

  /// Forgets the statements about a suggestion that was answered: what is said later is put in order upon the
  /// answer.
  public func forgetStatements(about suggestion: Suggestion) throws(StoreError) {
    try connection.run(Queries.forget) {
      $0.add(suggestion.kind)
      $0.add(suggestion.key ?? "")
      $0.add(suggestion.start.map { $0.day.dayNumber })
    }
  }

  /// Makes changes, and takes them back: the result of `body` says what they would lead to.
  public func rehearse<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    try connection.rehearsal { try body(self) }
  }
}

extension RowReader {
  fileprivate mutating func statement() -> BookingStatement {
    let (hash, kind, key) = (int64(), text(), text())
    let day = optionalInt().map(CivilDay.init(dayNumber:))
    let date = instant()
    let (sender, isSigned, message) = (optionalText(), bool(), optionalText())
    var source = SuggestionSource(text(), at: date)
    (source.sender, source.isSigned, source.message) = (sender, isSigned, message)
    return BookingStatement(hash: hash, kind: kind, key: key, day: day, source: source)
  }
}

private enum Queries {
  private static let columns = "hash, kind, key, day, dated_at, sender, is_signed, message, content"
  private static let isRelated = """
    hash IN (
      SELECT hash FROM booking_statements WHERE kind = ?1 AND key = ?2 AND ?2 <> ''
      UNION SELECT hash FROM booking_statements WHERE kind = ?1 AND day BETWEEN ?3 - 2 AND ?3 + 2
        AND (key = '' OR ?2 = ''))
    """
  static let related = SQL(
    "SELECT \(columns) FROM booking_statements WHERE \(isRelated) ORDER BY hash LIMIT ?4")
  static let forget = SQL("DELETE FROM booking_statements WHERE \(isRelated)")
  static let add = SQL(
    "INSERT OR REPLACE INTO booking_statements (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
}
