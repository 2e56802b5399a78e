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
      answer: .each("conflicts", .named("Conflict"))
    ) { app, _ in
      try app.store.read { reader in
        var found: [JSONLine] = []
        for account in try reader.syncAccounts() {
          for (calendar, conflict) in try reader.syncConflicts(of: account.number).prefix(
            WebApp.maximumConflicts)
          {
            found.append(try app.storeLines.object(conflict, in: calendar, reader))
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
}
