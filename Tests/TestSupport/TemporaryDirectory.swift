public import Foundation

/// A directory for one test, which is removed with its content at the end.
public final class TemporaryDirectory: Sendable {
  /// Its URL.
  public let url: URL

  /// Creates a directory.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("fencepost-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of the file `name` in it.
  public func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes `contents` to the file `name` and returns its path.
  @discardableResult
  public func write(_ contents: String, to name: String) throws -> String {
    try write(Data(contents.utf8), to: name)
  }

  /// Writes `contents` to the file `name` and returns its path.
  @discardableResult
  public func write(_ contents: Data, to name: String) throws -> String {
    let path = path(name)
    try contents.write(to: URL(fileURLWithPath: path))
    return path
  }
}
