public import CalendarModel

/// How much a calendar or list holds.
public struct CalendarCounts: Hashable, Sendable {
  /// All items.
  public var items = 0
  /// Reminders that are neither done nor cancelled, and events that are not cancelled.
  public var open = 0
  /// The alarms of all items.
  public var alarms = 0
}

extension StoreReader {
  /// How much a calendar or list holds.
  ///
  /// Cost: some tens of nanoseconds for each item.
  public func counts(of calendar: Identifier<ItemCalendar>) throws(StoreError) -> CalendarCounts {
    let items = try connection.first(Queries.items, { $0.add(calendar) }, read: { ($0.int(), $0.int()) })
    let alarms = try connection.first(Queries.alarms, { $0.add(calendar) }, read: { $0.int() })
    return CalendarCounts(items: items?.0 ?? 0, open: items?.1 ?? 0, alarms: alarms ?? 0)
  }

  /// As much of an item's identifier, from its beginning, as no other item's begins with, `least` characters at least;
  /// all of it where that is not enough.
  ///
  /// A changed occurrence has the identifier of its series, a slash and the time that it stands for (``SeriesPart``): of
  /// that and of the series alike, it is as much as tells the series apart.
  ///
  /// Cost: some microseconds, however many items there are.
  public func uniquePrefix(
    of id: Identifier<CalendarItem>, least: Int = 8
  ) throws(StoreError) -> String {
    let text = SeriesPart.split(id.rawValue).map { String($0.series) } ?? id.rawValue
    var length = least
    // Of all identifiers, sorted, those beside it have the most in common with it, the occurrences of the series left out.
    for query in [Queries.before, Queries.between, Queries.after] {
      let other = try connection.first(query, { $0.add(text) }, read: { $0.optionalText() }) ?? nil
      guard let other else { continue }
      let common = zip(text, other).prefix { $0 == $1 }.count
      length = max(length, common + 1)
    }
    return String(text.prefix(length))
  }
}

/// The identifier of a changed occurrence that a file brought: `UID/20260514T190000Z`.
public enum SeriesPart {
  /// The identifier of the series and the eight digits of the day; `nil` for what is no such identifier.
  public static func split(_ id: String) -> (series: Substring, day: Substring)? {
    guard let slash = id.lastIndex(of: "/") else { return nil }
    let time = id[slash...].dropFirst()
    let day = time.prefix { $0.isASCII && $0.isNumber }
    guard slash > id.startIndex, day.count == 8, time.count == 8 || time.dropFirst(8).first == "T" else {
      return nil
    }
    return (id[..<slash], day)
  }
}

private enum Queries {
  static let items = SQL(
    """
    SELECT count(*), count(*) FILTER (WHERE NOT is_silenced) FROM items
    WHERE calendar = (SELECT row FROM calendars WHERE id = ?) AND \(BulkChange.excludes("row"))
    """)
  static let alarms = SQL(
    """
    SELECT count(*) FROM alarms
    WHERE item IN (SELECT row FROM items WHERE calendar = (SELECT row FROM calendars WHERE id = ?))
      AND \(BulkChange.excludes("item"))
    """)
  static let before = SQL("SELECT max(id) FROM items WHERE id < ?")
  static let between = SQL("SELECT min(id) FROM items WHERE id > ?1 AND id < ?1 || '/'")
  // "0" follows the slash.
  static let after = SQL("SELECT min(id) FROM items WHERE id >= ?1 || '0'")
}
