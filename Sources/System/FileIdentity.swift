public import Glibc

/// Which file it is, whatever it is called.
public struct FileIdentity: Sendable {
  private let device: dev_t
  private let inode: ino_t
  /// How many names it has.
  public let links: Int

  /// The file that the system describes so.
  public init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
    links = Int(status.st_nlink)
  }

  /// The file at `path`, or where a link there leads; `nil` if there is none.
  public init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// True if both are the same file.
  public func isSame(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}
