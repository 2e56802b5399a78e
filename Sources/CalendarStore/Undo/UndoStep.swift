public import CalendarModel

/// What the writes of one run of a command are called in the journal of changes: they are undone together.
public struct UndoLabel: Hashable, Sendable {
  /// What was done, in words: the command line.
  public var command: String
  /// When.
  public var time: Instant
  /// Tells this run from others.
  let run: String

  /// The label of what is recorded only to be taken back where it fails: nobody undoes it.
  static func `internal`() -> UndoLabel { UndoLabel("", at: .epoch) }
  var isInternal: Bool { command.isEmpty }

  /// A label for one run.
  public init(_ command: String, at time: Instant) {
    self.command = command
    self.time = time
    run = Identifier<UndoLabel>.random().rawValue
  }
}

/// A run of a command that can be undone, or that was undone and can be done again.
public struct UndoStep: Hashable, Sendable {
  /// What was done.
  public var label: UndoLabel
  /// True where it was undone.
  public var isUndone: Bool
  /// True where only a part was undone, or done again, as the program ended meanwhile.
  public var isPartial = false
  /// True where it changed so much that it was not kept, and can't be undone.
  public var isTooLarge: Bool
  /// How many items it added, changed and removed.
  public var added = 0, changed = 0, removed = 0
}

/// What became of something when a step was undone or done again.
public struct UndoEffect: Hashable, Sendable {
  /// What it is.
  public var entity: StoreChange.Entity
  /// Its identifier.
  public var id: String
  /// What became of it.
  public var kind: StoreChange.Kind
  /// Its title, or its name.
  public var title: String
}

/// Why nothing was undone.
public enum UndoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nothing was done, or all of it was undone.
  case nothingToUndo
  /// Nothing was undone since the last change.
  case nothingToRedo
  /// The step changed so much that it was not kept.
  case tooLarge(String)
  /// The step added so much that it was not kept when it was undone.
  case notKept(String)
  /// Something that the step changed was changed since by somebody else: what. Nothing where nobody can tell, as the
  /// log of changes was cut or rows are not as the step left them.
  case changedSince(String, what: [String])
  /// A list that the step added has items that were added since.
  case inUse(String, list: String)

  /// One line: what is in the way.
  public var description: String {
    switch self {
    case .nothingToUndo: "nothing to undo"
    case .nothingToRedo:
      "nothing to redo"
    case .tooLarge(let label): "'\(label)' changed too much to be kept, so it can't be undone"
    case .notKept(let label):
      "'\(label)' added too much to be kept when it was undone; give that command again"
    case .changedSince(let label, what: []):
      "'\(label)' can't be undone: what it changed is not as it left it"
    case .changedSince(let label, let what):
      "'\(label)' can't be undone: "
        + what.map { "'\($0)'" }.joined(separator: ", ")
        + (what.count > 1 ? " were" : " was") + " changed since by another program, which would be lost"
    case .inUse(let label, let list):
      "'\(label)' can't be undone: the list '\(list)' that it made has items now that were added since"
    }
  }
}
