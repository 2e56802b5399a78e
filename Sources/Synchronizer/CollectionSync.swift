import CalendarModel
import CalendarStore
import ICalendar
import Reconciliation

/// Synchronizes one calendar with the other side.
///
/// It can be interrupted at any point: an object and its record are written in one transaction, names follow
/// from UIDs, and requests have conditions. The next run sees what is done and what is not.
final class CollectionSync {
  let store: CalendarStore
  let peer: any SyncPeer
  private(set) var collection: SyncedCalendar
  let isWritable: Bool
  let options: SyncOptions
  let now: Instant
  private(set) var counts = SyncCounts()

  /// The changes to send.
  private var plan: SyncPlan?
  /// The position in the change log of the local scan.
  private var scanned: Int64 = 0
  /// The transactions of this run. Their changes need no scan.
  private var own: Set<Int64> = []
  private var isComplete = true
  /// Objects to read again from the other side after sending.
  private var unverified: [String] = []

  private static let batch = 50
  private static let attempts = 3

  init(
    store: CalendarStore, peer: any SyncPeer, collection: SyncedCalendar, isWritable: Bool,
    options: SyncOptions,
    now: Instant
  ) {
    self.store = store
    self.peer = peer
    self.collection = collection
    self.isWritable = isWritable
    self.options = options
    self.now = now
  }

  private func write<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    try store.write { writer in
      own.insert(writer.transactionNumber)
      return try body(writer)
    }
  }

  // MARK: Pulling

  /// Applies the other side's changes.
  ///
  /// - Parameters:
  ///   - isNews: False if the other side reports no changes.
  ///   - changeTag: The other side's tag for its current state.
  func pull(isNews: Bool, changeTag: String?) throws {
    let (scan, agreed) = try store.read { reader in
      (
        try LocalScan(collection, isWritable: isWritable, in: reader),
        try reader.syncedObjectTags(in: collection.number).map {
          AgreedObject(name: $0.name, uid: $0.uid, tag: $0.tag)
        }
      )
    }
    scanned = scan.last
    let unread = agreed.contains { $0.tag == nil }
    if !isNews && !unread && scan.changes == SyncPlan.LocalChanges() {
      guard isWritable, !options.isDryRun, collection.compared != scanned else { return }
      noteCompared()
      return try save()
    }
    let remote =
      isNews || unread
      ? try peer.changes(since: unread ? nil : collection.token)
      : PeerChanges(listing: Listing(changed: [:], gone: []), token: collection.token)
    let whole = SyncPlan(agreed: agreed, local: scan.changes, remote: remote.listing)
    let plan = options.allowsLargeRemovals ? whole : whole.withoutLargeRemovals
    counts.waitingRemovals = whole.removals.count - plan.removals.count
    counts.waitingDeletions = whole.deletions.count - plan.deletions.count
    self.plan = plan
    if options.isDryRun {
      counts.pulled = plan.reads.count + plan.removals.count
      counts.pushed =
        plan.creations.count + plan.revivals.count + plan.updates.count + plan.deletions.count
      return
    }
    for start in stride(from: 0, to: plan.reads.count, by: Self.batch) {
      try take(peer.read(Array(plan.reads[start..<min(start + Self.batch, plan.reads.count)])))
    }
    try remove(plan.removals)
    if !plan.forgotten.isEmpty {
      try write { writer in
        for object in plan.forgotten {
          try writer.removeSyncedObject(named: object.name, in: collection.number)
        }
      }
    }
    // A removal that waits for confirmation must be found again.
    if counts.waitingRemovals == 0 {
      collection.token = remote.token
      collection.changeTag = changeTag
    } else {
      collection.token = nil
      collection.changeTag = nil
    }
    collection.waitingRemovals = counts.waitingRemovals
    collection.waitingDeletions = counts.waitingDeletions
    try save()
  }

  private func take(_ objects: [PeerObject]) throws {
    try write { writer in
      let pull = ObjectPull(collection: collection, now: now)
      for object in objects {
        let outcome = try pull.take(object, in: writer)
        if outcome.isChange { counts.pulled += 1 }
        if !outcome.isReadable { counts.failed += 1 }
        counts.conflicts += outcome.losses.count
      }
    }
  }

  /// Removes items that are gone on the other side.
  private func remove(_ objects: [AgreedObject]) throws {
    for start in stride(from: 0, to: objects.count, by: 200) {
      try write { writer in
        for object in objects[start..<min(start + 200, objects.count)] {
          try writer.removeSyncedObject(named: object.name, in: collection.number)
          // The same items may exist there under another name.
          guard !object.uid.isEmpty,
            try writer.reader.syncedObject(uid: object.uid, in: collection.number) == nil
          else { continue }
          for item in try writer.reader.items(uid: object.uid) where item.calendar == collection.calendar {
            try writer.remove(item.id)
          }
          counts.pulled += 1
        }
      }
    }
  }

  // MARK: Pushing

  /// Deletes on the other side what was removed here.
  func pushDeletions() throws {
    guard isWritable, !options.isDryRun, let plan else { return }
    for object in plan.deletions {
      switch try peer.delete(object.name, tag: object.tag) {
      case .done, .gone:
        try write { try $0.removeSyncedObject(named: object.name, in: collection.number) }
        counts.pushed += 1
      case .changedMeanwhile, .exists:
        // A change wins over a removal.
        try take(peer.read([object.name]))
      case .refused:
        counts.failed += 1
        isComplete = false
      }
    }
  }

  /// Sends local changes and the results of merges.
  func pushChanges() throws {
    guard isWritable, !options.isDryRun, let plan else { return }
    // Again, because merges have created new texts.
    var uids = Set(plan.creations)
    uids.formUnion((plan.updates + plan.revivals).map(\.uid))
    try store.read { reader in
      for name in plan.reads {
        if let uid = try reader.syncedObject(named: name, in: collection.number)?.uid { uids.insert(uid) }
      }
    }
    let revived = Set(plan.revivals.map(\.uid))
    for uid in uids.sorted() where !uid.isEmpty { try push(uid, isGone: revived.contains(uid)) }
    try verify()
    noteCompared()
    try save()
  }

  private func push(_ uid: String, isGone: Bool) throws {
    var isGone = isGone
    for _ in 0..<Self.attempts {
      guard let change = try change(of: uid, isGone: isGone) else { return }
      let result =
        if let object = change.object, !isGone {
          try peer.replace(object.name, tag: object.tag, text: change.text)
        } else {
          try peer.create(uid: uid, text: change.text)
        }
      switch result {
      case .done(let name, let tag):
        try note(change, uid, name: name, tag: tag)
        counts.pushed += 1
        return
      case .gone: isGone = true
      case .changedMeanwhile:
        let name = change.object.map(\.name)
        if try !takeMeanwhile(name) { isGone = change.object != nil }
      case .exists(let name):
        guard let name, try takeMeanwhile(name) else {
          return refuse(uid, change, "the server has this UID elsewhere")
        }
      case .refused(let reason): return refuse(uid, change, reason)
      }
    }
    isComplete = false
    counts.failed += 1
  }

  /// Reads what others changed in the meantime. Without a name, reads the objects that are not known yet.
  private func takeMeanwhile(_ name: String?) throws -> Bool {
    if let name {
      let objects = try peer.read([name])
      try take(objects)
      return !objects.isEmpty
    }
    let known = Set(try store.read { try $0.syncedObjectTags(in: collection.number) }.map(\.name))
    let listing = try peer.changes(since: nil).listing
    let names = listing.tags.keys.filter { !known.contains($0) }.sorted()
    try take(peer.read(names))
    return !names.isEmpty
  }

  private struct Change {
    var object: SyncedObject?
    /// The text to send.
    var text: String
    /// The text of the items here.
    var local: String
  }

  /// The change to send for a UID; `nil` for none.
  private func change(of uid: String, isGone: Bool) throws -> Change? {
    try store.read { reader in
      let zones = try reader.timeZoneDefinitions()
      guard let local = try LocalScan.text(uid, collection, zones, in: reader) else { return nil }
      guard let object = try reader.syncedObject(uid: uid, in: collection.number) else {
        return Change(object: nil, text: local, local: local)
      }
      guard try isGone || LocalScan.isChanged(object, to: local, in: collection.calendar) else { return nil }
      guard let base = ComponentTree(object.base), let after = ComponentTree(local),
        let before = ComponentTree(
          object.local ?? ObjectText.rewritten(object.base, in: collection.calendar) ?? object.base)
      else { return Change(object: object, text: local, local: local) }
      // If the server lost a place's longitude, never send that back.
      let text = PlaceRepair.repair(ObjectMerge.patch(base, from: before, to: after), from: after)
      return Change(object: object, text: text.text, local: local)
    }
  }

  private func note(_ change: Change, _ uid: String, name: String, tag: String?) throws {
    try write { writer in
      if let old = change.object, old.name != name {
        try writer.removeSyncedObject(named: old.name, in: collection.number)
      }
      try writer.removeSyncRefusal(uid: uid, in: collection.number)
      try writer.save(
        agreed(name, uid, tag: tag, base: change.text, local: change.local), in: collection.number)
    }
    unverified.append(name)
  }

  /// The record of an object whose local items correspond to a text of the other side.
  private func agreed(_ name: String, _ uid: String, tag: String?, base: String, local: String)
    -> SyncedObject
  {
    let rewritten = ObjectText.rewritten(base, in: collection.calendar)
    let isSame = rewritten.map { ObjectText.isSame($0, local) } ?? false
    return SyncedObject(name: name, uid: uid, tag: tag, base: base, local: isSame ? nil : local)
  }

  private func refuse(_ uid: String, _ change: Change, _ reason: String) {
    counts.failed += 1
    do {
      try write {
        try $0.save(SyncRefusal(uid: uid, text: change.local, reason: reason), in: collection.number)
      }
    } catch {
      isComplete = false
    }
  }

  /// Reads sent objects again: an ETag does not prove that the server keeps the whole text.
  ///
  /// - Parameter isLast: True to skip the retry with another spelling for places that the server cut.
  private func verify(isLast: Bool = false) throws {
    var cut: [SyncedObject] = []
    for start in stride(from: 0, to: unverified.count, by: Self.batch) {
      let objects = try peer.read(Array(unverified[start..<min(start + Self.batch, unverified.count)]))
      var foreign: [PeerObject] = []
      try write { writer in
        for object in objects {
          guard let known = try writer.reader.syncedObject(named: object.name, in: collection.number) else {
            continue
          }
          let text = String(decoding: object.text, as: UTF8.self)
          guard known.tag == object.tag || known.tag == nil && ObjectText.isSameRevision(text, known.base)
          else {
            // Another client changed it first.
            foreign.append(object)
            continue
          }
          let local = known.local ?? ObjectText.rewritten(known.base, in: collection.calendar) ?? known.base
          if text == known.base && known.tag == object.tag { continue }
          if !isLast, let escaped = PlaceRepair.escaped(known.base, ifCutIn: text) {
            cut.append(
              SyncedObject(name: known.name, uid: known.uid, tag: object.tag, base: escaped, local: local))
          }
          try writer.save(
            agreed(object.name, known.uid, tag: object.tag, base: text, local: local), in: collection.number)
        }
      }
      try take(foreign)
    }
    unverified = []
    for object in cut {
      guard case .done(let name, let tag) = try peer.replace(object.name, tag: object.tag, text: object.base)
      else { continue }
      try write { writer in
        try writer.save(
          agreed(name, object.uid, tag: tag, base: object.base, local: object.local ?? object.base),
          in: collection.number)
      }
      unverified.append(name)
    }
    if !unverified.isEmpty { try verify(isLast: true) }
  }

  // MARK: Records

  private func noteCompared() {
    guard isComplete, counts.waitingDeletions == 0, !options.isDryRun else { return }
    collection.compared = scanned
  }

  /// Saves the progress of this run.
  private func save() throws {
    if collection.compared == scanned, let compared = collection.compared {
      // The changes of this run itself need no scan.
      let changes = try store.read { try $0.changes(after: compared) }
      collection.compared = changes.prefix { own.contains($0.transaction) }.last?.sequence ?? compared
    }
    try write { writer in
      guard try writer.reader.syncedCalendar(of: collection.calendar)?.number == collection.number else {
        return
      }
      try writer.save(&collection)
    }
  }
}
