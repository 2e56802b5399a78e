import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostReconciliation

/// Finds the changes in a calendar since its last synchronization.
struct LocalScan {
  /// The changes.
  private(set) var changes = SyncPlan.LocalChanges()
  /// The position in the change log of this scan.
  private(set) var last: Int64 = 0

  /// Scans a calendar. Cost: microseconds if the store has no changes. Otherwise some milliseconds for a
  /// thousand items and a tenth of a millisecond for each changed item.
  init(
    _ collection: SyncedCalendar, isWritable: Bool, at now: Instant, in reader: borrowing StoreReader
  ) throws {
    last = try reader.lastChange()
    guard isWritable else { return }
    // What was refused may be taken later: there may be space again, or a right.
    let retried = Self.retried(at: now)
    guard
      try collection.compared != last || reader.hasSyncRefusals(in: collection.number, before: retried)
    else { return }
    let refused = try reader.syncRefusals(in: collection.number)
    let refusals = Dictionary(refused.filter { $0.refused >= retried }.map { (ExactText($0.uid), $0.text) }) {
      first, _ in first
    }
    var known: Set<ExactText> = []
    var unusable: Set<ExactText> = []
    for object in try reader.syncedObjectTags(in: collection.number)
    where object.state != .duplicate && !object.uid.isEmpty {
      known.insert(ExactText(object.uid))
      if object.state == .unusable { unusable.insert(ExactText(object.uid)) }
    }
    let here = try reader.uids(in: collection.calendar)
    changes.removed = known.subtracting(here).subtracting(unusable)
    let zones = try reader.timeZoneDefinitions()
    for uid in here.subtracting(known) {
      let isRefused =
        try refusals[uid].map { try $0 == Self.text(uid.text, collection.calendar, zones, in: reader) }
        ?? false
      if !isRefused { changes.added.insert(uid) }
    }
    var candidates = try Self.candidates(collection, in: reader) ?? here
    candidates = candidates.union(refused.map { ExactText($0.uid) }).intersection(known).subtracting(unusable)
    for uid in candidates where here.contains(uid) {
      guard let object = try reader.syncedObject(uid: uid.text, in: collection.number) else { continue }
      let text = try Self.text(uid.text, collection.calendar, zones, in: reader)
      if refusals[uid] != text, try Self.isChanged(object, to: text, in: collection.calendar) {
        changes.changed.insert(uid)
      }
    }
  }

  /// What was refused before this time is sent again: once a day.
  static func retried(at now: Instant) -> Instant { now.adding(seconds: -86_400) }

  /// The UIDs of items in the change log; `nil` if the log does not go back far enough.
  private static func candidates(
    _ collection: SyncedCalendar, in reader: borrowing StoreReader
  ) throws -> Set<ExactText>? {
    guard var place = collection.compared else { return nil }
    var ids: Set<String> = []
    while true {
      let changes = try reader.changes(after: place)
      if let first = changes.first, first.sequence != place + 1 { return nil }
      for change in changes where change.entity == .item && change.kind != .removed { ids.insert(change.id) }
      // A zone may have new rules, but an item's text only has its name.
      guard let last = changes.last else { break }
      place = last.sequence
    }
    var uids: Set<ExactText> = []
    for id in ids {
      guard let item = try reader.item(Identifier(rawValue: id)), item.calendar == collection.calendar else {
        continue
      }
      uids.insert(ExactText(item.uid))
    }
    // If an occurrence was removed, the log names its series.
    return uids
  }

  /// The text of the items of a UID in a calendar, or `nil`.
  static func text(
    _ uid: String, _ calendar: Identifier<ItemCalendar>, _ zones: [TimeZoneDefinition],
    in reader: borrowing StoreReader
  ) throws -> String? {
    let items = try reader.items(uid: uid, in: calendar)
    return items.isEmpty ? nil : ObjectText.text(of: items, zones: zones)
  }

  /// True if the items of an object mean something else than at the last synchronization.
  static func isChanged(
    _ object: SyncedObject, to text: String?, in calendar: Identifier<ItemCalendar>
  ) throws -> Bool {
    guard let text else { return true }
    if let local = object.local, ObjectText.isSame(local, text) { return false }
    // An earlier version of this program may have written another form.
    guard let agreed = ObjectText.rewritten(object.local ?? object.base, in: calendar) else { return false }
    return !ObjectText.isSame(agreed, text)
  }
}
