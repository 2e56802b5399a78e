import FencepostCalendarModel
import FencepostCalendarStore

/// The other calendars of an account: where an item is that has left a calendar, or come to it, on one of the sides.
struct Siblings {
  struct Member {
    var collection: SyncedCalendar
    /// The UIDs that are gone from it on the other side; `nil` for all, because the calendar itself is gone.
    var gone: Set<ExactText>? = []

    func isGone(_ uid: String) -> Bool { gone?.contains(ExactText(uid)) ?? true }
  }

  var members: [Member] = []

  /// Where the items of a UID are that are new in a calendar on the other side, if they moved to it: here they are in another
  /// calendar, and there they are not in that one.
  ///
  /// - Returns: The calendar, and the object on which both sides agreed, wherever it was.
  func origin(
    of uid: String, in reader: borrowing StoreReader
  ) throws -> (calendar: Identifier<ItemCalendar>, known: (object: SyncedObject, member: Member)?)? {
    let here = Set(try reader.items(uid: uid).map(\.calendar))
    guard let place = try members.first(where: { try isFree(uid, in: $0, here, reader) }) else { return nil }
    let known = try members.lazy.compactMap { member in
      try reader.syncedObject(uid: uid, in: member.collection.number).map { ($0, member) }
    }.first { object, member in member.isGone(uid) || !here.contains(member.collection.calendar) }
    return (place.collection.calendar, known)
  }

  /// Where the items of a UID are that were removed from a calendar here, if they were moved to another one.
  func destination(
    of uid: String, in reader: borrowing StoreReader
  ) throws -> Identifier<ItemCalendar>? {
    let here = Set(try reader.items(uid: uid).map(\.calendar))
    return try members.first { member in
      try here.contains(member.collection.calendar)
        && reader.syncedObject(uid: uid, in: member.collection.number) == nil
    }?.collection.calendar
  }

  /// The UIDs of all items in them.
  func uids(in reader: borrowing StoreReader) throws -> Set<ExactText> {
    try members.reduce(into: []) { $0.formUnion(try reader.uids(in: $1.collection.calendar)) }
  }

  /// True if items are in a calendar here, but not on the other side.
  private func isFree(
    _ uid: String, in member: Member, _ here: Set<Identifier<ItemCalendar>>, _ reader: borrowing StoreReader
  ) throws -> Bool {
    guard here.contains(member.collection.calendar) else { return false }
    return try member.isGone(uid) || reader.syncedObject(uid: uid, in: member.collection.number) == nil
  }
}
