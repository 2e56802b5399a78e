/// Collects the problems in a file.
final class Diagnostics {
  /// The name of the file.
  let file: String
  private let limit: Int
  private(set) var warnings: [ICalendarDocument.Warning] = []
  private(set) var omitted = 0

  init(file: String, limit: Int) {
    self.file = file
    self.limit = limit
  }

  /// Records a problem on `line`.
  func warn(_ line: Int, _ message: @autoclosure () -> String) {
    if warnings.count < limit {
      warnings.append(.init(file: file, line: line, message: message()))
    } else {
      omitted += 1
    }
  }
}
