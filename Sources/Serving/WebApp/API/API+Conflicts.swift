import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostWebServer

/// Values that a synchronization with an account could not keep.
extension WebApp {
  static let conflictRoutes: [Route] = [
    Route(
      "GET", "/conflicts", .read, needsAllLists: true,
      "Values that were changed here and on a server, and which of them was kept",
      answer: .each(
        "conflicts",
        .object([
          "type": .words("conflict"), "list": .text, "uid": .text, "item": JSONSchema.text.orNull,
          "title": .text, "occurrence": JSONSchema.text.orNull, "property": .text,
          "loser": .words("local", "remote"), "kept": .list(.text), "lost": .list(.text), "found": .moment,
        ]))
    ) { app, _ in
      try app.store.read { reader in
        var found: [JSONLine] = []
        for account in try reader.syncAccounts() {
          for (calendar, conflict) in try reader.syncConflicts(of: account.number).prefix(
            WebApp.maximumConflicts)
          {
            found.append(try app.object(conflict, in: calendar, reader))
          }
        }
        return app.list("conflicts", found)
      }
    },
    Route("DELETE", "/conflicts", .write, needsAllLists: true, "Forget what was not kept") { app, _ in
      try app.store.write { writer in
        for account in try writer.reader.syncAccounts() {
          try writer.removeSyncConflicts(of: account.number)
        }
      }
      return HTTPResponse(status: 204)
    },
  ]

  /// Of each account; the store keeps more.
  private static let maximumConflicts = 200

  private func object(
    _ conflict: SyncConflict, in calendar: Identifier<ItemCalendar>, _ reader: borrowing StoreReader
  ) throws -> JSONLine {
    var line = JSONLine(type: "conflict")
    line.add("list", try reader.calendar(calendar)?.title ?? "")
    line.add("uid", conflict.uid)
    let item = try reader.items(uid: conflict.uid, in: calendar).first { $0.detachment == nil }
    line.add("item", item?.id.rawValue)
    line.add(conflict)
    line.add("found", firingLines.text(conflict.found))
    return line
  }
}
