internal import FencepostCalendarModel
internal import FencepostDatabase

/// The store in one transaction, for the closure of ``CalendarStore/write(_:)``.
public struct StoreWriter: ~Copyable {
  /// The store as this transaction sees it, with its own changes.
  public let reader: StoreReader

  /// The number of this transaction: that of its first change in the log.
  public let transactionNumber: Int64

  /// The large change that this transaction is a step of; `nil` if it is not a step.
  let bulk: BulkRows?

  /// The calendars of the items saved so far.
  let calendarRows = CalendarRows()

  var connection: SQLiteConnection { reader.connection }

  /// Whether the store has items other than those that the current ``BulkChange`` has added.
  public var hasOtherItems: Bool {
    get throws(StoreError) {
      let own = bulk?.numbers ?? 0...0
      return try connection.first(Queries.others, { $0.add(own) }, read: { $0.bool() }) ?? true
    }
  }
}

/// The rows of calendars by identifier that one transaction has looked up.
final class CalendarRows {
  var rows: [Identifier<ItemCalendar>: Int64] = [:]
}

private enum Queries {
  static let others = SQL(
    "SELECT EXISTS (SELECT 1 FROM items WHERE row < ?1) OR EXISTS (SELECT 1 FROM items WHERE row > ?2)")
}
