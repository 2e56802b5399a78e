public import FencepostCalendarModel
internal import FencepostDatabase

/// A thing that a step changed.
struct UndoSubject: Hashable {
  var entity: StoreChange.Entity
  var id: String
}

/// A row of `undo_steps`, without its recorded changes.
struct UndoStepRow {
  var row: Int64
  var label: UndoLabel
  var isUndone: Bool
  /// Its range in the log of changes.
  var changes: ClosedRange<Int64>
  var isKept: Bool
  var omitsAdditions: Bool

  static let columns = """
    row, \(UndoLabel.columns), is_undone, first_change, last_change, changeset IS NOT NULL, omits_additions
    """

  /// The steps without the dropped ones, whose rows may still be there.
  static let kept = "(SELECT * FROM undo_steps WHERE row NOT IN (SELECT step FROM dropped_undo_steps))"

  init(_ reader: inout RowReader) {
    row = reader.int64()
    label = reader.undoLabel()
    isUndone = reader.bool()
    let (first, last) = (reader.int64(), reader.int64())
    changes = first...max(first, last)
    isKept = reader.bool()
    omitsAdditions = reader.bool()
  }
}

extension UndoLabel {
  /// Its columns, in the order in which they are bound and read.
  static let columns = "run, label, made_at, \(ChangeAuthor.columns)"
}

extension RowReader {
  fileprivate mutating func undoLabel() -> UndoLabel {
    let (run, command, time) = (text(), text(), instant())
    return UndoLabel(run: run, command: command, author: changeAuthor(), time: time)
  }
}

extension Binder {
  mutating func add(_ label: UndoLabel) {
    add(label.run)
    add(label.command)
    add(label.time)
    add(label.author)
  }

  /// The ends of a range of the log.
  mutating func add(_ changes: ClosedRange<Int64>) {
    add(changes.lowerBound)
    add(changes.upperBound)
  }
}

extension StoreReader {
  /// The steps of the next run: the last one that is not undone, or the first undone one.
  func steps(undone: Bool) throws(StoreError) -> [UndoStepRow] {
    let rows = try connection.all(undone ? Queries.undoneSteps : Queries.doneSteps) { UndoStepRow(&$0) }
    // Others may have written between the steps of a large change.
    return rows.filter { $0.label.run == rows.first?.label.run }
  }

  /// The last step of a run after a change that is not undone; `nil` if the run has no such step.
  func lastStep(of run: String, after change: Int64) throws(StoreError) -> UndoStepRow? {
    try connection.first(
      Queries.lastStepOfRun,
      {
        $0.add(run)
        $0.add(change)
      }, read: { UndoStepRow(&$0) })
  }

  /// The labels of the last steps that changed an item and are not undone, the latest first: at most 20, among
  /// the last 10,000 changes of the log.
  ///
  /// Cost: some 2 milliseconds.
  public func lastSteps(of item: Identifier<CalendarItem>) throws(StoreError) -> [UndoLabel] {
    try connection.all(
      Queries.stepsOfItem,
      {
        $0.add(item.rawValue)
        $0.add(ChangeLog.kept)
      }
    ) { $0.undoLabel() }
  }

  /// Who made the steps of the journal.
  public func changeAuthors() throws(StoreError) -> [ChangeAuthor] {
    try connection.all(Queries.authors) { $0.changeAuthor() }
  }

  /// The distinct things that a step changed.
  func touched(_ step: UndoStepRow) throws(StoreError) -> [UndoSubject] {
    try connection.all(Queries.touched, { $0.add(step.changes) }) { row in
      UndoSubject(entity: row.value(or: .item), id: row.text())
    }
  }

  /// The title of something, or `nil` if it is not there.
  func title(_ touched: UndoSubject) throws(StoreError) -> String? {
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

private enum Queries {
  private static let step = "SELECT \(UndoStepRow.columns) FROM \(UndoStepRow.kept) "
  static let doneSteps = SQL(step + "WHERE NOT is_undone AND label <> '' ORDER BY row DESC")
  static let lastStepOfRun = SQL(
    step + "WHERE NOT is_undone AND run = ? AND first_change > ? ORDER BY row DESC LIMIT 1")
  static let undoneSteps = SQL(step + "WHERE is_undone ORDER BY row")
  static let touched = SQL(
    """
    SELECT entity, id FROM changes WHERE sequence BETWEEN ? AND ? GROUP BY entity, id ORDER BY min(sequence)
    """)
  static let stepsOfItem = SQL(
    """
    WITH touches AS MATERIALIZED (
      SELECT sequence FROM changes
      WHERE entity = 2 AND id = ?1 AND sequence > \(Schema.lastChange) - ?2
      ORDER BY sequence DESC LIMIT 50)
    SELECT \(UndoLabel.columns) FROM \(UndoStepRow.kept) s
    WHERE NOT is_undone AND label <> ''
      AND EXISTS (SELECT 1 FROM touches t WHERE t.sequence BETWEEN s.first_change AND s.last_change)
    GROUP BY run ORDER BY max(row) DESC LIMIT 20
    """)
  static let authors = SQL(
    "SELECT DISTINCT \(ChangeAuthor.columns) FROM \(UndoStepRow.kept) WHERE label <> ''")
  static let itemTitle = SQL("SELECT title FROM items WHERE id = ?")
  static let calendarTitle = SQL("SELECT title FROM calendars WHERE id = ?")
  static let sourceTitle = SQL("SELECT title FROM sources WHERE id = ?")
  static let placeTitle = SQL("SELECT title FROM named_places WHERE title = ?")
  static let settingTitle = SQL("SELECT key FROM settings WHERE key = ?")
  static let zoneTitle = SQL("SELECT id FROM time_zone_definitions WHERE id = ?")
  static let accessTitle = SQL("SELECT app FROM access_decisions WHERE app = ?")
}
