extension CalendarStore {
  /// Changes the store as ``write(_:)`` does, and takes it all back: what would come of `body`.
  ///
  /// Waits for other writers, and keeps them waiting, as a change does.
  ///
  /// - Throws: ``StoreError``, or what `body` throws.
  public func dryRun<Result>(_ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    var result: Result?
    do {
      try write { writer in
        result = try body(writer)
        throw Rollback()
      }
    } catch is Rollback {}
    guard let result else { throw StoreError(path: path, reason: .unexpected("a dry run returned nothing")) }
    return result
  }

  /// Ends a dry run.
  private struct Rollback: Error {}
}
