public import FencepostCalendarModel
public import FencepostDatabase

/// The row numbers of the items that a ``BulkChange`` adds.
final class BulkRows {
  /// The change's row.
  let change: Int64
  /// The reserved numbers.
  let numbers: ClosedRange<Int64>
  private var free: Int64
  /// The numbers of its stored changes to older items.
  fileprivate var staged: [Identifier<CalendarItem>: Int64] = [:]

  /// The maximum number of items that one change may add.
  static let most: Int64 = 1 << 24

  init(change: Int64, numbers: ClosedRange<Int64>) {
    self.change = change
    self.numbers = numbers
    free = numbers.lowerBound
  }

  /// The next number.
  func next(in connection: SQLiteConnection) throws(StoreError) -> Int64 {
    guard free <= numbers.upperBound else {
      throw StoreError(
        path: connection.path, reason: .constraint("one change adds no more than \(Self.most) items"))
    }
    return free
  }

  /// Uses up the next number.
  func take() { free += 1 }
}

extension StoreWriter {
  /// Stores the new state of an older item.
  ///
  /// - Parameter received: The received revision, if it came from elsewhere: see ``save(_:received:)``.
  func stage(
    _ item: CalendarItem, received: CalendarItem?, calendar: Int64, in bulk: BulkRows
  ) throws(StoreError) {
    try stage(
      item.id, TimedEvents.bytes(of: item, row: 0, calendar: calendar),
      received: received.map { TimedEvents.bytes(of: $0, row: 0, calendar: calendar) }, in: bulk)
  }

  /// Stores the removal of an older item.
  func stageRemoval(of item: Identifier<CalendarItem>, in bulk: BulkRows) throws(StoreError) {
    try stage(item, nil, received: nil, in: bulk)
  }

  /// The stored new state of an item; the item itself if none is stored; `nil` for a removal.
  ///
  /// Use this within a step of a ``BulkChange``.
  public func staged(_ item: CalendarItem) throws(StoreError) -> CalendarItem? {
    guard let bulk, let position = bulk.staged[item.id] else { return item }
    let image = try connection.first(Queries.image) {
      $0.add(bulk.change)
      $0.add(position)
    } read: {
      $0.hasValue ? $0.bytes() : nil
    }
    guard let image = image ?? nil else { return nil }
    return try connection.item(ofImage: image)
  }

  private func stage(
    _ item: Identifier<CalendarItem>, _ image: [UInt8]?, received: [UInt8]?, in bulk: BulkRows
  ) throws(StoreError) {
    let position = bulk.staged[item] ?? Int64(bulk.staged.count)
    try connection.run(Queries.stage) {
      $0.add(bulk.change)
      $0.add(position)
      $0.add(item)
      $0.add(image)
      $0.add(received)
    }
    bulk.staged[item] = position
  }
}

private enum Queries {
  static let stage = SQL("INSERT OR REPLACE INTO bulk_updates VALUES (?, ?, ?, ?, ?)")
  static let image = SQL("SELECT image FROM bulk_updates WHERE bulk = ? AND position = ?")
}
