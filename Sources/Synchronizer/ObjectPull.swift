import CalendarModel
import CalendarStore
import ICalendar
import Interchange
import Reconciliation

/// Merges an object of the other side into the store, with the local changes.
struct ObjectPull {
  let collection: SyncedCalendar
  let now: Instant

  /// The result.
  struct Outcome {
    /// True if items in the store changed.
    var isChange = false
    var losses: [MergeLoss] = []
    /// False if it can't be read. It then stays unchanged on the other side.
    var isReadable = true
  }

  /// Merges an object and saves its record, in one transaction.
  func take(_ object: PeerObject, in writer: borrowing StoreWriter) throws -> Outcome {
    let number = collection.number
    let text = String(decoding: object.text, as: UTF8.self)
    guard let remote = ObjectText.read(object.text, in: collection.calendar) else {
      let known = try writer.reader.syncedObject(named: object.name, in: number)
      // Items that were readable before stay here, and do not overwrite the unreadable text.
      try writer.save(
        SyncedObject(
          name: object.name, uid: known?.uid ?? "", tag: object.tag, base: known?.base ?? text,
          local: known?.local),
        in: number)
      return Outcome(isReadable: false)
    }
    let zones = try writer.reader.timeZoneDefinitions()
    let here = try LocalScan.text(remote.uid, collection, zones, in: writer.reader)
    let known =
      try writer.reader.syncedObject(named: object.name, in: number)
      ?? writer.reader.syncedObject(uid: remote.uid, in: number)
    let merge = PullMerge(known: known, here: here, remote: remote.tree, calendar: collection.calendar)
    var outcome = Outcome(losses: merge.losses)
    if let merged = merge.local {
      outcome.isChange = try save(merged, uid: remote.uid, in: writer)
    }
    for loss in merge.losses {
      try writer.add(
        SyncConflict(
          uid: remote.uid, title: loss.title, occurrence: loss.occurrence, property: loss.property,
          loser: loss.loser.rawValue, kept: loss.kept, lost: loss.lost, found: now), in: number)
    }
    if let known, known.name != object.name, known.uid == remote.uid,
      try writer.reader.syncedObject(named: object.name, in: number) == nil
    {
      // The same items under another name: the server moved the object, or two programs created it.
      try writer.removeSyncedObject(named: known.name, in: number)
    }
    var agreed = SyncedObject(name: object.name, uid: remote.uid, tag: object.tag, base: text)
    agreed.local =
      merge.isSettled
      ? try settled(remote.uid, base: text, in: writer.reader) : merge.agreed
    try writer.save(agreed, in: number)
    return outcome
  }

  /// The text of the items here, if it differs from the server's text although there is nothing to send.
  private func settled(
    _ uid: String, base: String, in reader: borrowing StoreReader
  ) throws -> String? {
    guard let text = try LocalScan.text(uid, collection, reader.timeZoneDefinitions(), in: reader),
      let rewritten = ObjectText.rewritten(base, in: collection.calendar), !ObjectText.isSame(rewritten, text)
    else { return nil }
    return text
  }

  /// Replaces the items of a UID with those of a text.
  ///
  /// - Returns: True if something changed.
  private func save(_ tree: ComponentTree, uid: String, in writer: borrowing StoreWriter) throws -> Bool {
    guard let content = ObjectText.read(tree, in: collection.calendar) else { return false }
    var merge = CalendarMerge(only: collection.calendar, prunes: false, at: now)
    for zone in content.document.timeZones { try merge.take(.timeZone(zone), in: writer) }
    var ids: Set<Identifier<CalendarItem>> = []
    for item in content.document.items {
      try merge.take(.item(item), in: writer) { ids.insert($0.item) }
    }
    try merge.saveZones(in: writer)
    var isChange = merge.counts.isChange
    for item in try writer.reader.items(uid: uid)
    where item.calendar == collection.calendar && !ids.contains(item.id) {
      try writer.remove(item.id)
      isChange = true
    }
    return isChange
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
