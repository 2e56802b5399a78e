import FencepostCalendarModel
import FencepostCalendarStore

/// The items that the change log names.
struct ChangedItems {
  /// Those that were added or changed.
  var items: Set<Identifier<CalendarItem>> = []
  /// True if every item must be checked: nothing was armed yet, the log was cut, or a zone changed.
  private(set) var isAll = false
  /// Those that were removed by name.
  private(set) var removed: Set<Identifier<CalendarItem>> = []
  /// True if calendars were removed, with all their items.
  private(set) var removesCalendars = false
  /// The last change that was read, if more follow than are read at once; `nil` if that was all.
  private(set) var end: Int64?

  /// True if due times or fences may have changed.
  var isAny: Bool { isAll || removesCalendars || !removed.isEmpty || !items.isEmpty }

  /// What they concern.
  var effect: ChangeEffect {
    // Removals are not limited like the rest, because they cost nothing to arm.
    isAll || removesCalendars ? .all : ChangeEffect.items(items).adding(.items(removed))
  }

  /// The items that changed after a position in the log, or the first `limit` of them.
  init(after start: Int64?, limit: Int = .max, in reader: borrowing StoreReader) throws {
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
      for change in changes {
        take(change)
        guard isAll || items.count < limit || change.sequence == last.sequence else {
          end = change.sequence
          return
        }
      }
      sequence = last.sequence
      if !isAll && items.count >= limit, try sequence < reader.lastChange() {
        end = sequence
        return
      }
    }
    if try !isAll && sequence < reader.lastChange() { isAll = true }
  }

  private mutating func take(_ change: StoreChange) {
    switch (change.entity, change.kind) {
    case (.item, .removed): removed.insert(Identifier(rawValue: change.id))
    case (.item, _): items.insert(Identifier(rawValue: change.id))
    case (.timeZone, _): isAll = true
    case (.calendar, .removed), (.source, .removed): removesCalendars = true
    case (.calendar, _), (.source, _), (.setting, _), (.access, _), (.place, _): break
    }
  }
}
