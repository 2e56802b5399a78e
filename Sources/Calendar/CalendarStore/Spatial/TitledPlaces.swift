public import FencepostCalendarModel
public import FencepostDatabase

extension StoreReader {
  /// The titled places with coordinates of items and their alarms, with the items; the latest saved first.
  /// For letters beyond ASCII, finds the given spelling, all lower case, all upper case, or capitalised.
  ///
  /// Cost: reads the titles of all places.
  public func places(
    titled title: String, limit: Int = 100
  ) throws(StoreError) -> [(item: CalendarItem, place: StructuredLocation)] {
    let found = try connection.all(Queries.titled) {
      // SQLite ignores the case of ASCII letters only.
      $0.add(title)
      $0.add(title.lowercased())
      $0.add(title.uppercased())
      $0.add(title.prefix(1).uppercased() + title.dropFirst().lowercased())
      $0.add(max(0, limit))
    } read: { row in
      (item: row.int64(), place: row.place())
    }
    var places: [(item: CalendarItem, place: StructuredLocation)] = []
    for one in found {
      if let item = try item(row: one.item) { places.append((item, one.place)) }
    }
    return places
  }
}

private enum Queries {
  static let titled = SQL(
    """
    SELECT l.item, \(PlaceColumns.names.map { "l." + $0 }.joined(separator: ", "))
    FROM structured_locations l
    WHERE l.title COLLATE NOCASE IN (?, ?, ?, ?) AND l.latitude IS NOT NULL
    ORDER BY l.row DESC LIMIT ?
    """)
}
