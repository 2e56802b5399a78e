import Glibc
import System

/// What is done with a store's file before SQLite sees it.
enum StoreFile {
  /// Makes sure that there is a file at `path` that may be a store, and makes a new one where there is none
  /// and `access` allows it.
  static func prepare(_ path: String, access: CalendarStore.Access) throws(StoreError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw StoreError(path: path, reason: .isDirectory) }
      guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(path: path, reason: .notAStore) }
      return
    }
    guard errno == ENOENT, case .createIfMissing = access else { throw .system(path: path) }
    try makeDirectories(of: path)
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      // Another process made it just now.
      if errno == EEXIST { return }
      throw .system(path: path)
    }
    defer { close(descriptor) }
    // The umask may have taken more away than it should. SQLite gives the mode of this file to those that it
    // puts beside it.
    guard fchmod(descriptor, 0o600) == 0 else { throw .system(path: path) }
  }

  /// True where a file begins as SQLite's do.
  static func isDatabase(_ path: String) -> Bool {
    FileHead.read(path, upTo: 15)?.elementsEqual("SQLite format 3".utf8) ?? false
  }

  /// Makes a store, and what SQLite puts beside it, its owner's alone: a copy of a backup may have any mode.
  ///
  /// - Throws: ``StoreError/Reason/exposed`` where others can read it and this user can't change that.
  static func tighten(_ path: String) throws(StoreError) {
    for file in [""] + companions {
      var status = stat()
      guard stat(path + file, &status) == 0, status.st_mode & 0o077 != 0 else { continue }
      guard chmod(path + file, status.st_mode & 0o700) == 0 else {
        throw StoreError(path: path + file, reason: .exposed)
      }
    }
  }

  /// Makes the disk keep what a file is called.
  static func syncDirectory(of path: String) {
    let directory = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// What SQLite puts beside a file, by how its name ends.
  static let companions = ["-wal", "-shm", "-journal"]

  /// The file that `path` stands for: SQLite puts its own beside that, not beside a link to it.
  static func followingLinks(_ path: String) -> String {
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
        // A parent that may not be written to is no obstacle where the directory is there already.
        var status = stat()
        let number = errno
        if stat(directory, &status) == 0 { continue }
        errno = number
        throw .system(path: path)
      }
    }
  }
}
