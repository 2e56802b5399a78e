/// Why a file could not be read as iCalendar at all.
public struct ICalendarError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, by the name it was read by.
  public var file: String
  /// The line, counted from 1, where there is one to name.
  public var line: Int?
  /// What is wrong, and what to do where that is known.
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
