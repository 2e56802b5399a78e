import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostReconciliation

extension CollectionSync {
  // MARK: To there

  /// Deletes on the other side what was removed here.
  func pushDeletions() throws {
    guard isWritable, !options.isDryRun, let plan else { return }
    let deletions = try store.read { reader in
      try plan.deletions.filter { try reader.items(uid: $0.uid, in: collection.calendar).isEmpty }
    }
    // What came back since this run began, for example by undo, is compared again.
    if deletions.count < plan.deletions.count { isComplete = false }
    for object in deletions {
      try trySending { try delete(object) }
    }
  }

  private func delete(_ object: AgreedObject, isLast: Bool = false) throws {
    switch try peer.delete(object.name, tag: object.tag) {
    case .done, .gone:
      try write { try $0.removeSyncedObject(named: object.name, in: collection.number) }
      counts.pushed += 1
    case .changedMeanwhile, .exists:
      // A change wins over a removal. One that was only written again is removed after all.
      let found = try peer.read([object.name])
      try pull(found)
      guard let again = departed.popLast() else { return }
      if isLast { isComplete = false } else { try delete(again, isLast: true) }
    case .refused:
      counts.failed += 1
      isComplete = false
    }
  }

  /// Sends what was changed here, and what came of merges.
  func pushChanges() throws {
    guard isWritable, !options.isDryRun, let plan else { return }
    // Once more, because merges have led to new texts.
    var uids = Set(plan.creations.map { ExactText($0) })
    uids.formUnion((plan.updates + plan.revivals + plan.checks + late).map { ExactText($0.uid) })
    try store.read { reader in
      for name in plan.reads {
        if let uid = try reader.syncedObject(named: name, in: collection.number)?.uid {
          uids.insert(ExactText(uid))
        }
      }
    }
    for uid in uids.sorted() where !uid.text.isEmpty { try trySending { try push(uid.text) } }
    try verify()
    try forgetRefusals()
    recordComparison()
    try save()
  }

  /// Forgets what was refused a day ago and not again now: the items are gone, or the server has them.
  func forgetRefusals() throws {
    guard isComplete else { return }
    let old = try store.read { try $0.syncRefusals(in: collection.number) }.filter {
      $0.refused < LocalScan.retried(at: now)
    }
    if old.isEmpty { return }
    try write { writer in
      for refusal in old { try writer.removeSyncRefusal(uid: refusal.uid, in: collection.number) }
    }
  }

  private func push(_ uid: String) throws {
    for _ in 0..<Self.attempts {
      guard let change = try change(of: uid) else { return }
      let result =
        if let object = change.object, !gone.contains(object.name) {
          try peer.replace(object.name, tag: object.tag, text: change.text)
        } else {
          try peer.create(uid: uid, text: change.text)
        }
      switch result {
      case .done(let name, let tag):
        try recordSent(change, uid, name: name, tag: tag)
        counts.pushed += 1
        return
      case .gone: if let object = change.object { gone.insert(object.name) }
      case .changedMeanwhile:
        guard try pullMeanwhile(change.object?.name) else { return countFailure() }
      case .exists(let name):
        guard let name, try pullMeanwhile(name) else {
          return refuse(uid, change, "the server has this UID elsewhere")
        }
      case .refused(let reason): return refuse(uid, change, reason)
      }
    }
    countFailure()
  }

  func countFailure() {
    isComplete = false
    counts.failed += 1
  }

  /// Reads what somebody else has changed meanwhile. Without a name, the objects that are not known yet.
  ///
  /// - Returns: False if that says nothing new.
  private func pullMeanwhile(_ name: String?) throws -> Bool {
    if let name {
      let objects = try peer.read([name])
      try pull(objects)
      if !objects.isEmpty { return true }
    }
    let listing = try peer.changes(since: nil).listing
    if let name {
      if listing.tags[name] == nil { gone.insert(name) }
      return gone.contains(name)
    }
    let known = Set(try store.read { try $0.syncedObjectTags(in: collection.number) }.map(\.name))
    gone.formUnion(known.filter { listing.tags[$0] == nil })
    let names = listing.tags.keys.filter { !known.contains($0) }.sorted()
    try pull(peer.read(names))
    return !names.isEmpty
  }

  private struct Change {
    var object: SyncedObject?
    /// The text to send.
    var text: String
    /// The text of the items here.
    var local: String
  }

  /// What is to be sent of a UID; `nil` for nothing.
  private func change(of uid: String) throws -> Change? {
    try store.read { reader in
      let zones = try reader.timeZoneDefinitions()
      guard let local = try LocalScan.text(uid, collection.calendar, zones, in: reader) else { return nil }
      guard let object = try reader.syncedObject(uid: uid, in: collection.number) else {
        return Change(object: nil, text: local, local: local)
      }
      let isGone = gone.contains(object.name)
      // What can't be read or used here is not overwritten there.
      guard ![.unusable, .unread].contains(object.state) || isGone,
        try isGone || LocalScan.isChanged(object, to: local, in: collection.calendar)
      else { return nil }
      guard let base = ComponentTree(object.base), let after = ComponentTree(local),
        let before = ComponentTree(
          object.local ?? ObjectText.rewritten(object.base, in: collection.calendar) ?? object.base)
      else { return Change(object: object, text: local, local: local) }
      // What the server has lost of a place is not sent back to it.
      let text = PlaceRepair.repair(ObjectMerge.patch(base, from: before, to: after), from: after)
      return Change(object: object, text: text.text, local: local)
    }
  }

  private func recordSent(_ change: Change, _ uid: String, name: String, tag: String?) throws {
    try write { writer in
      if let old = change.object, old.name != name {
        try writer.removeSyncedObject(named: old.name, in: collection.number)
      }
      try writer.removeSyncRefusal(uid: uid, in: collection.number)
      var sent = object(name, uid, .sent, tag: tag, base: change.text, local: change.local)
      sent.replacedTag = change.object?.tag
      try writer.save(sent, in: collection.number)
    }
    gone.remove(name)
    learned.saysTags = tag != nil
    unverified.append(Sent(name: name))
  }

  /// An object whose items here belong to a text of the other side.
  func object(
    _ name: String, _ uid: String, _ state: SyncState, tag: String?, base: String, local: String
  ) -> SyncedObject {
    let rewritten = ObjectText.rewritten(base, in: collection.calendar)
    let isSame = rewritten.map { ObjectText.isSame($0, local) } ?? false
    return SyncedObject(
      name: name, uid: uid, state: state, tag: tag, base: base, local: isSame ? nil : local)
  }

  private func refuse(_ uid: String, _ change: Change, _ reason: String) {
    counts.failed += 1
    do {
      try write {
        try $0.save(
          SyncRefusal(uid: uid, text: change.local, reason: reason, refused: now), in: collection.number)
      }
    } catch {
      isComplete = false
    }
  }
}
