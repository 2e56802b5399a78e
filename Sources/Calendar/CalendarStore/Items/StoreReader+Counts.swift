public import FencepostCalendarModel
public import FencepostDatabase

/// The numbers of items and alarms in a calendar or list. A reminder that stands for the whole list does not
/// count.
public struct CalendarCounts: Hashable, Sendable {
  /// All items.
  public var items = 0
  /// Reminders that are not done or cancelled, and events that are not cancelled.
  public var open = 0
  /// The alarms of all items.
  public var alarms = 0
}

extension StoreReader {
  /// The numbers of items and alarms in a calendar or list.
  ///
  /// Cost: some tens of nanoseconds per item.
  public func counts(of calendar: Identifier<ItemCalendar>) throws(StoreError) -> CalendarCounts {
    let items = try connection.first(Queries.items, { $0.add(calendar) }, read: { ($0.int(), $0.int()) })
    let alarms = try connection.first(Queries.alarms, { $0.add(calendar) }, read: { $0.int() })
    return CalendarCounts(items: items?.0 ?? 0, open: items?.1 ?? 0, alarms: alarms ?? 0)
  }

  /// The shortest prefix of an item's identifier that no other item's identifier has, with at least `least`
  /// characters. It is the whole identifier if no prefix is unique.
  ///
  /// A changed occurrence has the identifier of its series, a slash and its original time (``SeriesPart``).
  /// For it and for the series, the prefix distinguishes the series.
  ///
  /// Cost: some microseconds, for any number of items.
  public func uniquePrefix(
    of id: Identifier<CalendarItem>, least: Int = 8
  ) throws(StoreError) -> String {
    let text = SeriesPart.split(id.rawValue).map { String($0.series) } ?? id.rawValue
    var length = least
    // In sorted order, the adjacent identifiers have the longest common prefixes. Skip occurrences of the
    // same series.
    for query in [Queries.before, Queries.between, Queries.after] {
      let other = try connection.first(query, { $0.add(text) }, read: { $0.optionalText() }) ?? nil
      guard let other else { continue }
      let common = zip(text, other).prefix { $0 == $1 }.count
      length = max(length, common + 1)
    }
    return String(text.prefix(length))
  }
}

/// The identifier of a changed occurrence from a file: `UID/20260514T190000Z`.
public enum SeriesPart {
  /// The identifier of the series and the eight digits of the day; `nil` for other identifiers.
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
    SELECT count(*), count(*) FILTER (WHERE NOT i.is_silenced) FROM items i
    WHERE i.calendar = (SELECT row FROM calendars WHERE id = ?) AND NOT \(WholeListMark.isSet)
      AND \(BulkChange.excludes("i.row"))
    """)
  static let alarms = SQL(
    """
    SELECT count(*) FROM alarms
    WHERE item IN (
      SELECT i.row FROM items i
      WHERE i.calendar = (SELECT row FROM calendars WHERE id = ?) AND NOT \(WholeListMark.isSet))
      AND \(BulkChange.excludes("item"))
    """)
  static let before = SQL("SELECT max(id) FROM items WHERE id < ?")
  static let between = SQL("SELECT min(id) FROM items WHERE id > ?1 AND id < ?1 || '/'")
  // "0" sorts after the slash.
  static let after = SQL("SELECT min(id) FROM items WHERE id >= ?1 || '0'")
}
