import CFencepostSQLite

/// Queries of a file that may come from anywhere: a view in it can be a program.
extension SQLiteConnection {
  /// Runs queries that end in time.
  ///
  /// - Parameters:
  ///   - time: How long all of them may take.
  ///   - bytes: The most bytes of a value.
  ///   - body: The queries.
  /// - Throws: ``StoreError`` if a query fails, or was interrupted because the time was over.
  public func guarded<Result>(
    time: Duration, bytes: Int, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    let deadline = Deadline(moment: .now + time)
    let length = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
    sqlite3_progress_handler(
      handle, 10_000,
      { context in
        context.map { Unmanaged<Deadline>.fromOpaque($0).takeUnretainedValue().isOver } == true ? 1 : 0
      }, Unmanaged.passUnretained(deadline).toOpaque())
    defer {
      sqlite3_progress_handler(handle, 0, nil, nil)
      sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, length)
    }
    return try withExtendedLifetime(deadline, body)
  }

  private final class Deadline {
    let moment: ContinuousClock.Instant
    init(moment: ContinuousClock.Instant) { self.moment = moment }
    var isOver: Bool { ContinuousClock.now > moment }
  }
}

extension StoreError {
  /// Whether a query was interrupted because its time was over.
  public var isInterruption: Bool { report.map { $0.code & 0xFF == SQLITE_INTERRUPT } ?? false }
}
