import CFencepostPostgreSQL
import Glibc

/// The functions of libpq, loaded at the first use.
///
/// The program is not linked with libpq: only fences from a database need it, and everybody would have to
/// install it.
struct PostgreSQLLibrary: Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>

  let start: @convention(c) @Sendable (Texts, Texts, Int32) -> OpaquePointer?
  let poll: @convention(c) @Sendable (OpaquePointer) -> PostgresPollingStatusType
  let finish: @convention(c) @Sendable (OpaquePointer) -> Void
  let status: @convention(c) @Sendable (OpaquePointer) -> ConnStatusType
  let errorMessage: @convention(c) @Sendable (OpaquePointer) -> Text?
  let socket: @convention(c) @Sendable (OpaquePointer) -> Int32
  let send: @convention(c) @Sendable (OpaquePointer, Text) -> Int32
  let consume: @convention(c) @Sendable (OpaquePointer) -> Int32
  let isBusy: @convention(c) @Sendable (OpaquePointer) -> Int32
  let result: @convention(c) @Sendable (OpaquePointer) -> OpaquePointer?
  let notification: @convention(c) @Sendable (OpaquePointer) -> UnsafeMutablePointer<PGnotify>?
  let quote: @convention(c) @Sendable (OpaquePointer, Text, Int) -> UnsafeMutablePointer<CChar>?
  let free: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
  let resultStatus: @convention(c) @Sendable (OpaquePointer) -> ExecStatusType
  let resultField: @convention(c) @Sendable (OpaquePointer, Int32) -> Text?
  let clear: @convention(c) @Sendable (OpaquePointer) -> Void
  let rows: @convention(c) @Sendable (OpaquePointer) -> Int32
  let columns: @convention(c) @Sendable (OpaquePointer) -> Int32
  let columnName: @convention(c) @Sendable (OpaquePointer, Int32) -> Text?
  let columnType: @convention(c) @Sendable (OpaquePointer, Int32) -> UInt32
  let isNull: @convention(c) @Sendable (OpaquePointer, Int32, Int32) -> Int32
  let value: @convention(c) @Sendable (OpaquePointer, Int32, Int32) -> Text?
  let setNoticeProcessor:
    @convention(c) @Sendable (
      OpaquePointer, @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void, UnsafeMutableRawPointer?
    ) -> OpaquePointer?

  /// The library, or why it can't be used.
  static let shared = Result { () throws(PostgreSQLFailure) in try PostgreSQLLibrary() }

  private init() throws(PostgreSQLFailure) {
    guard let handle = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL) else {
      throw PostgreSQLFailure(
        "fences from PostgreSQL need the library libpq; install it: apt-get install libpq5")
    }
    func find<Function>(_ name: String) throws(PostgreSQLFailure) -> Function {
      guard let symbol = dlsym(handle, name) else {
        throw PostgreSQLFailure("libpq has no function \(name); install version 12 or later")
      }
      return unsafeBitCast(symbol, to: Function.self)
    }
    start = try find("PQconnectStartParams")
    poll = try find("PQconnectPoll")
    finish = try find("PQfinish")
    status = try find("PQstatus")
    errorMessage = try find("PQerrorMessage")
    socket = try find("PQsocket")
    send = try find("PQsendQuery")
    consume = try find("PQconsumeInput")
    isBusy = try find("PQisBusy")
    result = try find("PQgetResult")
    notification = try find("PQnotifies")
    quote = try find("PQescapeIdentifier")
    free = try find("PQfreemem")
    resultStatus = try find("PQresultStatus")
    resultField = try find("PQresultErrorField")
    clear = try find("PQclear")
    rows = try find("PQntuples")
    columns = try find("PQnfields")
    columnName = try find("PQfname")
    columnType = try find("PQftype")
    isNull = try find("PQgetisnull")
    value = try find("PQgetvalue")
    setNoticeProcessor = try find("PQsetNoticeProcessor")
  }
}

/// A database refused something, or can't be reached. Its description is one line.
package struct PostgreSQLFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// Whether the connection is lost, or there was none: it may work later.
  package var isLost = false
  /// Whether the caller's interrupter ended the wait.
  package var isInterrupted = false

  /// A failure in words.
  package init(_ description: String) { self.description = description }

  /// A failure of a connection.
  init(lost description: String) {
    self.init(description)
    isLost = true
  }

  static var interrupted: PostgreSQLFailure {
    var failure = PostgreSQLFailure("interrupted")
    failure.isInterrupted = true
    return failure
  }
}
