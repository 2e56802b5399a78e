public import FencepostCalendarModel

/// The label of one run of a command in the undo journal. Its writes are undone together.
public struct UndoLabel: Hashable, Sendable {
  /// What was done: of a command its line, otherwise an ``UndoAction`` and a title, such as `edit Milk`.
  public var command: String
  /// Who did it.
  public let author: ChangeAuthor
  /// The time of the run.
  public var time: Instant
  /// A unique key of this run.
  public let run: String

  /// The label of a change that is recorded only for a rollback. `undo` does not show it.
  static func `internal`() -> UndoLabel { UndoLabel("", at: .epoch) }
  var isInternal: Bool { command.isEmpty }

  /// A label for one run.
  ///
  /// - Parameters:
  ///   - command: What is done.
  ///   - author: Who does it.
  ///   - group: The key of changes of this author that are one run; `nil` for a run of its own. The same
  ///     key of another author is another run.
  public init(
    _ command: String, by author: ChangeAuthor = .command, at time: Instant, partOf group: String? = nil
  ) {
    self.init(
      run: group.map { "\($0) \(author.key)" } ?? Identifier<UndoLabel>.random().rawValue, command: command,
      author: author, time: time)
  }

  init(run: String, command: String, author: ChangeAuthor, time: Instant) {
    self.run = run
    self.command = command
    self.author = author
    self.time = time
  }
}

/// A run of a command that can be undone or redone.
public struct UndoStep: Hashable, Sendable {
  /// The label of the run.
  public var label: UndoLabel
  /// Whether it was undone.
  public var isUndone: Bool
  /// Whether only a part was undone or redone, because the program ended meanwhile.
  public var isPartial = false
  /// Whether it was too large to record, and can't be undone.
  public var isTooLarge: Bool
  /// The numbers of items that it added, changed and removed.
  public var added = 0, changed = 0, removed = 0
}

/// The effect of undo or redo on something.
public struct UndoEffect: Hashable, Sendable {
  /// The kind of thing.
  public var entity: StoreChange.Entity
  /// Its identifier.
  public var id: String
  /// The effect.
  public var kind: StoreChange.Kind
  /// Its title, or its name.
  public var title: String
}

/// Why nothing was undone.
public enum UndoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no run, or all are undone.
  case nothingToUndo
  /// Nothing was undone since the last change.
  case nothingToRedo
  /// The run to undo or to redo is not the next one; the label of that one.
  case notNext(String)
  /// The step was too large to record.
  case tooLarge(String)
  /// The step's additions were too large to keep for redo.
  case notKept(String)
  /// Other programs have since changed results of the step; their names. Empty if these are unknown, because
  /// the log of changes was trimmed or rows differ from the step's results.
  case changedSince(String, what: [String])
  /// A list that the step added has newer items.
  case inUse(String, list: String)

  /// One line: the conflict.
  public var description: String {
    switch self {
    case .nothingToUndo: "nothing to undo"
    case .nothingToRedo:
      "nothing to redo"
    case .notNext(let label):
      "this can't be undone or done again now: '\(label)' comes first"
    case .tooLarge(let label): "'\(label)' changed too much to record, so it can't be undone"
    case .notKept(let label):
      "'\(label)' can't be redone: it added too much to keep; run that command again"
    case .changedSince(let label, what: []):
      "'\(label)' can't be undone: its results have changed since"
    case .changedSince(let label, let what):
      "'\(label)' can't be undone: "
        + what.map { "'\($0)'" }.joined(separator: ", ")
        + (what.count > 1 ? " were" : " was") + " changed since by another program, which would be lost"
    case .inUse(let label, let list):
      "'\(label)' can't be undone: its list '\(list)' has newer items"
    }
  }
}
