/// The reason why a file is not readable as iCalendar.
public struct ICalendarError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file.
  public var file: String
  /// The line, counted from 1, if known.
  public var line: Int?
  /// The problem, and a solution if known.
  public var message: String

  /// An error.
  public init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// `file:line: message`.
  public var description: String {
    line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)"
  }
}
