/// The store within one transaction: what ``CalendarStore/write(_:)`` hands to its closure.
public struct StoreWriter: ~Copyable {
  /// The store as this transaction sees it, its own changes included.
  public let reader: StoreReader

  /// The place that the first change of this transaction has in the log, which is the transaction's number.
  let transactionNumber: Int64

  var connection: SQLiteConnection { reader.connection }
}
