import CalendarModel
import CalendarStore

/// The items that the log of changes names.
struct ChangedItems {
  /// Those that were added or changed.
  var items: Set<Identifier<CalendarItem>> = []
  /// True where every item is to be looked at: nothing was armed yet, the log was cut, or a zone is another.
  private(set) var isAll = false
  private var hasRemovals = false

  /// True where alarms may be due at other times, or fences may be others.
  var isAny: Bool { isAll || hasRemovals || !items.isEmpty }

  init(after start: Int64?, in reader: borrowing StoreReader) throws {
    guard let start else {
      isAll = true
      return
    }
    var sequence = start
    while !isAll {
      let changes = try reader.changes(after: sequence)
      guard let first = changes.first, let last = changes.last else { break }
      // Changes that are gone from the log can't be followed.
      if first.sequence != sequence + 1 { isAll = true }
      for change in changes { take(change) }
      sequence = last.sequence
    }
    if try !isAll && sequence < reader.lastChange() { isAll = true }
  }

  private mutating func take(_ change: StoreChange) {
    switch (change.entity, change.kind) {
    case (.item, .removed): hasRemovals = true
    case (.item, _): items.insert(Identifier(rawValue: change.id))
    case (.timeZone, _): isAll = true
    case (.calendar, .removed), (.source, .removed): hasRemovals = true
    case (.calendar, _), (.source, _), (.setting, _), (.access, _), (.place, _): break
    }
  }
}
