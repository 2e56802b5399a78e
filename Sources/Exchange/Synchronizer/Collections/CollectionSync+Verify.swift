import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostReconciliation

extension CollectionSync {
  /// Reads what was sent once more: an ETag does not prove that the server keeps what it was sent.
  ///
  /// - Parameter isLast: True if places that the server cut are not to be sent again in another spelling.
  func verify(isLast: Bool = false) throws {
    var cut: [SyncedObject] = []
    for start in stride(from: 0, to: unverified.count, by: Self.batch) {
      let sent = unverified[start..<min(start + Self.batch, unverified.count)]
      let objects = try peer.read(sent.map(\.name))
      var foreign: [PeerObject] = []
      // What it accepted and does not have stays noted as sent, and is sent again.
      let found = Set(objects.map(\.name))
      for one in sent where !found.contains(one.name) { markLost(one) }
      try write { writer in
        for object in objects {
          guard let known = try writer.reader.syncedObject(named: object.name, in: collection.number) else {
            continue
          }
          let text = String(decoding: object.text, as: UTF8.self)
          guard let one = sent.first(where: { $0.name == object.name }) else { continue }
          guard one.isStored(known, in: object, text) else {
            if let tag = known.replacedTag, tag == object.tag {
              // It has the old text: it did not store what it accepted.
              try writer.save(
                SyncedObject(name: object.name, uid: known.uid, tag: tag, base: text), in: collection.number)
              markLost(one)
            } else {
              // Somebody else was faster.
              foreign.append(object)
            }
            continue
          }
          let local = known.local ?? ObjectText.rewritten(known.base, in: collection.calendar) ?? known.base
          learned.keepsTexts = learned.keepsTexts != false && text == known.base
          if let kept = PlaceRepair.keepsPlaces(known.base, in: text) {
            learned.keepsPlaces = learned.keepsPlaces != false && kept
          }
          if !isLast, let escaped = PlaceRepair.escaped(known.base, ifCutIn: text) {
            cut.append(
              SyncedObject(
                name: known.name, uid: known.uid, state: .sent, tag: object.tag, base: escaped, local: local))
          }
          try writer.save(
            self.object(object.name, known.uid, .agreed, tag: object.tag, base: text, local: local),
            in: collection.number)
        }
      }
      try pull(foreign)
    }
    unverified = []
    for object in cut {
      guard case .done(let name, let tag) = try peer.replace(object.name, tag: object.tag, text: object.base)
      else { continue }
      try write { writer in
        try writer.save(
          self.object(
            name, object.uid, .sent, tag: tag, base: object.base, local: object.local ?? object.base),
          in: collection.number)
      }
      unverified.append(Sent(name: name))
    }
    if !unverified.isEmpty { try verify(isLast: true) }
  }

  private func markLost(_ sent: Sent) {
    countFailure()
    if sent.isOfThisRun { counts.pushed -= 1 }
  }
}

extension CollectionSync.Sent {
  /// True if the other side has what was sent. Without a tag, the revision tells: a server may keep only a
  /// part. But an earlier run was long ago, and a change of another program may have the same time.
  fileprivate func isStored(_ known: SyncedObject, in object: PeerObject, _ text: String) -> Bool {
    if let tag = known.tag { return tag == object.tag }
    return isOfThisRun
      ? ObjectText.isSameRevision(text, known.base) : ObjectText.isSame(text, known.base)
  }
}
