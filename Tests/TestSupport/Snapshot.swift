internal import Foundation

/// Text that a test compares with a file next to it.
///
/// With the environment variable RECORD_SNAPSHOTS set, it writes the files instead. Review the changes before
/// you commit them.
public enum Snapshot {
  /// A difference between a text and its snapshot.
  public struct Mismatch: Error, CustomStringConvertible {
    /// The snapshot and the first different line.
    public let description: String
  }

  /// Compares `actual` with the file `name` in the directory Snapshots beside the test.
  ///
  /// - Throws: ``Mismatch`` if they differ or the file does not exist, which fails the test.
  public static func expect(
    _ actual: String, toBe name: String, filePath: StaticString = #filePath
  ) throws {
    let file = URL(fileURLWithPath: "\(filePath)").deletingLastPathComponent()
      .appendingPathComponent("Snapshots").appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
      return
    }
    guard let data = FileManager.default.contents(atPath: file.path) else {
      throw Mismatch(description: "there is no snapshot \(name); set RECORD_SNAPSHOTS to record it")
    }
    if let difference = difference(between: actual, and: String(decoding: data, as: UTF8.self)) {
      throw Mismatch(description: "\(name), \(difference)")
    }
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
