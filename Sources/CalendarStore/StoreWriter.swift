internal import CalendarModel

/// The store within one transaction: what ``CalendarStore/write(_:)`` hands to its closure.
public struct StoreWriter: ~Copyable {
  /// The store as this transaction sees it, its own changes included.
  public let reader: StoreReader

  /// The place that the first change of this transaction has in the log, which is the transaction's number.
  public let transactionNumber: Int64

  /// The change that this transaction is a step of; `nil` where it stands for itself.
  let bulk: BulkRows?

  /// The calendars that items were saved into so far.
  let calendarRows = CalendarRows()

  var connection: SQLiteConnection { reader.connection }

  /// Whether the store has items but those that the ``BulkChange`` has added of which this is a step.
  public var hasOtherItems: Bool {
    get throws(StoreError) {
      let own = bulk?.numbers ?? 0...0
      return try connection.first(Queries.others, { $0.add(own) }, read: { $0.bool() }) ?? true
    }
  }
}

/// The rows of calendars by identifier, as far as they were asked for in one transaction.
final class CalendarRows {
  var rows: [Identifier<ItemCalendar>: Int64] = [:]
}

private enum Queries {
  static let others = SQL(
    "SELECT EXISTS (SELECT 1 FROM items WHERE row < ?1) OR EXISTS (SELECT 1 FROM items WHERE row > ?2)")
}
