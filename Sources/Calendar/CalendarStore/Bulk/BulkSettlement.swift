internal import FencepostCalendarModel
internal import FencepostDatabase

/// Completes a decided ``BulkChange``, a part of it per transaction.
final class BulkSettlement {
  private let change: Int64
  private(set) var isComplete = false
  /// The items that others have changed since it began, and the last change of the log that was read.
  private var foreign: Set<String> = []
  private var seen: Int64?

  /// The number of additions to log at once: some milliseconds. To undo that many reminders with two fences
  /// each takes some thirty.
  ///
  /// A rollback removes as many at once.
  private static let maximumLogged = 300

  init(change: Int64) { self.change = change }

  /// Applies a part that takes a hundredth of a second or two.
  func go(on writer: borrowing StoreWriter) throws(StoreError) {
    let connection = writer.connection
    guard let state = try connection.first(Queries.state, { $0.add(change) }, read: { BulkState(&$0) }) else {
      isComplete = true
      return
    }
    try learn(from: seen ?? state.lastChange, in: writer.reader)
    let begin = ContinuousClock.now
    repeat {
      guard try update(state, on: writer) else {
        if try !logAdditions(state, on: writer) { try end(state, on: connection) }
        break
      }
    } while ContinuousClock.now - begin < WritePace.step
    seen = try writer.reader.lastChange()
  }

  /// Reads the items that others have changed.
  private func learn(from sequence: Int64, in reader: borrowing StoreReader) throws(StoreError) {
    try reader.connection.forEach(Queries.changed) {
      $0.add(sequence)
    } _: { row in
      foreign.insert(row.text())
      return true
    }
  }

  /// Applies the next change of an older item; returns false if none is left.
  private func update(_ state: BulkState, on writer: borrowing StoreWriter) throws(StoreError) -> Bool {
    let connection = writer.connection
    let next = try connection.first(Queries.next, { $0.add(change) }) { row in
      (
        position: row.int64(), item: row.identifier() as Identifier<CalendarItem>,
        image: row.optionalBytes(Array.init), received: row.optionalBytes(Array.init)
      )
    }
    guard let next else { return false }
    let isForeign = foreign.contains(next.item.rawValue)
    if let image = next.image {
      if let item = try connection.item(ofImage: image) {
        let received = try next.received.flatMap { image throws(StoreError) in
          try connection.item(ofImage: image)
        }
        try update(item, received: received, state, isForeign: isForeign, on: writer)
      }
    } else if state.isAuthoritative || !isForeign {
      try writer.remove(next.item)
    }
    try connection.run(Queries.done) {
      $0.add(change)
      $0.add(next.position)
    }
    return true
  }

  private func update(
    _ item: CalendarItem, received: CalendarItem?, _ state: BulkState, isForeign: Bool,
    on writer: borrowing StoreWriter
  ) throws(StoreError) {
    func save(_ item: CalendarItem) throws(StoreError) {
      if let received { try writer.save(item, received: received) } else { try writer.save(item) }
    }
    guard isForeign else { return try save(item) }
    guard let now = try writer.reader.item(item.id) else { return }
    if !state.isAuthoritative && now.isRevised(after: item) { return }
    var item = item
    item.keepAnswers(of: now)
    try save(item)
  }

  /// Logs some of its additions, so that others notice; returns false if all are logged.
  private func logAdditions(
    _ state: BulkState, on writer: borrowing StoreWriter
  ) throws(StoreError) -> Bool {
    let connection = writer.connection
    try connection.run(Queries.logAdditions) {
      $0.add(writer.transactionNumber)
      $0.add(StoreChange.Entity.item.rawValue)
      $0.add(StoreChange.Kind.inserted.rawValue)
      $0.add(state.numbers.lowerBound)
      $0.add(state.numbers.upperBound)
      $0.add(Self.maximumLogged)
    }
    let count = connection.changedRows
    guard count > 0 else { return false }
    try connection.run(Queries.noteLogged) {
      $0.add(change)
      $0.add(count)
    }
    return count == Self.maximumLogged
  }

  private func end(_ state: BulkState, on connection: SQLiteConnection) throws(StoreError) {
    try connection.end(state)
    isComplete = true
  }
}

/// A row of `bulk_changes`.
struct BulkState {
  var row: Int64
  var numbers: ClosedRange<Int64>
  var isDecided: Bool
  var isAuthoritative: Bool
  var lastChange: Int64
  /// Its label for undo; an internal one if it can't be undone.
  var label: UndoLabel?

  static let columns = """
    row, first_item, last_item, is_decided, is_authoritative, last_change, run, command, made_at,
    \(ChangeAuthor.columns)
    """

  init(_ reader: inout RowReader) {
    row = reader.int64()
    let (first, last) = (reader.int64(), reader.int64())
    numbers = first...max(first, last)
    isDecided = reader.bool()
    isAuthoritative = reader.bool()
    lastChange = reader.int64()
    if let run = reader.optionalText(), let command = reader.optionalText(),
      let time = reader.optionalInstant()
    {
      label = UndoLabel(run: run, command: command, author: reader.changeAuthor(), time: time)
    }
  }
}

extension SQLiteConnection {
  /// Removes a large change, and frees the numbers that it did not need, unless others have greater ones.
  func end(_ state: BulkState) throws(StoreError) {
    try run(Queries.giveBack) {
      $0.add(state.numbers.upperBound)
      $0.add(state.numbers.lowerBound - 1)
    }
    try run(Queries.end) { $0.add(state.row) }
    if let label = state.label, label.isInternal { try dropRun(label.run) }
  }

  /// The item in an image; `nil` if its calendar is gone, or the image is in an older form.
  func item(ofImage bytes: [UInt8]) throws(StoreError) -> CalendarItem? {
    var item = CalendarItem.blank
    let calendar = bytes.withUnsafeBytes { bytes in
      var reader = RowReader(image: bytes, context: CommonValues())
      return reader.readImage(into: &item)
    }
    guard let calendar,
      let id: Identifier<ItemCalendar> = try first(
        Queries.calendar, { $0.add(calendar) }, read: { $0.identifier() })
    else { return nil }
    item.calendar = id
    return item
  }
}

extension CalendarItem {
  /// Whether this is a later revision than `other`.
  fileprivate func isRevised(after other: CalendarItem) -> Bool {
    if sequence != other.sequence { return sequence > other.sequence }
    return (lastModified ?? .epoch) > (other.lastModified ?? .epoch)
  }

  /// Takes over the acknowledged and snoozed alarms of the current item.
  fileprivate mutating func keepAnswers(of now: CalendarItem) {
    for index in alarms.indices {
      guard let same = now.alarms.first(where: { $0.id == alarms[index].id }), let seen = same.acknowledged
      else { continue }
      alarms[index].acknowledged = max(seen, alarms[index].acknowledged ?? seen)
    }
    let known = Set(alarms.map(\.id))
    alarms += now.alarms.filter { alarm in
      !known.contains(alarm.id) && alarm.snoozeOf.map(known.contains) ?? false
    }
  }
}

private enum Queries {
  static let state = SQL("SELECT \(BulkState.columns) FROM bulk_changes WHERE row = ?")
  static let changed = SQL("SELECT id FROM changes WHERE sequence > ? AND entity = 2")
  static let next = SQL(
    "SELECT position, item, image, received FROM bulk_updates WHERE bulk = ? ORDER BY position LIMIT 1")
  static let done = SQL("DELETE FROM bulk_updates WHERE bulk = ? AND position = ?")
  static let logAdditions = SQL(
    """
    INSERT INTO changes (transaction_number, entity, id, kind)
    SELECT ?, ?, id, ? FROM items WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ?
    """)
  // The numbers of additions have no gaps, except for items that were removed again, and those repeat.
  static let noteLogged = SQL(
    """
    UPDATE bulk_changes SET first_item = 1 + (
      SELECT max(row) FROM (SELECT row FROM items WHERE row BETWEEN first_item AND last_item ORDER BY row LIMIT ?2))
    WHERE row = ?1
    """)
  static let giveBack = SQL(
    """
    UPDATE sqlite_sequence SET seq = max(?2, coalesce((SELECT max(row) FROM items), 0))
    WHERE name = 'items' AND seq = ?1 AND NOT EXISTS (SELECT 1 FROM items WHERE row > ?1)
    """)
  static let end = SQL("DELETE FROM bulk_changes WHERE row = ?")
  static let calendar = SQL("SELECT id FROM calendars WHERE row = ?")
}
