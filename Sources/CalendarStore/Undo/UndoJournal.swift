import CalendarModel

/// How much of the past is kept to be undone.
enum UndoLimits {
  /// So many runs of commands.
  static let runs = 100
  /// So many bytes for one transaction. A step that needs more can't be undone.
  static let stepBytes = 64 << 20
  /// So many bytes in all; the oldest runs make way.
  static let bytes = 128 << 20
}

extension StoreReader {
  /// The runs of commands that are in the journal, the latest first: those that can be done again, and then those
  /// that can be undone.
  public func undoSteps(limit: Int = 100) throws(StoreError) -> [UndoStep] {
    var runs: [UndoStep] = []
    let rows = try connection.all(Queries.steps) { StepRow(&$0) }
    for row in rows {
      if runs.last?.label.run != row.label.run {
        guard runs.count < limit else { break }
        runs.append(UndoStep(label: row.label, isUndone: row.isUndone, isTooLarge: false))
      }
      guard var run = runs.popLast() else { continue }
      run.isTooLarge = run.isTooLarge || !row.isKept
      for (kind, count) in try itemCounts(row) {
        switch kind {
        case .inserted: run.added += count
        case .updated: run.changed += count
        case .removed: run.removed += count
        }
      }
      runs.append(run)
    }
    return runs
  }

  /// How many items a step added, changed and removed; of a step that was undone, what it did at first.
  private func itemCounts(_ row: StepRow) throws(StoreError) -> [(StoreChange.Kind, Int)] {
    let counts = try connection.all(Queries.counts, { $0.add(row.changes) }) { reader in
      (reader.value(or: .updated) as StoreChange.Kind, reader.int())
    }
    guard row.isUndone else { return counts }
    return counts.map { ($0 == .updated ? .updated : $0 == .inserted ? .removed : .inserted, $1) }
  }

  /// The steps of the run that comes next: the last one that was not undone, or the first one that was.
  fileprivate func steps(undone: Bool) throws(StoreError) -> [StepRow] {
    let rows = try connection.all(undone ? Queries.undoneSteps : Queries.doneSteps) { StepRow(&$0) }
    return Array(rows.prefix { $0.label.run == rows.first?.label.run })
  }

  /// What a step touched, each once.
  fileprivate func touched(_ step: StepRow) throws(StoreError) -> [Touched] {
    try connection.all(Queries.touched, { $0.add(step.changes) }) { row in
      Touched(entity: row.value(or: .item), id: row.text())
    }
  }

  /// The title of something, or `nil` where it is not there.
  fileprivate func title(_ touched: Touched) throws(StoreError) -> String? {
    let sql: SQL
    switch touched.entity {
    case .item: sql = Queries.itemTitle
    case .calendar: sql = Queries.calendarTitle
    case .source: sql = Queries.sourceTitle
    case .place: sql = Queries.placeTitle
    case .setting: sql = Queries.settingTitle
    case .timeZone: sql = Queries.zoneTitle
    case .access: sql = Queries.accessTitle
    }
    return try connection.first(sql, { $0.add(touched.id) }, read: { $0.text() })
  }
}

extension StoreWriter {
  /// Undoes the last run of a command that was not undone.
  ///
  /// What it added goes, what it changed is as it was, and what it removed is there again, with the numbers that
  /// its alarms had. Only commands over a store with an ``UndoLabel`` can be undone; what an app or the daemon
  /// changed stays.
  ///
  /// - Returns: What was undone, and what became of the items and lists that it touched.
  /// - Throws: ``UndoError`` where nothing can be undone; then nothing was changed.
  public func undo() throws -> (step: UndoLabel, effects: [UndoEffect]) {
    let steps = try reader.steps(undone: false)
    guard let label = steps.first?.label else { throw UndoError.nothingToUndo }
    return (label, try flip(steps))
  }

  /// Does again what was undone last.
  ///
  /// - Throws: ``UndoError``, as for ``undo()``.
  public func redo() throws -> (step: UndoLabel, effects: [UndoEffect]) {
    let steps = try reader.steps(undone: true)
    guard let label = steps.first?.label else { throw UndoError.nothingToRedo }
    return (label, try flip(steps))
  }

  /// Adds what was recorded to the journal, which what was undone and not done again then leaves.
  func keep(_ recorder: ChangeRecorder, as label: UndoLabel) throws(StoreError) {
    let last = try reader.lastChange()
    guard last >= transactionNumber else { return }
    let changeset = try recorder.changeset(atMost: UndoLimits.stepBytes)
    try connection.run(Queries.dropUndone)
    try connection.run(Queries.add) {
      $0.add(label.run)
      $0.add(label.command)
      $0.add(label.time)
      $0.add(transactionNumber)
      $0.add(last)
      $0.add(changeset)
    }
    try connection.run(Queries.addTransaction) { $0.add(transactionNumber) }
    try trimJournal()
  }

  private func trimJournal() throws(StoreError) {
    let sizes = try connection.all(Queries.sizes) { (row: $0.int64(), run: $0.text(), bytes: $0.int()) }
    var runs: Set<String> = []
    var bytes = 0
    for (row, run, size) in sizes {
      runs.insert(run)
      bytes += size
      // The latest is kept even where it alone is too much.
      guard runs.count > UndoLimits.runs || (bytes > UndoLimits.bytes && runs.count > 1) else { continue }
      try connection.run(Queries.drop) { $0.add(row) }
      break
    }
    try connection.run(Queries.dropTransactions)
  }

  /// Undoes steps that were done, or does again steps that were undone.
  private func flip(_ steps: [StepRow]) throws -> [UndoEffect] {
    var titled: [Touched: String] = [:]
    let lists = (calendars: try reader.calendars(), sources: try reader.sources())
    var existed: Set<Touched> = []
    var order: [Touched] = []
    for step in steps {
      for one in try reader.touched(step) where titled[one] == nil && !existed.contains(one) {
        order.append(one)
        guard let title = try reader.title(one) else { continue }
        titled[one] = title
        existed.insert(one)
      }
    }
    for step in steps { try flip(step) }
    var effects: [UndoEffect] = []
    var seen: Set<Touched> = []
    for one in order where seen.insert(one).inserted {
      let title = try reader.title(one)
      guard title != nil || existed.contains(one) else { continue }
      // The first items of a store bring lists with them, which stay.
      switch one.entity {
      case .calendar:
        let id = Identifier<ItemCalendar>(rawValue: one.id)
        if try reader.calendar(id) == lists.calendars.first(where: { $0.id == id }) { continue }
      case .source:
        let id = Identifier<Source>(rawValue: one.id)
        if try reader.source(id) == lists.sources.first(where: { $0.id == id }) { continue }
      default: break
      }
      let kind: StoreChange.Kind =
        title == nil ? .removed : existed.contains(one) ? .updated : .inserted
      effects.append(
        UndoEffect(entity: one.entity, id: one.id, kind: kind, title: title ?? titled[one] ?? one.id))
    }
    return effects
  }

  private func flip(_ step: StepRow) throws {
    let label = step.label.command
    guard step.isKept else { throw UndoError.tooLarge(label) }
    try check(step)
    let inUse = try connection.all(Queries.listsInUse) {
      $0.add(step.changes)
      $0.add(step.changes)
    } read: { row in
      (id: row.identifier() as Identifier<ItemCalendar>, title: row.text())
    }
    let first = try reader.lastChange() + 1
    let touched = try reader.touched(step)
    var existed: Set<Touched> = []
    for one in touched where try reader.title(one) != nil { existed.insert(one) }

    let recorder = try ChangeRecorder(connection)
    let changeset = try connection.first(Queries.changeset, { $0.add(step.row) }, read: { $0.bytes() }) ?? []
    guard try connection.revert(changeset) else { throw UndoError.changedSince(label, what: []) }
    for list in inUse where try reader.calendar(list.id) == nil {
      throw UndoError.inUse(label, list: list.title)
    }
    if step.omitsAdditions {
      try connection.run(Queries.removeAdditions) { $0.add(step.changes) }
    }
    for one in touched {
      switch (existed.contains(one), try reader.title(one) != nil) {
      case (true, true): try log(.updated, one.entity, one.id)
      case (true, false): try log(.removed, one.entity, one.id)
      case (false, true): try log(.inserted, one.entity, one.id)
      case (false, false): break
      }
    }
    let last = try reader.lastChange()
    let recorded = try recorder.changeset(atMost: UndoLimits.stepBytes)
    try connection.run(Queries.flip) {
      $0.add(!step.isUndone)
      $0.add(first)
      $0.add(last)
      $0.add(recorded)
      $0.add(step.row)
    }
    try connection.run(Queries.addTransaction) { $0.add(transactionNumber) }
  }

  /// Makes sure that what a step touched is as it left it.
  private func check(_ step: StepRow) throws {
    let kept = try connection.first(Queries.logged, { $0.add(step.changes) }, read: { $0.int64() })
    guard kept == Int64(step.changes.count) else {
      throw UndoError.changedSince(step.label.command, what: [])
    }
    let foreign = try connection.all(Queries.foreign) {
      $0.add(step.changes.upperBound)
      $0.add(step.changes)
    } read: { row in
      Touched(entity: row.value(or: .item), id: row.text())
    }
    guard foreign.isEmpty else {
      var titles: [String] = []
      for one in foreign { titles.append(try reader.title(one) ?? one.id) }
      throw UndoError.changedSince(step.label.command, what: titles)
    }
  }
}

/// Something that a step touched.
private struct Touched: Hashable {
  var entity: StoreChange.Entity
  var id: String
}

/// A row of `undo_steps`, without what it keeps.
private struct StepRow {
  var row: Int64
  var label: UndoLabel
  var isUndone: Bool
  /// Its part of the log of changes.
  var changes: ClosedRange<Int64>
  var isKept: Bool
  var omitsAdditions: Bool

  static let columns =
    "row, run, label, made_at, is_undone, first_change, last_change, changeset IS NOT NULL, omits_additions"

  init(_ reader: inout RowReader) {
    row = reader.int64()
    label = UndoLabel(run: reader.text(), command: reader.text(), time: reader.instant())
    isUndone = reader.bool()
    let (first, last) = (reader.int64(), reader.int64())
    changes = first...max(first, last)
    isKept = reader.bool()
    omitsAdditions = reader.bool()
  }
}

extension UndoLabel {
  fileprivate init(run: String, command: String, time: Instant) {
    self.run = run
    self.command = command
    self.time = time
  }
}

extension Binder {
  /// The ends of a part of the log.
  fileprivate mutating func add(_ changes: ClosedRange<Int64>) {
    add(changes.lowerBound)
    add(changes.upperBound)
  }
}

private enum Queries {
  private static let step = "SELECT \(StepRow.columns) FROM undo_steps "
  static let steps = SQL(step + "ORDER BY row DESC")
  static let doneSteps = SQL(step + "WHERE NOT is_undone ORDER BY row DESC")
  static let undoneSteps = SQL(step + "WHERE is_undone ORDER BY row")

  static let add = SQL(
    """
    INSERT INTO undo_steps
      (run, label, made_at, is_undone, first_change, last_change, changeset, omits_additions)
    VALUES (?, ?, ?, FALSE, ?, ?, ?, TRUE)
    """)
  static let flip = SQL(
    """
    UPDATE undo_steps SET is_undone = ?, first_change = ?, last_change = ?, changeset = ?, omits_additions = FALSE
    WHERE row = ?
    """)
  static let changeset = SQL("SELECT changeset FROM undo_steps WHERE row = ?")
  static let dropUndone = SQL("DELETE FROM undo_steps WHERE is_undone")
  static let sizes = SQL(
    "SELECT row, run, coalesce(length(changeset), 0) FROM undo_steps ORDER BY row DESC")
  static let drop = SQL("DELETE FROM undo_steps WHERE row <= ?")

  static let addTransaction = SQL("INSERT OR IGNORE INTO undo_transactions VALUES (?)")
  static let dropTransactions = SQL(
    """
    DELETE FROM undo_transactions WHERE number < (SELECT min(first_change) FROM undo_steps)
    """)

  // The log.
  static let counts = SQL(
    """
    SELECT kind, count(DISTINCT id) FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 2 GROUP BY kind
    """)
  static let logged = SQL("SELECT count(*) FROM changes WHERE sequence BETWEEN ? AND ?")
  static let touched = SQL(
    """
    SELECT entity, id FROM changes WHERE sequence BETWEEN ? AND ? GROUP BY entity, id ORDER BY min(sequence)
    """)
  static let foreign = SQL(
    """
    SELECT DISTINCT later.entity, later.id FROM changes later
    WHERE later.sequence > ? AND later.transaction_number NOT IN (SELECT number FROM undo_transactions)
      AND (later.entity, later.id) IN (SELECT entity, id FROM changes WHERE sequence BETWEEN ? AND ?)
    LIMIT 3
    """)
  /// Entity 1 is a list, 2 an item; kind 0 is something that was added.
  static let listsInUse = SQL(
    """
    SELECT DISTINCT c.id, c.title FROM calendars c JOIN items i ON i.calendar = c.row
    WHERE c.id IN (SELECT id FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 1 AND kind = 0)
      AND i.id NOT IN (SELECT id FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 2)
    """)
  static let removeAdditions = SQL(
    """
    DELETE FROM items
    WHERE id IN (SELECT id FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 2 AND kind = 0)
    """)

  static let itemTitle = SQL("SELECT title FROM items WHERE id = ?")
  static let calendarTitle = SQL("SELECT title FROM calendars WHERE id = ?")
  static let sourceTitle = SQL("SELECT title FROM sources WHERE id = ?")
  static let placeTitle = SQL("SELECT title FROM named_places WHERE title = ?")
  static let settingTitle = SQL("SELECT key FROM settings WHERE key = ?")
  static let zoneTitle = SQL("SELECT id FROM time_zone_definitions WHERE id = ?")
  static let accessTitle = SQL("SELECT app FROM access_decisions WHERE app = ?")
}
