public import FencepostCalendarModel

/// The reason why a requested change of an item is not possible. Its description is one line.
public enum ItemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An occurrence was given, but the item does not repeat.
  case notRecurring(String)
  /// An occurrence was given together with the span "all".
  case occurrenceOfAll
  /// No occurrence is left.
  case noUpcoming(String)
  /// There are several occurrences on the given day.
  case severalOccurrences(String)
  /// There is no occurrence at the given time; the next one, if any.
  case noOccurrence(String, next: CalendarTime?)

  /// The error message.
  public var description: String {
    switch self {
    case .notRecurring(let title): "'\(title)' does not repeat, so it has no single occurrences"
    case .occurrenceOfAll: "an occurrence can't be used with all occurrences"
    case .noUpcoming(let title): "'\(title)' has no upcoming occurrence; give one"
    case .severalOccurrences(let title): "'\(title)' occurs several times on that day; add the time"
    case .noOccurrence(let title, _): "'\(title)' has no occurrence then"
    }
  }
}
