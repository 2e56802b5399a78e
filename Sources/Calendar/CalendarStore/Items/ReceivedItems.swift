public import FencepostCalendarModel
public import FencepostDatabase

/// The table `received_items`: the originals of items from elsewhere that were changed here.
///
/// An unchanged item from elsewhere has no row, because it equals its original. A row is an image in the form
/// of ``TimedEvents``. An image in an older form is ignored; the local changes are unknown then.
extension StoreReader {
  /// The last received revision of an item that was changed here, without its calendar; `nil` if the item was
  /// not changed, or the revision is unknown.
  public func received(_ item: Identifier<CalendarItem>) throws(StoreError) -> CalendarItem? {
    guard let image = try connection.first(Queries.image, { $0.add(item) }, read: { $0.bytes() }) else {
      return nil
    }
    var received = CalendarItem.blank
    let calendar = image.withUnsafeBytes { bytes in
      var reader = RowReader(image: bytes, context: CommonValues())
      return reader.readImage(into: &received)
    }
    return calendar == nil ? nil : received
  }
}

extension SQLiteConnection {
  /// Saves the current state of an item, before its first change here.
  func keepReceived(row: Int64) throws(StoreError) {
    guard let (found, shell) = try first(Queries.byRow, { $0.add(row) }, read: { $0.item() }) else { return }
    var item = found
    try complete(&item, shell)
    try keep(TimedEvents.bytes(of: item, row: row, calendar: shell.calendar), row: row)
  }

  /// Saves the received revision of an item if it differs from the item, or if nothing else shows that the
  /// item came from elsewhere.
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
