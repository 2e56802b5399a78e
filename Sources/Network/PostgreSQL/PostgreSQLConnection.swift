import CFencepostPostgreSQL
import FencepostSystem
import Glibc

/// What a query returned, as texts.
package struct PostgreSQLTable: Hashable, Sendable {
  /// The names of the columns, and the numbers of their types.
  package var columns: [(name: String, type: UInt32)] { zip(names, types).map { ($0, $1) } }
  var names: [String] = []
  var types: [UInt32] = []
  /// The values; `nil` for NULL.
  package var rows: [[String?]] = []
}

/// A connection to a PostgreSQL server, over libpq, that only reads. It does not reconnect: its owner makes a
/// new one, and so knows that something may have changed meanwhile. Confined to one thread.
package final class PostgreSQLConnection {
  private let library: PostgreSQLLibrary
  private let connection: OpaquePointer
  /// Ends each wait when it is readable.
  private let interrupter: Int32
  /// How long to wait for a connection, and for an answer.
  private static let patience = (connection: Duration.seconds(10), answer: Duration.seconds(120))

  /// Whether libpq is installed.
  package static var isAvailable: Bool { (try? PostgreSQLLibrary.shared.get()) != nil }

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: The database.
  ///   - interrupter: A descriptor that ends each wait when it is readable; -1 for none.
  package init(_ address: PostgreSQLAddress, interruptedBy interrupter: Int32 = -1) throws(PostgreSQLFailure)
  {
    let library = try PostgreSQLLibrary.shared.get()
    // What stands before the address is a default, and what stands after it counts in any case.
    let settings = [
      ("fallback_application_name", "fencepost"), ("keepalives_idle", "30"), ("keepalives_interval", "10"),
      ("dbname", address.uri), ("client_encoding", "UTF8"),
    ]
    let started = Self.withTexts(settings.map(\.0)) { names in
      Self.withTexts(settings.map(\.1)) { values in library.start(names, values, 1) }
    }
    guard let started else { throw PostgreSQLFailure("out of memory") }
    self.library = library
    self.interrupter = interrupter
    connection = started
    // Notices of the server, which libpq would print.
    _ = library.setNoticeProcessor(connection, { _, _ in }, nil)
    try connect(address)
    _ = try query("SET default_transaction_read_only = on")
  }

  deinit { library.finish(connection) }

  private func connect(_ address: PostgreSQLAddress) throws(PostgreSQLFailure) {
    let deadline = ContinuousClock.now + Self.patience.connection
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      guard library.status(connection) != CONNECTION_BAD, state != PGRES_POLLING_FAILED else {
        throw PostgreSQLFailure(lost: "can't connect to \(address): \(connectionMessage)")
      }
      let events = state == PGRES_POLLING_READING ? Readiness.readable : .writable
      try wait(events, until: deadline, for: "a connection to \(address)")
      state = library.poll(connection)
    }
  }

  /// Runs a command, and returns what its last statement returns.
  package func query(_ command: String) throws(PostgreSQLFailure) -> PostgreSQLTable {
    guard library.send(connection, command) == 1 else { throw lost() }
    let deadline = ContinuousClock.now + Self.patience.answer
    var table = PostgreSQLTable()
    var failure: PostgreSQLFailure?
    while true {
      while library.isBusy(connection) == 1 {
        try wait(.readable, until: deadline, for: "the database's answer")
        guard library.consume(connection) == 1 else { throw lost() }
      }
      guard let result = library.result(connection) else { break }
      defer { library.clear(result) }
      switch library.resultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: table = read(result)
      default: failure = failure ?? self.failure(of: result)
      }
    }
    if let failure { throw failure }
    return table
  }

  /// Listens to a channel from now on.
  package func listen(to channel: String) throws(PostgreSQLFailure) {
    _ = try query("LISTEN \(quoted(channel))")
  }

  /// Waits for notifications, and takes them.
  ///
  /// - Returns: Whether one came before `deadline`.
  /// - Throws: If the connection is lost, or the interrupter is readable.
  package func waitForNotification(until deadline: ContinuousClock.Instant?) throws(PostgreSQLFailure) -> Bool
  {
    while true {
      guard library.consume(connection) == 1 else { throw lost() }
      var count = 0
      while let notification = library.notification(connection) {
        library.free(notification)
        count += 1
      }
      if count > 0 { return true }
      switch Readiness.wait(for: library.socket(connection), until: deadline, interruptedBy: interrupter) {
      case .ready: continue
      case .timedOut: return false
      case .interrupted: throw .interrupted
      }
    }
  }

  /// A name for SQL: `"a name"`.
  package func quoted(_ name: String) throws(PostgreSQLFailure) -> String {
    guard let text = library.quote(connection, name, name.utf8.count) else {
      throw PostgreSQLFailure("'\(name)' can't be a name in the database")
    }
    defer { library.free(text) }
    return String(cString: text)
  }

  private func wait(
    _ events: Readiness, until deadline: ContinuousClock.Instant, for what: String
  ) throws(PostgreSQLFailure) {
    switch Readiness.wait(
      for: library.socket(connection), events, until: deadline, interruptedBy: interrupter)
    {
    case .ready: return
    case .timedOut: throw PostgreSQLFailure(lost: "waited too long for \(what)")
    case .interrupted: throw .interrupted
    }
  }

  private func read(_ result: OpaquePointer) -> PostgreSQLTable {
    var table = PostgreSQLTable()
    let columns = 0..<library.columns(result)
    table.names = columns.map { library.columnName(result, $0).map { String(cString: $0) } ?? "" }
    table.types = columns.map { library.columnType(result, $0) }
    table.rows = (0..<library.rows(result)).map { row in
      columns.map { column in
        guard library.isNull(result, row, column) == 0 else { return nil }
        return library.value(result, row, column).map { String(cString: $0) }
      }
    }
    return table
  }

  private func failure(of result: OpaquePointer) -> PostgreSQLFailure {
    guard library.status(connection) != CONNECTION_BAD else { return lost() }
    // PG_DIAG_MESSAGE_PRIMARY and PG_DIAG_MESSAGE_HINT.
    let parts = ["M", "H"].compactMap { (code: Unicode.Scalar) in
      library.resultField(result, Int32(code.value)).map { Self.line(String(cString: $0)) }
    }
    guard let message = parts.first else { return PostgreSQLFailure(connectionMessage) }
    return PostgreSQLFailure(parts.count > 1 ? "\(message); hint: \(parts[1])" : message)
  }

  private func lost() -> PostgreSQLFailure {
    PostgreSQLFailure(lost: "the connection to the database is lost: \(connectionMessage)")
  }

  private var connectionMessage: String {
    library.errorMessage(connection).map { Self.line(String(cString: $0)) } ?? "no reason is known"
  }

  /// A text in one line, and its lines as sentences.
  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }.joined(separator: ". ")
  }

  /// Calls `body` with texts for C, and NULL after them.
  private static func withTexts<Result>(
    _ texts: [String], _ body: (UnsafePointer<PostgreSQLLibrary.Text?>) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
    return body(pointers)
  }
}
