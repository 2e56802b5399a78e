/// The reason why something that a person asked for is not possible. Its description is one line.
public enum ActionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A name is blank, too long, or has control characters; what it is for.
  case unusableName(of: String)
  /// Another thing of this kind, `list`, `calendar`, `source` or `place`, has the name.
  case nameTaken(kind: String, title: String)
  /// A list takes no changes here.
  case readOnly(list: String)
  /// A calendar holds events only.
  case noReminders(calendar: String)
  /// Only reminders can be completed.
  case notAReminder(title: String)
  /// A reminder can't be placed after something that is not in its list, or not below the same one.
  case noSibling(title: String)
  /// An alarm can't be snoozed until the next visit of a place that there is not.
  case noPlace(title: String)
  /// An alarm can't be snoozed until a start that is past, or that there is not.
  case hasStarted(title: String)

  /// Words of a line look like a time, and are not understood.
  case notUnderstood(words: String)
  /// There is no place with this name.
  case unknownPlace(name: String)

  /// The error message.
  public var description: String {
    switch self {
    case .unusableName(let kind):
      "\(kind) needs a name of at most \(Names.maximumBytes.formatted) bytes, without control characters"
    case .nameTaken(let kind, let title): "a \(kind) named '\(title)' already exists"
    case .readOnly(let list): "'\(list)' is read-only: its items come from elsewhere"
    case .noReminders(let calendar): "'\(calendar)' is a calendar; only lists of reminders go off as a whole"
    case .notAReminder(let title): "'\(title)' is an event; only reminders are completed"
    case .noSibling(let title): "'\(title)' can only follow a reminder of its list that is below the same one"
    case .noPlace(let title): "'\(title)' has no place to come to again; snooze it for a time"
    case .notUnderstood(let words):
      "'\(words)' looks like a time that is not understood, so nothing was added; say it another way"
    case .unknownPlace(let name): "there is no place '\(name)'"
    case .hasStarted(let title): "'\(title)' has no start that is still to come; snooze it for a time"
    }
  }
}

extension Int {
  /// With a comma before the thousands: `1,000`.
  fileprivate var formatted: String {
    self < 1_000 ? "\(self)" : "\(self / 1_000),\(String(self % 1_000 + 1_000).dropFirst())"
  }
}
