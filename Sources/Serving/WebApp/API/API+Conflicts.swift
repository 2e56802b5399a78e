import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostSynchronizer
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
    Route(
      "POST", "/conflicts/{number}/restore", .write, needsAllLists: true,
      "Put the value that was not kept in place of the kept one, here and on the server"
    ) { app, call in
      let (number, now) = (Int64(call["number"]), app.clock())
      let conflicts = try app.store.read { reader in
        try reader.syncAccounts().flatMap { try reader.syncConflicts(of: $0.number) }
      }
      guard let (calendar, conflict) = conflicts.first(where: { $0.conflict.number == number }) else {
        throw APIError.notFound("no conflict '\(call["number"])'")
      }
      try app.change(.edit, conflict.title) { writer in
        do {
          try ConflictRestorer(at: now).restore(conflict, in: calendar, with: writer)
        } catch let failure as SyncFailure {
          throw APIError.conflict(failure.description)
        }
      }
      return HTTPResponse(status: 204)
    },
  ]

  /// Of each account; the store keeps more.
  private static let maximumConflicts = 200
}
