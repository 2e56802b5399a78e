import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostWebServer
import FencepostXML

/// COPY and MOVE of objects, within a list or from one to another (RFC 4918, sections 9.8 and 9.9).
extension DAVRequest {
  func copyOrMove() throws -> HTTPResponse {
    let isMove = request.head.method == "MOVE"
    let target = try destination()
    let isOverwriting = request.head.headers["overwrite"]?.uppercased() != "F"
    let (list, name, newList, newName, title) = try store.read { reader in
      guard case .object(let list, let name) = try resource(in: reader) else {
        throw DAVRefusal(status: 403, "only calendar objects can be copied and moved")
      }
      guard let object = try reader.storedObject(named: name, in: list.id) else { throw DAVRefusal.notFound }
      guard case .object(let newList, let newName)? = try? resource(target, in: reader) else {
        throw DAVRefusal(
          .caldav("calendar-collection-location-ok"), status: 409, "the target is not in a list")
      }
      return (list, name, newList, newName, object.items.first?.title ?? "")
    }
    guard canWrite(newList), !isMove || canWrite(list) else { throw DAVRefusal.needPrivileges }
    let isInOneList = list.id == newList.id
    if isInOneList, ExactText(name) == ExactText(newName) {
      throw DAVRefusal(status: 403, "the target is the object itself")
    }
    return try change(isMove ? .move : .copy, title) { writer in
      guard let object = try writer.reader.storedObject(named: name, in: list.id) else {
        throw DAVRefusal.notFound
      }
      try check(ifMatch: object.etag)
      let known = try writer.reader.storedObject(named: newName, in: newList.id)
      if known != nil, !isOverwriting { throw DAVRefusal(status: 412, "the target exists") }
      let body = try ObjectBody(object.text, for: newList)
      // Within a list, the object itself has the UID until it is renamed.
      if !isInOneList || !isMove || known != nil {
        try checkUID(object.uid, for: known, in: newList, writer.reader)
      }
      if isMove {
        // The items keep their identity, so that the engine's data about their alarms stays valid.
        for item in known?.items ?? [] { try writer.remove(item.id) }
        for var item in object.items where !isInOneList {
          item.calendar = newList.id
          try writer.save(item)
        }
        var row = CalendarObject(
          uid: object.uid, name: isInOneList ? name : newName, text: object.text,
          fingerprint: StoredObject.fingerprint(of: object.items))
        try writer.save(row, in: newList.id, of: object.items[0].id)
        if isInOneList {
          // The store remembers the old name of a row, for clients that ask for changes.
          row.name = newName
          try writer.save(row, in: newList.id, of: object.items[0].id)
        }
      } else {
        try body.store(
          as: newName, in: newList, over: known?.items ?? [], at: server.clock(), writer: writer)
      }
      try writer.removeProperties(of: newName, in: newList.id)
      for property in try writer.reader.calendarProperties(of: name, in: list.id) {
        try writer.set(property, of: newName, in: newList.id)
      }
      if isMove { try writer.removeProperties(of: name, in: list.id) }
      return HTTPResponse(status: known == nil ? 201 : 204)
    }
  }
}
