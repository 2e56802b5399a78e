public import CalendarModel

/// The table `received_items`: what items from elsewhere were before they were changed here.
///
/// An item that came from elsewhere and was not changed here is as it came, so it has no row. A row is an image of the
/// form of ``TimedEvents``; one of an earlier form is passed over, and what was changed here is not known then.
extension StoreReader {
  /// An item as it last came from elsewhere, without its calendar, where it was changed here since; `nil` where it was not,
  /// or that is not known.
  public func received(_ item: Identifier<CalendarItem>) throws(StoreError) -> CalendarItem? {
    guard let image = try connection.first(Queries.image, { $0.add(item) }, read: { $0.bytes() }) else {
      return nil
    }
    var received = CalendarItem.blank
    let calendar = image.withUnsafeBytes { bytes in
      var reader = RowReader(image: bytes, common: CommonValues())
      return reader.readImage(into: &received)
    }
    return calendar == nil ? nil : received
  }
}

extension SQLiteConnection {
  /// Keeps how an item is now, before the first change that is made to it here.
  func keepReceived(row: Int64) throws(StoreError) {
    guard let (found, shell) = try first(Queries.byRow, { $0.add(row) }, read: { $0.item() }) else { return }
    var item = found
    try complete(&item, shell)
    try keep(TimedEvents.bytes(of: item, row: row, calendar: shell.calendar), row: row)
  }

  /// Notes what an item was when it came: only where that differs from what it is now, or nothing else says that it came
  /// from elsewhere.
  func note(
    _ received: CalendarItem, as item: CalendarItem, row: Int64, calendar: Int64
  ) throws(StoreError) {
    if item.arrived != nil, received == item {
      try run(Queries.forget) { $0.add(row) }
    } else {
      try keep(TimedEvents.bytes(of: received, row: row, calendar: calendar), row: row)
    }
  }

  private func keep(_ image: [UInt8], row: Int64) throws(StoreError) {
    try run(Queries.keep) {
      $0.add(row)
      $0.add(image)
    }
  }
}

private enum Queries {
  static let image = SQL(
    "SELECT r.image FROM items i JOIN received_items r ON r.item = i.row WHERE i.id = ?")
  static let byRow = SQL(ItemColumns.selection + " AND i.row = ?")
  static let keep = SQL("INSERT OR REPLACE INTO received_items VALUES (?, ?)")
  static let forget = SQL("DELETE FROM received_items WHERE item = ?")
}
