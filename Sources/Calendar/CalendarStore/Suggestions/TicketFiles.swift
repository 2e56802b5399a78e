public import FencepostCalendarModel
import FencepostCryptography
public import FencepostDatabase

/// A kept ticket, without its bytes.
public struct TicketFileEntry: Hashable, Sendable {
  /// Its number in the store.
  public var number: Int64
  /// What kind of file it is.
  public var kind: TicketFile.Kind
  /// Its name.
  public var name: String
  /// The number of its bytes.
  public var size: Int
  /// The domain of the mail that brought it.
  public var sender: String?
}

extension StoreReader {
  /// The tickets of a booking, the oldest first: those of the suggestion, and those of all that became the same
  /// event.
  public func tickets(of suggestion: Identifier<Suggestion>) throws(StoreError) -> [TicketFileEntry] {
    try connection.all(Queries.ofSuggestion, { $0.add(suggestion) }, read: { $0.ticketEntry() })
  }

  /// A ticket of a booking, by its number; `nil` if the booking has none such.
  public func ticket(
    _ number: Int64, of suggestion: Identifier<Suggestion>
  ) throws(StoreError) -> TicketFile? {
    guard let entry = try tickets(of: suggestion).first(where: { $0.number == number }) else { return nil }
    let content = try connection.first(Queries.content, { $0.add(number) }, read: { $0.bytes() })
    return content.map { TicketFile(saved: entry.kind, name: entry.name, content: $0) }
  }

  /// The suggestions with tickets. Cost: microseconds for each.
  public func suggestionsWithTickets() throws(StoreError) -> Set<Identifier<Suggestion>> {
    Set(try connection.all(Queries.owners) { $0.identifier() })
  }
}

extension StoreWriter {
  /// The most bytes of all tickets. Then the oldest ones go.
  public static let maximumTicketBytes = 256 << 20

  /// Keeps a ticket of a booking. One that is known is not kept twice.
  ///
  /// Those of bookings that were rejected, or whose event was removed, go when undo no longer brings them back.
  public func save(
    _ ticket: TicketFile, from sender: String?, of suggestion: Identifier<Suggestion>, at now: Instant
  ) throws(StoreError) {
    let digest = MessageDigest.digits(of: ticket.content)
    let isKnown = try connection.first(Queries.isKnown, { $0.add(digest) }, read: { $0.bool() }) ?? false
    if !isKnown {
      try connection.run(Queries.prune) { $0.add(now.adding(seconds: -ChangeLog.undoSeconds)) }
      try connection.run(Queries.makeRoom) { $0.add(Int64(Self.maximumTicketBytes - ticket.content.count)) }
      try connection.run(Queries.add) {
        $0.add(digest)
        $0.add(ticket.kind.rawValue)
        $0.add(ticket.name)
        $0.add(ticket.content)
        $0.add(now)
      }
    }
    try connection.run(Queries.link) {
      $0.add(suggestion)
      $0.add(sender)
      $0.add(digest)
    }
  }

  /// Keeps the tickets of a suggestion for another one too.
  public func copyTickets(
    of suggestion: Identifier<Suggestion>, to other: Identifier<Suggestion>
  ) throws(StoreError) {
    try connection.run(Queries.copy) {
      $0.add(other)
      $0.add(suggestion)
    }
  }
}

extension RowReader {
  fileprivate mutating func ticketEntry() -> TicketFileEntry {
    let number = int64()
    let kind = TicketFile.Kind(rawValue: text()) ?? .pdf
    return TicketFileEntry(number: number, kind: kind, name: text(), size: int(), sender: optionalText())
  }
}

private enum Queries {
  static let ofSuggestion = SQL(
    """
    SELECT row, kind, name, length(content), max(sender) FROM ticket_files JOIN ticket_bookings ON file = row
    WHERE suggestion = ?1 OR suggestion IN (
      SELECT other.id FROM suggestions one JOIN suggestions other ON other.item = one.item WHERE one.id = ?1)
    GROUP BY row ORDER BY row
    """)
  static let content = SQL("SELECT content FROM ticket_files WHERE row = ?")
  static let owners = SQL(
    """
    SELECT suggestion FROM ticket_bookings
    UNION
    SELECT other.id FROM ticket_bookings JOIN suggestions one ON one.id = suggestion
    JOIN suggestions other ON other.item = one.item
    """)
  static let isKnown = SQL("SELECT 1 FROM ticket_files WHERE digest = ?")
  static let add = SQL(
    "INSERT INTO ticket_files (digest, kind, name, content, saved_at) VALUES (?, ?, ?, ?, ?)")
  static let link = SQL(
    """
    INSERT OR IGNORE INTO ticket_bookings (suggestion, sender, file)
    SELECT ?, ?, row FROM ticket_files WHERE digest = ?
    """)
  static let copy = SQL(
    """
    INSERT OR IGNORE INTO ticket_bookings (suggestion, sender, file)
    SELECT ?, sender, file FROM ticket_bookings WHERE suggestion = ?
    """)
  // The sum of the sizes from the youngest to the oldest says which are too many.
  static let makeRoom = SQL(
    """
    DELETE FROM ticket_files WHERE row IN (
      SELECT row FROM (SELECT row, sum(length(content)) OVER (ORDER BY row DESC) AS size FROM ticket_files)
      WHERE size > ?)
    """)
  static let prune = SQL(
    """
    DELETE FROM ticket_files WHERE saved_at < ? AND NOT EXISTS (
      SELECT 1 FROM ticket_bookings JOIN suggestions ON suggestions.id = suggestion
      WHERE file = ticket_files.row AND state <> 'rejected'
        AND (item IS NULL OR EXISTS (SELECT 1 FROM items WHERE items.id = suggestions.item)))
    """)
}
