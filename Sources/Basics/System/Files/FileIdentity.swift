public import Glibc

/// The identity of a file, independent of its name.
public struct FileIdentity: Sendable {
  private let device: dev_t
  private let inode: ino_t
  /// The number of its names (hard links).
  public let links: Int

  /// The file with this status.
  public init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    links = Int(status.st_nlink)
  }

  /// The file at `path`, following links; `nil` if it does not exist.
  public init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether both are the same file.
  public func isSame(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}
