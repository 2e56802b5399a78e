import FencepostCalendarModel
package import FencepostCalendarStore
import FencepostPostgreSQL
package import FencepostSystem

/// Publishes the fences of a database, and again when they have changed.
///
/// Workers get them as messages of the log. If each read the database itself, two could judge the same
/// positions by different fences.
package final class FenceFollower {
  private let database: FenceDatabase
  private let log: Log
  private let publish: (CalendarStore) throws -> Void
  /// The fences that were published last.
  private var published: [CalendarItem]?
  /// What was wrong with other rows then.
  private var problems: [String] = []
  /// How long to wait for more changes before they are published together: after the last one, and in all.
  private static let pause = (last: Duration.milliseconds(200), all: Duration.seconds(2))

  /// A follower of `database`.
  ///
  /// - Parameters:
  ///   - database: The fences.
  ///   - log: Hears of rows that are no fences, and of a server that can't be reached.
  ///   - publish: Publishes the fences of a store as the next generation.
  package init(_ database: FenceDatabase, log: Log, publish: @escaping (CalendarStore) throws -> Void) {
    self.database = database
    self.log = log
    self.publish = publish
  }

  /// Publishes the fences as they are now.
  package func publishOnce(interruptedBy interrupter: Int32) throws {
    try publishChanges(over: PostgreSQLConnection(database.address, interruptedBy: interrupter))
  }

  /// Publishes the fences and their changes until `interrupter` is readable.
  ///
  /// - Throws: If the fences can't be used as they are at the start. Later, and if a server can't be reached, it
  ///   tries again.
  package func run(until interrupter: Int32) throws {
    var (failures, shown) = (0, "")
    while Readiness.now(interrupter).isEmpty {
      do {
        let connection = try PostgreSQLConnection(database.address, interruptedBy: interrupter)
        // First, so that no change is missed.
        try connection.listen(to: database.channel)
        while true {
          try publishChanges(over: connection)
          (failures, shown) = (0, "")
          _ = try connection.waitForNotification(until: nil)
          let end = ContinuousClock.now + Self.pause.all
          while try connection.waitForNotification(until: min(end, .now + Self.pause.last)), .now < end {}
        }
      } catch let error as PostgreSQLFailure where error.isInterrupted {
        return
      } catch {
        let isLost = (error as? PostgreSQLFailure)?.isLost ?? true
        guard published != nil || isLost else { throw error }
        failures += 1
        if "\(error)" != shown { log(.warning, "\(error); retrying") }
        shown = "\(error)"
        let pause = min(10_000, 250 << min(failures, 6))
        _ = Readiness.wait(for: interrupter, until: .now + .milliseconds(pause))
      }
    }
  }

  private func publishChanges(over connection: PostgreSQLConnection) throws {
    let table = try database.read(over: connection)
    if table.problems != problems {
      for problem in table.problems.prefix(10) { log(.warning, "left out: \(problem)") }
      if table.problems.count > 10 { log(.warning, "left out: \(table.problems.count - 10) more fences") }
      problems = table.problems
    }
    guard table.items != published else { return }
    try publish(try table.store())
    published = table.items
  }
}
