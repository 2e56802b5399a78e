import FencepostAlgorithms
import FencepostSystem
import Glibc

/// Prepares a store's file before SQLite opens it.
public enum StoreFile {
  /// Checks that the file at `path` may be a store. Creates an empty one, with its directories, if there is
  /// none and `creates` allows it.
  public static func prepare(_ path: String, creates: Bool = false) throws(StoreError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw StoreError(path: path, reason: .isDirectory) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(path: path, reason: .notAStore) }
      return
    }
    guard errno == ENOENT, creates else { throw .system(path: path) }
    try makeDirectories(of: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Another process has just created it.
      if errno == EEXIST { return }
      throw .system(path: path)
    }
    defer { close(descriptor) }
    // The umask may have removed too much. SQLite copies the mode of this file to the files beside it.
    guard fchmod(descriptor, 0o600) == 0 else { throw .system(path: path) }
  }

  /// Whether a file begins with SQLite's signature.
  public static func isDatabase(_ path: String) -> Bool {
    FileHead.read(path, upTo: 15)?.elementsEqual("SQLite format 3".utf8) ?? false
  }

  /// Whether the file system of a path is mounted read-only. Cost: microseconds.
  public static func isUnchanging(_ path: String) -> Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
  }

  /// The bytes that this user can still write to the file system of a path; `nil` if that is not known, as for
  /// a store in memory. Cost: microseconds.
  public static func freeBytes(beside path: String) -> Int64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int64(clamping: status.f_bavail.multipliedReportingOverflow(by: status.f_frsize).partialValue)
  }

  /// The address with which SQLite reads a file without changing anything (sqlite.org/uri.html): with the
  /// changes in its write-ahead log, if it has one.
  static func unchangingAddress(of path: String) -> String {
    var status = stat()
    let hasLog = stat(path + "-wal", &status) == 0 && status.st_size > 0
    return "file:" + PercentEncoding.encode(path) + (hasLog ? "?vfs=unix-none" : "?immutable=1")
  }

  /// Makes a store and SQLite's files beside it readable by the owner only: a copied backup may have any
  /// mode.
  ///
  /// - Throws: ``StoreError/Reason/exposed`` if others can read it and this user can't change that, unless
  ///   the file system is read-only.
  public static func tighten(_ path: String) throws(StoreError) {
    for file in [""] + companions {
      var status = stat()
      guard stat(path + file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      guard chmod(path + file, status.st_mode & 0o700) == 0 || errno == EROFS else {
        throw StoreError(path: path + file, reason: .exposed)
      }
    }
  }

  /// Flushes a file's name to disk.
  public static func syncDirectory(of path: String) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Waits until the disk has the write-ahead log. A failure is not reported: the next durable commit finds
  /// it too.
  public static func syncLog(of path: String) {
    let descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fdatasync(descriptor)
    close(descriptor)
  }

  /// The suffixes of the files that SQLite puts beside a store.
  public static let companions = ["-wal", "-shm", "-journal"]

  /// The target of `path`: SQLite puts its files beside the target, not beside a link to it.
  public static func followingLinks(_ path: String) -> String {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, let real = realpath(path, nil) else {
      return path
    }
    defer { free(real) }
    return String(cString: real)
  }

  private static func makeDirectories(of path: String) throws(StoreError) {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      end = path.index(after: slash)
      let directory = String(path[..<slash])
      if directory.isEmpty { continue }
      if mkdir(directory, 0o700) != 0 && errno != EEXIST && errno != EISDIR {
        // If the directory exists, its parent need not be writable.
        var status = stat()
        let number = errno
        if stat(directory, &status) == 0 { continue }
        errno = number
        throw .system(path: path)
      }
    }
  }
}
