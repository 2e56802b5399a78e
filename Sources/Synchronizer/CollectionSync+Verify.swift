import CalendarModel
import CalendarStore
import ICalendar
import Reconciliation

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
      try write { writer in
        try forget(sent, except: objects, in: writer)
        for object in objects {
          guard let known = try writer.reader.syncedObject(named: object.name, in: collection.number) else {
            continue
          }
          let text = String(decoding: object.text, as: UTF8.self)
          guard known.tag == object.tag || known.tag == nil && ObjectText.isSameRevision(text, known.base)
          else {
            if let before = sent.first(where: { $0.name == object.name })?.before, before.tag != nil,
              before.tag == object.tag
            {
              // It has the old text: it did not store what it accepted.
              try writer.save(before, in: collection.number)
              noteLost()
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
      unverified.append(Sent(name: name))
    }
    if !unverified.isEmpty { try verify(isLast: true) }
  }

  /// Forgets objects that the other side accepted and does not have, so that they are sent again and not removed here.
  private func forget(
    _ sent: ArraySlice<Sent>, except objects: [PeerObject], in writer: borrowing StoreWriter
  ) throws {
    let read = Set(objects.map(\.name))
    for name in sent.map(\.name) where !read.contains(name) {
      try writer.removeSyncedObject(named: name, in: collection.number)
      noteLost()
    }
  }

  private func noteLost() {
    isComplete = false
    counts.failed += 1
    counts.pushed -= 1
  }
}
