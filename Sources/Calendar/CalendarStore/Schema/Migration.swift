import FencepostDatabase

/// A step from one schema to the next.
///
/// Migrations are only added at the end, and a released one never changes, so that each means the same for
/// every store. A store's `user_version` is the number of its migrations.
struct Migration: Sendable {
  /// Its name in the table `migrations`, for people who inspect a store.
  let name: String
  /// Its statements. All due migrations run in one transaction.
  let steps: [String]

  /// All migrations, oldest first.
  static let all = [
    Migration(name: "calendar", steps: Schema.calendar),
    // A month's window looks for changed occurrences of each series, and few have any.
    Migration(
      name: "detached occurrences",
      steps: ["CREATE INDEX items_detached ON items (uid) WHERE detached_occurrence IS NOT NULL"]),
    Migration(name: "positions", steps: [Schema.positions]),
    Migration(name: "places-and-undo", steps: Schema.placesAndUndo),
    Migration(name: "subscriptions", steps: [Schema.subscriptions]),
    // An import looks for one occurrence of a series, which may have very many.
    Migration(
      name: "copies",
      steps: [
        "DROP INDEX items_detached",
        """
        CREATE INDEX items_detached ON items (uid, detached_occurrence)
        WHERE detached_occurrence IS NOT NULL
        """,
      ]),
    Migration(name: "timed-events", steps: Schema.timedEvents),
    Migration(name: "keys-and-numbers", steps: Schema.keysAndNumbers),
    // The possible times of a crossing that happened between distant positions.
    Migration(
      name: "crossings-in-gaps",
      steps: ["earliest_at", "latest_at"].map { "ALTER TABLE firings ADD COLUMN \($0) INTEGER" }),
    Migration(name: "implied-alarms", steps: Schema.impliedAlarms),
    Migration(name: "preserved-components", steps: [Schema.preservedComponents]),
    Migration(name: "spatial-triggers", steps: Schema.spatialTriggers),
    Migration(name: "zone-texts", steps: [Schema.zoneTexts]),
    Migration(name: "bulk-changes", steps: [Schema.bulkChanges]),
    // A command looks for the subtasks of each subtask.
    Migration(
      name: "subtasks",
      steps: ["CREATE INDEX items_parent ON items (parent_uid) WHERE parent_uid IS NOT NULL"]),
    // The evidence of a crossing, and alarms for passing by.
    Migration(
      name: "sources-and-passing",
      steps: [
        "ALTER TABLE firings ADD COLUMN source TEXT",
        "ALTER TABLE alarms ADD COLUMN includes_passing INTEGER",
      ]),
    Migration(name: "received-items", steps: [Schema.receivedItems]),
    Migration(name: "clients", steps: [Schema.clients]),
    Migration(name: "suggestions", steps: Schema.suggestions),
    Migration(name: "synchronization", steps: Schema.synchronization),
    Migration(name: "donations", steps: Schema.donations),
    Migration(name: "push-subscriptions", steps: Schema.pushSubscriptions),
    Migration(name: "conferences", steps: ["ALTER TABLE firings ADD COLUMN item_conference TEXT"]),
    Migration(name: "calendar-objects", steps: [Schema.calendarObjects]),
    Migration(name: "sync-removals", steps: [Schema.syncRemovals]),
    Migration(name: "departed-names", steps: Schema.departedNames),
    Migration(name: "change-subscriptions", steps: [Schema.changeSubscriptions]),
    Migration(name: "unique-due-times", steps: Schema.uniqueDueTimes),
    Migration(name: "sync-pushes", steps: [Schema.syncPushes]),
    Migration(name: "sync-states", steps: [Schema.syncStates]),
    // The key by which a server signs what it pushes, and the version that an upload replaces.
    Migration(
      name: "sync-keys-and-tags",
      steps: [
        "ALTER TABLE sync_registrations ADD COLUMN sender_key BLOB",
        "ALTER TABLE sync_objects ADD COLUMN replaced_tag TEXT",
      ]),
    Migration(name: "dropped-undo-steps", steps: [Schema.droppedUndoSteps]),
    Migration(name: "places-in-bulk", steps: [Schema.placesInBulk]),
    // Objects without bytes are few, and the others' bytes are many.
    Migration(
      name: "bare-objects",
      steps: ["CREATE INDEX calendar_objects_bare ON calendar_objects (calendar, uid) WHERE text IS NULL"]),
    Migration(name: "image-triggers", steps: Schema.imageTriggers),
    // What WebDAV clients stored beside calendars.
    Migration(
      name: "no-client-files",
      steps: ["DROP TABLE IF EXISTS client_files", "DROP TABLE IF EXISTS client_file_properties"]),
  ]

  /// The `application_id` of Fencepost's files: "FncP". file(1) and SQLite's own tools show it.
  static let applicationID = 0x466E_6350
}

extension SQLiteConnection {
  /// The kind of a file, by its header.
  enum Kind {
    case empty
    case store(version: Int)
  }

  /// Identifies the file without changing it.
  ///
  /// - Throws: ``StoreError`` for a file that is not a store, and for a store of a later version.
  func identify() throws(StoreError) -> Kind {
    let application = try integer(Queries.application)
    let version = try integer(Queries.version)
    guard application == Migration.applicationID else {
      let tables = try integer(Queries.tables)
      guard application == 0, version == 0, tables == 0 else {
        throw StoreError(path: path, reason: .notAStore)
      }
      return .empty
    }
    guard version <= Migration.all.count else {
      throw StoreError(path: path, reason: .fromTheFuture(version: version))
    }
    return .store(version: version)
  }

  /// Migrates the schema: runs all due migrations in one transaction, so that a store never stays between two
  /// versions.
  ///
  /// Foreign keys are off meanwhile, as SQLite's procedure for altering tables requires; they are checked
  /// before the commit.
  ///
  /// - Parameter version: The target version, for tests of earlier ones.
  func migrate(to version: Int = Migration.all.count) throws(StoreError) {
    try execute("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE")
    do throws(StoreError) {
      // Check again under the lock: another process may have been faster.
      let done = if case .store(let version) = try identify() { version } else { 0 }
      for migration in Migration.all[done..<max(done, version)] {
        for step in migration.steps { try execute(step) }
        try run(Queries.note) { $0.add(migration.name) }
      }
      if done < version {
        if version == Migration.all.count { try fillImages() }
        if let table = try first(Queries.checkReferences, read: { $0.text() }) {
          throw StoreError(path: path, reason: .corrupt("a row of \(table) refers to one that is missing"))
        }
        try execute(
          "PRAGMA application_id = \(Migration.applicationID); PRAGMA user_version = \(version)")
      }
      try execute("COMMIT; PRAGMA foreign_keys = ON")
    } catch {
      if isInTransaction { try? execute("ROLLBACK") }
      throw error
    }
  }

  private func integer(_ query: SQL) throws(StoreError) -> Int { try first(query) { $0.int() } ?? 0 }
}

private enum Queries {
  static let application = SQL("PRAGMA application_id")
  static let version = SQL("PRAGMA user_version")
  static let tables = SQL("SELECT count(*) FROM sqlite_schema")
  static let note = SQL("INSERT INTO migrations (name) VALUES (?)")
  static let checkReferences = SQL("PRAGMA foreign_key_check")
}
