internal import Foundation

/// Text that a test compares with a file kept next to it.
///
/// With the environment variable RECORD_SNAPSHOTS set, the files are written anew instead; look at what changed
/// before committing them.
public enum Snapshot {
  /// How `actual` differs from the file `name` in the directory Snapshots beside the test, or nil when it does not.
  ///
  /// A file that is missing is a difference.
  public static func difference(
    of actual: String, from name: String, filePath: StaticString = #filePath
  ) throws -> String? {
    let file = URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent()
      .appendingPathComponent("Snapshots").appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
      return nil
    }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      return "there is no snapshot \(name); set RECORD_SNAPSHOTS to record it"
    }
    return difference(between: actual, and: String(decoding: data, as: UTF8.self)).map { "\(name), \($0)" }
  }

  private static func difference(between actual: String, and expected: String) -> String? {
    guard actual != expected else { return nil }
    let actualLines = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, (actual, expected)) in zip(actualLines, expectedLines).enumerated() where actual != expected {
      return "line \(index + 1): expected \"\(expected)\", got \"\(actual)\""
    }
    return "expected \(expectedLines.count) lines, got \(actualLines.count)"
  }
}
