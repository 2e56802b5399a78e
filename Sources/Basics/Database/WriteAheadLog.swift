import FencepostSystem
import Glibc

/// The write-ahead log beside a database. Its name must lead to the file that the connections use: otherwise
/// commits go into a file without a name, and are lost when the last program ends.
public struct WriteAheadLog: Sendable {
  private let path: String
  /// The file that the connections use; `nil` without one, as on a read-only file system.
  private let file: FileIdentity?

  /// The log of a database, once a connection has read from it.
  public init(of path: String) {
    self.path = path + "-wal"
    file = FileIdentity(at: self.path)
  }

  /// Whether the file is no longer at its name. Cost: a microsecond.
  public var hasMoved: Bool {
    guard let file else { return false }
    return FileIdentity(at: path)?.isSame(as: file) != true
  }

  /// Whether nothing is at its name, so that no other program writes to a new one.
  public var isMissing: Bool { access(path, F_OK) != 0 && errno == ENOENT }

  /// The state of a database whose log is missing.
  public enum Loss: Sendable {
    /// A program has the database open, and can still save what the log has.
    case inUse
    /// Changes that were in the log are lost.
    case final
  }

  /// Whether somebody removed the log of a database that has changes in it; `nil` if all is well.
  ///
  /// Call it before the database is opened, which makes a new log. The index beside the log, `-shm`, tells how
  /// much the log had (sqlite.org/walformat.html, section 2.1): it stays after a program was killed.
  public static func loss(of path: String) -> Loss? {
    guard access(path + "-wal", F_OK) != 0, errno == ENOENT,
      let head = FileHead.read(path + "-shm", upTo: 100), head.count == 100
    else { return nil }
    func number(at offset: Int) -> UInt32 {
      head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
    }
    let (frames, saved) = (number(at: 16), number(at: 96))
    guard head[12] != 0, frames > saved else { return nil }
    return isOpen(path) ? .inUse : .final
  }

  /// F_OFD_GETLK of fcntl(2), which Glibc's module lacks. Locks of this process count too.
  private static let getOpenFileLock: Int32 = 36

  /// Whether somebody has the database open: each connection holds a shared lock in this mode
  /// (sqlite.org/lockingv3.html: 510 bytes from 2 bytes past the first gigabyte).
  private static func isOpen(_ path: String) -> Bool {
    // To close the descriptor drops the locks of this process, if it has the database open too. That one only
    // saves its log.
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = 0x4000_0002
    lock.l_len = 510
    return fcntl(descriptor, getOpenFileLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
  }
}

extension SQLiteConnection {
  /// Moves what the write-ahead log has into the file, without waiting for readers.
  public func saveLog() throws(StoreError) { try execute("PRAGMA wal_checkpoint(PASSIVE)") }
}
