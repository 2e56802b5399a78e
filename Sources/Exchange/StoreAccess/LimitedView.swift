import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence

/// What an app that sees some lists knows of the store, and when that was new. The time takes the place of the
/// number of the last change, which counts changes to other lists too.
///
/// After a change it reads the changed items again, and no others.
struct LimitedView {
  /// What the last look saw: hash values, for comparison.
  private struct Seen {
    /// The number of the last change of the store.
    var change: Int64
    var rights: AppRights
    var calendars: Int
    var items: [Identifier<CalendarItem>: Int]
  }

  private var seen: Seen?
  private var since = Instant.epoch
  /// The last news that a notice was sent for.
  private var told: Instant?

  /// When something that the app sees was last new.
  ///
  /// Cost: microseconds for each change since the last call. The first call reads the lists that the app sees;
  /// so does one after a change of the app's rights or of a list, or after more than a thousand changes.
  mutating func newest(
    for rights: AppRights, in reader: borrowing StoreReader, now: Instant
  ) throws -> Instant {
    if try look(rights, in: reader) {
      // The clock may be set back.
      since = max(now, since.adding(seconds: 1e-6))
    }
    return since
  }

  /// Whether the app has news that it was not yet told of.
  mutating func hasNews(
    for rights: AppRights, in reader: borrowing StoreReader, now: Instant
  ) throws -> Bool {
    let newest = try newest(for: rights, in: reader, now: now)
    defer { told = newest }
    return told != newest
  }

  /// Looks, and says whether anything differs from what the last look saw.
  private mutating func look(_ rights: AppRights, in reader: borrowing StoreReader) throws -> Bool {
    let last = try reader.lastChange()
    guard var seen, seen.rights == rights, let changes = try reader.everyChange(from: seen.change, to: last),
      !changes.contains(where: { $0.entity == .calendar })
    else {
      let before = seen
      let now = try Self.look(at: last, rights, in: reader)
      seen = now
      return before?.calendars != now.calendars || before?.items != now.items
    }
    seen.change = last
    var isNew = false
    for id in Set(changes.lazy.filter { $0.entity == .item }.map(\.id)) {
      let id = Identifier<CalendarItem>(rawValue: id)
      let item = try reader.item(id).flatMap { rights.canRead($0) ? $0.hashValue : nil }
      isNew = isNew || seen.items[id] != item
      seen.items[id] = item
    }
    self.seen = seen
    return isNew
  }

  /// Looks at all that the app sees.
  private static func look(
    at change: Int64, _ rights: AppRights, in reader: borrowing StoreReader
  ) throws -> Seen {
    let calendars = try reader.calendars(for: rights.kinds).filter(rights.canRead)
    var items: [Identifier<CalendarItem>: Int] = [:]
    for calendar in calendars {
      for item in try reader.items(in: calendar.id) where rights.canRead(item) {
        items[item.id] = item.hashValue
      }
    }
    return Seen(
      change: change, rights: rights, calendars: calendars.map(rights.shown).hashValue, items: items)
  }
}
