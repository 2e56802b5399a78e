import FencepostCalendarModel
import FencepostDatabase

extension CalendarStore {
  /// Undoes the last run of a command, as ``StoreWriter/undo()`` does, and lets others write in between.
  ///
  /// A large run is undone step by step, the latest first. If the process ends before that is complete, the
  /// run stays in the journal as partly undone (``UndoStep/isPartial``): the next call continues, and
  /// ``redo()`` reverts it.
  ///
  /// - Throws: ``UndoError`` if there is a conflict. Nothing is changed then, except if another program
  ///   causes the conflict after the check, and the undone steps can't be redone.
  public func undo() throws -> (step: UndoLabel, effects: [UndoEffect]) { try flip(undone: false) }

  /// Redoes the last undone run, as ``undo()`` undoes.
  public func redo() throws -> (step: UndoLabel, effects: [UndoEffect]) { try flip(undone: true) }

  /// Runs with more changes are undone in steps, as imports are.
  private static let maximumAtOnce = 300

  /// - Parameter progress: Called between the steps of a large run.
  func flip(
    undone: Bool, progress: () throws -> Void = {}
  ) throws -> (step: UndoLabel, effects: [UndoEffect]) {
    let steps = try read { try $0.steps(undone: undone) }
    let size = steps.reduce(0) { $0 + $1.changes.count }
    guard steps.count > 1, size > Self.maximumAtOnce, let label = steps.first?.label else {
      return try write(labelled: nil) { try undone ? $0.redo() : $0.undo() }
    }
    let (before, keepsAdditions) = try read { reader in
      // Find conflicts before any change.
      for step in steps { try reader.check(step) }
      if !undone, let list = try reader.listInUse(madeBy: label.run) {
        throw UndoError.inUse(label.command, list: list)
      }
      return (try UndoSnapshot(of: steps, in: reader), try reader.keepsAdditions(of: steps))
    }
    let pace = WritePace(self)
    func flip(_ row: Int64, was undone: Bool, isLast: Bool) throws {
      pace.rest()
      defer { pace.noteEnd() }
      // After a loss of power, the run is partly undone at worst. The last step saves all before it.
      try write(labelled: nil, isDurable: isLast) { writer in
        guard let step = try writer.reader.step(row), step.isUndone == undone else {
          throw UndoError.changedSince(label.command, what: [])
        }
        try writer.flip(step, keepsAdditions: keepsAdditions)
      }
    }
    var done: [Int64] = []
    do {
      for step in steps {
        try flip(step.row, was: undone, isLast: step.row == steps.last?.row)
        done.append(step.row)
        try progress()
      }
    } catch let error as UndoError {
      // If this fails too, the run stays partly undone.
      for row in done.reversed() { try? flip(row, was: !undone, isLast: row == done.first) }
      throw error
    }
    return (label, try read { try before.effects(in: $0) })
  }
}

extension StoreReader {
  /// A step of the journal; `nil` if it is gone.
  fileprivate func step(_ row: Int64) throws(StoreError) -> UndoStepRow? {
    try connection.first(Queries.step, { $0.add(row) }, read: { UndoStepRow(&$0) })
  }

  /// The title of a list that a run created and that now has items of others; `nil` without one.
  fileprivate func listInUse(madeBy run: String) throws(StoreError) -> String? {
    try connection.first(Queries.listInUse, { $0.add(run) }, read: { $0.text() })
  }
}

private enum Queries {
  static let step = SQL("SELECT \(UndoStepRow.columns) FROM \(UndoStepRow.kept) WHERE row = ?")
  /// Entity 1 is a list, 2 is an item; kind 0 is an addition.
  static let listInUse = SQL(
    """
    WITH own AS MATERIALIZED (
      SELECT c.id, c.entity, c.kind FROM undo_steps s
      JOIN changes c ON c.sequence BETWEEN s.first_change AND s.last_change
      WHERE s.run = ? AND NOT s.is_undone)
    SELECT c.title FROM calendars c JOIN items i ON i.calendar = c.row
    WHERE c.id IN (SELECT id FROM own WHERE entity = 1 AND kind = 0)
      AND i.id NOT IN (SELECT id FROM own WHERE entity = 2)
    LIMIT 1
    """)
}
