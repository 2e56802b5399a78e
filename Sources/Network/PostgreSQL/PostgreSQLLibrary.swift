import CFencepostPostgreSQL
import FencepostSystem

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
  static let shared = Result { () throws(DynamicLibrary.Failure) in try PostgreSQLLibrary() }
    .mapError { PostgreSQLFailure($0.description) }

  private init() throws(DynamicLibrary.Failure) {
    let library = try DynamicLibrary(
      "libpq", files: ["libpq.so.5"], for: "fences from PostgreSQL", package: "libpq5")
    start = try library.function("PQconnectStartParams")
    poll = try library.function("PQconnectPoll")
    finish = try library.function("PQfinish")
    status = try library.function("PQstatus")
    errorMessage = try library.function("PQerrorMessage")
    socket = try library.function("PQsocket")
    send = try library.function("PQsendQuery")
    consume = try library.function("PQconsumeInput")
    isBusy = try library.function("PQisBusy")
    result = try library.function("PQgetResult")
    notification = try library.function("PQnotifies")
    quote = try library.function("PQescapeIdentifier")
    free = try library.function("PQfreemem")
    resultStatus = try library.function("PQresultStatus")
    resultField = try library.function("PQresultErrorField")
    clear = try library.function("PQclear")
    rows = try library.function("PQntuples")
    columns = try library.function("PQnfields")
    columnName = try library.function("PQfname")
    columnType = try library.function("PQftype")
    isNull = try library.function("PQgetisnull")
    value = try library.function("PQgetvalue")
    setNoticeProcessor = try library.function("PQsetNoticeProcessor")
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
