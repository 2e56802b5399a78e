public import CalendarModel

/// The numbers that the items get which a ``BulkChange`` adds.
final class BulkRows {
  /// The change's own row.
  let change: Int64
  /// The numbers that are set aside for it.
  let numbers: ClosedRange<Int64>
  private var free: Int64
  /// Under which numbers it has set down changes of items that were there before.
  fileprivate var staged: [Identifier<CalendarItem>: Int64] = [:]

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
  ///
  /// - Parameter received: What came, where it came from elsewhere: see ``save(_:received:)``.
  func stage(
    _ item: CalendarItem, received: CalendarItem?, calendar: Int64, in bulk: BulkRows
  ) throws(StoreError) {
    try stage(
      item.id, TimedEvents.bytes(of: item, row: 0, calendar: calendar),
      received: received.map { TimedEvents.bytes(of: $0, row: 0, calendar: calendar) }, in: bulk)
  }

  /// Sets down that an item that was there before is to go.
  func stageRemoval(of item: Identifier<CalendarItem>, in bulk: BulkRows) throws(StoreError) {
    try stage(item, nil, received: nil, in: bulk)
  }

  /// How an item is to be by what was set down: as it is, where nothing was; `nil` where it is to go.
  ///
  /// Of use within a step of a ``BulkChange``; elsewhere items are as they are.
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
