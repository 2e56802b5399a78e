internal import CalendarModel

/// The numbers that the items get which a ``BulkChange`` adds.
final class BulkRows {
  /// The change's own row.
  let change: Int64
  /// The numbers that are set aside for it.
  let numbers: ClosedRange<Int64>
  private var free: Int64
  /// How many changes of items that were there before it has set down.
  var staged: Int64 = 0

  /// How many items one change may add.
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

  /// Takes the next number away.
  func take() { free += 1 }
}

extension StoreWriter {
  /// Sets down how an item that was there before is to be.
  func stage(_ item: CalendarItem, calendar: Int64, in bulk: BulkRows) throws(StoreError) {
    try stage(item.id, TimedEvents.bytes(of: item, row: 0, calendar: calendar), in: bulk)
  }

  /// Sets down that an item that was there before is to go.
  func stageRemoval(of item: Identifier<CalendarItem>, in bulk: BulkRows) throws(StoreError) {
    try stage(item, nil, in: bulk)
  }

  private func stage(
    _ item: Identifier<CalendarItem>, _ image: [UInt8]?, in bulk: BulkRows
  ) throws(StoreError) {
    try connection.run(Queries.stage) {
      $0.add(bulk.change)
      $0.add(bulk.staged)
      $0.add(item)
      $0.add(image)
    }
    bulk.staged += 1
  }
}

private enum Queries {
  static let stage = SQL("INSERT INTO bulk_updates VALUES (?, ?, ?, ?)")
}
