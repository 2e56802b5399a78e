import FencepostCalendarModel
import FencepostCalendarStore
import Synchronization

/// The objects of lists with their ETags, updated from the change log: an ETag needs the whole object, and
/// clients often ask for all of them.
///
/// Memory: about 200 bytes an object, for the lists that clients ask for.
final class Listings: Sendable {
  /// A listing's data about an object.
  struct Member {
    var name: String
    var etag: String
    var isEvent: Bool
  }

  /// The objects of a list at a position in the change log.
  struct Listing {
    var change: Int64
    /// By UID.
    var members: [ExactText: Member]
  }

  /// A list with a lock of its own, so that its members are changed in place.
  private final class Entry: Sendable {
    let listing = Mutex<Listing?>(nil)
  }

  private let entries = Mutex<[Identifier<ItemCalendar>: Entry]>([:])
  /// The last change of each list, as of a position in the change log.
  private let lastChanges = Mutex((change: Int64(-1), ofLists: [Identifier<ItemCalendar>: Int64]()))
  /// More lists than this are a mistake.
  private static let most = 200

  /// The objects of a list. May be newer than `reader`, if another request came in between.
  ///
  /// Cost: microseconds without a change; the first time, some tens of microseconds an object.
  func listing(of list: Identifier<ItemCalendar>, in reader: borrowing StoreReader) throws -> Listing {
    let last = try reader.lastChange()
    let entry = entries.withLock { entries in
      if entries.count >= Self.most, entries[list] == nil { entries.removeAll() }
      let entry = entries[list] ?? Entry()
      entries[list] = entry
      return entry
    }
    return try entry.listing.withLock { known in
      if let known, known.change >= last { return known }
      if let old = known?.change, let changed = try reader.changedUIDs(in: list, after: old) {
        for uid in changed {
          let member = try reader.storedObject(uid: uid, in: list).map(Member.init)
          known?.members[ExactText(uid)] = member
        }
        known?.change = last
      } else {
        known = try Self.all(of: list, at: last, in: reader)
      }
      return known ?? Listing(change: last, members: [:])
    }
  }

  /// The number of the last change of a list, which changes with that list only.
  ///
  /// Cost: microseconds without a change; the first time, about a microsecond for each change in the log.
  func lastChange(of list: Identifier<ItemCalendar>, in reader: borrowing StoreReader) throws -> Int64 {
    let last = try reader.lastChange()
    return try lastChanges.withLock { known in
      // A reader may be older than another request's: its own answer must not be newer than what it read.
      guard known.change <= last else { return try reader.lastChanges()[list] ?? 0 }
      if known.change < last {
        known.ofLists.merge(try reader.lastChanges(after: max(0, known.change))) { $1 }
        known.change = last
      }
      return known.ofLists[list] ?? 0
    }
  }

  private static func all(
    of list: Identifier<ItemCalendar>, at change: Int64, in reader: borrowing StoreReader
  ) throws -> Listing {
    var rows: [ExactText: CalendarObject] = [:]
    for row in try reader.calendarObjects(in: list) { rows[ExactText(row.uid)] = row }
    var members: [ExactText: Member] = [:]
    for (uid, items) in Dictionary(grouping: try reader.items(in: list), by: { ExactText($0.uid) }) {
      members[uid] = Member(try StoredObject(items, row: rows[uid], in: reader))
    }
    return Listing(change: change, members: members)
  }
}

extension Listings.Member {
  init(_ object: StoredObject) {
    name = object.name
    etag = object.etag
    isEvent = object.isEvent
  }
}
