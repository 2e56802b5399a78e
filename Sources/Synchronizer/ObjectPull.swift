import CalendarModel
import CalendarStore
import ICalendar
import Reconciliation

/// Merges an object of the other side into the store, with the local changes.
struct ObjectPull {
  let collection: SyncedCalendar
  /// The other calendars of the account.
  let siblings: Siblings
  let now: Instant

  /// The result.
  struct Outcome {
    /// True if items in the store changed.
    var isChange = false
    var losses: [MergeLoss] = []
    /// False if it can't be read. It then stays unchanged on the other side.
    var isReadable = true
    /// The object, if its items were moved to another calendar here, so that it is to be deleted.
    var departed: AgreedObject?
  }

  /// Merges an object and saves its record, in one transaction.
  func take(_ object: PeerObject, in writer: borrowing StoreWriter) throws -> Outcome {
    let number = collection.number
    let text = String(decoding: object.text, as: UTF8.self)
    guard let remote = ObjectText.read(object.text, in: collection.calendar) else {
      let known = try writer.reader.syncedObject(named: object.name, in: number)
      // Items that were readable before stay here. Without a tag that matches, they can't overwrite the unreadable text.
      try writer.save(
        SyncedObject(
          name: object.name, uid: known?.uid ?? "", tag: known == nil ? object.tag : "",
          base: known?.base ?? text, local: known?.local),
        in: number)
      return Outcome(isReadable: false)
    }
    var known =
      try writer.reader.syncedObject(named: object.name, in: number)
      ?? writer.reader.syncedObject(uid: remote.uid, in: number)
    if known?.uid != remote.uid { known = nil }
    var place = collection.calendar
    if try writer.reader.items(uid: remote.uid, in: collection.calendar).isEmpty {
      if known == nil {
        known = try fetch(remote.uid, in: writer)
      } else if let other = try siblings.destination(of: remote.uid, in: writer.reader) {
        place = other
      }
    }
    let zones = try writer.reader.timeZoneDefinitions()
    let here = try LocalScan.text(remote.uid, place, zones, in: writer.reader)
    let merge = PullMerge(known: known, here: here, remote: remote.tree, calendar: place)
    var outcome = Outcome(losses: merge.losses)
    if let merged = merge.local,
      let content = merged == remote.tree ? remote : ObjectText.read(merged, in: place)
    {
      outcome.isChange = try ObjectSave(uid: remote.uid, calendar: place, now: now).save(content, in: writer)
    }
    for loss in merge.losses {
      try writer.add(
        SyncConflict(
          uid: remote.uid, title: loss.title, occurrence: loss.occurrence, property: loss.property,
          loser: loss.loser.rawValue, kept: loss.kept, lost: loss.lost, found: now), in: number)
    }
    if let known, known.name != object.name,
      try writer.reader.syncedObject(named: object.name, in: number) == nil
    {
      // The same items under another name: the server moved the object, or two programs created it.
      try writer.removeSyncedObject(named: known.name, in: number)
    }
    var agreed = SyncedObject(name: object.name, uid: remote.uid, tag: object.tag, base: text)
    if place != collection.calendar {
      // What was changed there is in the other calendar now.
      outcome.departed = AgreedObject(name: object.name, uid: remote.uid, tag: object.tag)
    } else {
      agreed.local =
        merge.isSettled ? try settled(remote, in: writer.reader) : merge.agreed
    }
    try writer.save(agreed, in: number)
    return outcome
  }

  /// Moves the items of a UID here, if the other side has moved them to this calendar.
  ///
  /// - Returns: The object on which both sides agreed in the calendar that they left.
  private func fetch(_ uid: String, in writer: borrowing StoreWriter) throws -> SyncedObject? {
    guard let origin = try siblings.origin(of: uid, in: writer.reader) else { return nil }
    for var item in try writer.reader.items(uid: uid, in: origin.calendar) {
      item.calendar = collection.calendar
      try writer.save(item)
    }
    guard let (object, member) = origin.known else { return nil }
    // Where it was only removed here, it is still to be deleted there.
    if member.isGone(uid) { try writer.removeSyncedObject(named: object.name, in: member.collection.number) }
    return object
  }

  /// The text of the items here, if it says something else than the server's text although there is nothing to send.
  private func settled(_ remote: ObjectText.Content, in reader: borrowing StoreReader) throws -> String? {
    let (zones, document) = (try reader.timeZoneDefinitions(), remote.document)
    guard let text = try LocalScan.text(remote.uid, collection.calendar, zones, in: reader),
      !ObjectText.isSame(ObjectText.text(of: document.items, zones: document.timeZones), text)
    else { return nil }
    return text
  }
}

/// The merge of an object that both sides have.
///
/// A server may lose a part of what it receives; some cut values at a comma. So there are two agreed texts:
/// the server's (S), and the one of the items here if it contains more (B). The local change is from B to L,
/// the remote one from S to S'. Both are merged in the server's words. The result is then applied here as a
/// change of L, so that nothing is lost here that the server lost.
private struct PullMerge {
  /// The new local items; `nil` if they stay.
  private(set) var local: ComponentTree?
  /// False if there is something to send.
  private(set) var isSettled = true
  /// If there is something to send: the local text for the server's text, if it contains more.
  private(set) var agreed: String?
  private(set) var losses: [MergeLoss] = []

  /// - Parameters:
  ///   - known: The object after the last synchronization.
  ///   - here: The text of the items here.
  ///   - remote: The other side's text.
  init(known: SyncedObject?, here: String?, remote: ComponentTree, calendar: Identifier<ItemCalendar>) {
    guard let l = here.flatMap({ ComponentTree($0) }) else {
      // Removed here, or never here: a change there wins.
      local = PlaceRepair.repair(remote, from: known?.local.flatMap { ComponentTree($0) })
      return
    }
    let repaired = PlaceRepair.repair(remote, from: l)
    guard let known, let s = ComponentTree(known.base),
      let b = ComponentTree(known.local ?? ObjectText.rewritten(known.base, in: calendar) ?? known.base)
    else {
      let merge = ObjectMerge(base: nil, local: l, remote: repaired)
      losses = merge.losses
      if !ObjectMerge.isSame(merge.tree, l) { local = merge.tree }
      isSettled = ObjectMerge.isSame(merge.tree, repaired)
      if repaired != remote { agreed = repaired.text }
      return
    }
    let p = ObjectMerge.isSame(b, l) ? s : ObjectMerge.patch(s, from: b, to: l)
    let merge = ObjectMerge(base: s, local: p, remote: repaired)
    losses = merge.losses
    isSettled = ObjectMerge.isSame(merge.tree, repaired)
    let hasMore = known.local != nil || repaired != remote
    if !ObjectMerge.isSame(merge.tree, p) {
      local = hasMore ? ObjectMerge.patch(l, from: p, to: merge.tree) : merge.tree
    }
    if hasMore { agreed = ObjectMerge.patch(b, from: s, to: repaired).text }
  }
}
