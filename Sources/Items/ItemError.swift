public import CalendarModel

/// Why an item can't be changed as was asked. Its description is one line.
public enum ItemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An occurrence was named of an item that does not repeat.
  case notRecurring(String)
  /// An occurrence was named, and all of them were meant.
  case occurrenceOfAll
  /// There is no occurrence to come.
  case noUpcoming(String)
  /// There are several on the day.
  case severalOccurrences(String)
  /// There is none at the time; the next one, where there is one.
  case noOccurrence(String, next: CalendarTime?)

  /// What is wrong.
  public var description: String {
    switch self {
    case .notRecurring(let title): "'\(title)' does not repeat, so it has no single occurrences"
    case .occurrenceOfAll: "an occurrence can't be given where all are meant"
    case .noUpcoming(let title): "'\(title)' has no upcoming occurrence; give one"
    case .severalOccurrences(let title): "'\(title)' occurs several times on that day; add the time"
    case .noOccurrence(let title, _): "'\(title)' has no occurrence then"
    }
  }
}
