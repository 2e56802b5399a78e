public import Foundation

/// A directory of a test's own, removed with all that is in it when the value goes.
public final class TemporaryDirectory: Sendable {
  /// Where it is.
  public let url: URL

  /// Makes one.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fencepost-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file called `name` in it.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes `contents` to a file called `name` and returns its path.
  @discardableResult
  public func write(_ contents: String, to name: String) throws -> String {
    try write(Data(contents.utf8), to: name)
  }

  /// Writes `contents` to a file called `name` and returns its path.
  @discardableResult
  public func write(_ contents: Data, to name: String) throws -> String {
    let path = path(name)
    try contents.write(to: URL(fileURLWithPath: path))
    return path
  }
}
