internal import FencepostCalendarModel
internal import FencepostDatabase

extension StoreWriter {
  /// Undoes the last run of a command that is not undone.
  ///
  /// Removes its additions, reverts its changes, and restores the items that it removed, with the numbers of
  /// their alarms. Only commands on a store with an ``UndoLabel`` can be undone; changes of apps or the
  /// daemon stay.
  ///
  /// - Parameter run: The ``UndoLabel/run`` to undo; nothing is undone if it is not the last. `nil` for the
  ///   last run.
  /// - Returns: The undone run, and the effects on its items and lists.
  /// - Throws: ``UndoError`` if nothing can be undone; nothing is changed then.
  public func undo(_ run: String? = nil) throws -> (step: UndoLabel, effects: [UndoEffect]) {
    try flip(try reader.steps(undone: false), of: run, otherwise: .nothingToUndo)
  }

  /// Redoes the last undone run.
  ///
  /// - Throws: ``UndoError``, as for ``undo(_:)``.
  public func redo(_ run: String? = nil) throws -> (step: UndoLabel, effects: [UndoEffect]) {
    try flip(try reader.steps(undone: true), of: run, otherwise: .nothingToRedo)
  }

  private func flip(
    _ steps: [UndoStepRow], of run: String?, otherwise error: UndoError
  ) throws -> (step: UndoLabel, effects: [UndoEffect]) {
    guard let label = steps.first?.label else { throw error }
    guard run == nil || run == label.run else { throw UndoError.notNext(label.command) }
    return (label, try flip(steps))
  }

  /// Undoes done steps, or redoes undone ones.
  private func flip(_ steps: [UndoStepRow]) throws -> [UndoEffect] {
    let before = try UndoSnapshot(of: steps, in: reader)
    let keepsAdditions = try reader.keepsAdditions(of: steps)
    for step in steps { try flip(step, keepsAdditions: keepsAdditions) }
    return try before.effects(in: reader)
  }

  func flip(_ step: UndoStepRow, keepsAdditions: Bool) throws {
    let label = step.label.command
    try reader.check(step)
    let inUse = try connection.all(Queries.listsInUse) {
      $0.add(step.changes)
      $0.add(step.changes)
    } read: { row in
      (id: row.identifier() as Identifier<ItemCalendar>, title: row.text())
    }
    let first = try reader.lastChange() + 1
    let touched = try reader.touched(step)
    var existed: Set<UndoSubject> = []
    for one in touched where try reader.title(one) != nil { existed.insert(one) }

    let recorder = try ChangeRecorder(connection)
    let changeset = try connection.first(Queries.changeset, { $0.add(step.row) }, read: { $0.bytes() }) ?? []
    // The rows of objects are in the changeset, so triggers must not change them too.
    try connection.run(Queries.begin)
    // A subscription records each refresh; that must not prevent its removal. Old firings are removed, and
    // answered once more.
    // A reply that waits is taken back; one that went out stays.
    guard
      try connection.revert(changeset, always: ["subscriptions", "firings"], keepingChanged: ["replies"])
    else {
      throw UndoError.changedSince(label, what: [])
    }
    for list in inUse where try reader.calendar(list.id) == nil {
      throw UndoError.inUse(label, list: list.title)
    }
    let additions = try step.omitsAdditions ? reader.additionCount(step) : 0
    let isKept = additions == 0 || keepsAdditions
    if additions > 0 {
      recorder.isPaused = !isKept
      try connection.run(Queries.removeAdditions) { $0.add(step.changes) }
    }
    try connection.run(Queries.end)
    for one in touched {
      switch (existed.contains(one), try reader.title(one) != nil) {
      case (true, true): try log(.updated, one.entity, one.id)
      case (true, false): try log(.removed, one.entity, one.id)
      case (false, true): try log(.inserted, one.entity, one.id)
      case (false, false): break
      }
    }
    try connection.fillImages(of: touched.filter { $0.entity == .item }.map(\.id))
    // A calendar brings back its items, which the log does not name.
    if touched.contains(where: { $0.entity == .calendar || $0.entity == .source }) {
      try connection.fillImages()
    }
    if try reader.lastChange() < first { try logInbox() }
    let last = try reader.lastChange()
    let recorded = try isKept ? recorder.changeset(atMost: UndoLimits.stepBytes) : nil
    try connection.run(Queries.flip) {
      $0.add(!step.isUndone)
      $0.add(first)
      $0.add(last)
      $0.add(recorded)
      $0.add(step.row)
    }
    try connection.run(Queries.addTransaction) { $0.add(transactionNumber) }
  }
}

extension StoreReader {
  /// Whether undo keeps the additions of the steps for redo. Large additions are not kept: they would take
  /// too much memory, and can be imported again.
  func keepsAdditions(of steps: [UndoStepRow]) throws(StoreError) -> Bool {
    var additions = 0
    for step in steps where step.omitsAdditions { additions += try additionCount(step) }
    return additions <= UndoLimits.additions
  }

  func additionCount(_ step: UndoStepRow) throws(StoreError) -> Int {
    try connection.first(Queries.additions, { $0.add(step.changes) }, read: { $0.int() }) ?? 0
  }

  /// Checks that a step was recorded, and that nothing has changed its results since.
  func check(_ step: UndoStepRow) throws {
    let label = step.label.command
    guard step.isKept else { throw step.isUndone ? UndoError.notKept(label) : .tooLarge(label) }
    let logged = try connection.first(Queries.logged, { $0.add(step.changes) }, read: { $0.int64() })
    guard logged == Int64(step.changes.count) else { throw UndoError.changedSince(label, what: []) }
    let foreign = try connection.all(Queries.foreign) {
      $0.add(step.changes.upperBound)
      $0.add(step.changes)
    } read: { row in
      UndoSubject(entity: row.value(or: .item), id: row.text())
    }
    guard foreign.isEmpty else {
      var titles: [String] = []
      for one in foreign { titles.append(try title(one) ?? one.id) }
      throw UndoError.changedSince(label, what: titles)
    }
  }
}

private enum Queries {
  /// Entity 1 is a list, 2 is an item; kind 0 is an addition.
  static let listsInUse = SQL(
    """
    SELECT DISTINCT c.id, c.title FROM calendars c JOIN items i ON i.calendar = c.row
    WHERE c.id IN (SELECT id FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 1 AND kind = 0)
      AND i.id NOT IN (SELECT id FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 2)
    """)
  static let begin = SQL("INSERT INTO running_undo DEFAULT VALUES")
  static let end = SQL("DELETE FROM running_undo")
  static let changeset = SQL("SELECT changeset FROM undo_steps WHERE row = ?")
  static let additions = SQL(
    "SELECT count(*) FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 2 AND kind = 0")
  static let removeAdditions = SQL(
    """
    DELETE FROM items
    WHERE id IN (SELECT id FROM changes WHERE sequence BETWEEN ? AND ? AND entity = 2 AND kind = 0)
    """)
  static let flip = SQL(
    """
    UPDATE undo_steps SET is_undone = ?, first_change = ?, last_change = ?, changeset = ?, omits_additions = FALSE
    WHERE row = ?
    """)
  static let addTransaction = SQL("INSERT OR IGNORE INTO undo_transactions VALUES (?)")
  static let logged = SQL("SELECT count(*) FROM changes WHERE sequence BETWEEN ? AND ?")
  static let foreign = SQL(
    """
    SELECT DISTINCT later.entity, later.id FROM changes later
    WHERE later.sequence > ? AND later.transaction_number NOT IN (SELECT number FROM undo_transactions)
      AND (later.entity, later.id) IN (SELECT entity, id FROM changes WHERE sequence BETWEEN ? AND ?)
    LIMIT 3
    """)
}
