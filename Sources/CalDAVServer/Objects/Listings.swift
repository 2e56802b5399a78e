import CalendarModel
import CalendarStore
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
    var members: [String: Member]
  }

  private let known = Mutex<[Identifier<ItemCalendar>: Listing]>([:])
  /// More lists than this are a mistake.
  private static let most = 200

  /// The objects of a list. May be newer than `reader`, if another request came in between.
  ///
  /// Cost: microseconds without a change; the first time, some tens of microseconds an object.
  func listing(of list: Identifier<ItemCalendar>, in reader: borrowing StoreReader) throws -> Listing {
    let last = try reader.lastChange()
    let old = known.withLock { $0[list] }
    if let old, old.change >= last { return old }
    var new: Listing
    if let old, let changed = try reader.changedUIDs(in: list, after: old.change) {
      new = old
      for uid in changed { new.members[uid] = try reader.storedObject(uid: uid, in: list).map(Member.init) }
      new.change = last
    } else {
      new = Listing(change: last, members: [:])
      var rows: [String: CalendarObject] = [:]
      for row in try reader.calendarObjects(in: list) { rows[row.uid] = row }
      for (uid, items) in Dictionary(grouping: try reader.items(in: list), by: \.uid) {
        new.members[uid] = Member(try StoredObject(items, row: rows[uid], in: reader))
      }
    }
    known.withLock { known in
      if known.count >= Self.most { known.removeAll() }
      if known[list].map({ $0.change < new.change }) ?? true { known[list] = new }
    }
    return new
  }
}

extension Listings.Member {
  init(_ object: StoredObject) {
    name = object.name
    etag = object.etag
    isEvent = object.isEvent
  }
}
