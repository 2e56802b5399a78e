/// Why the store could not do what was asked. Its description is one line that names the file and says
/// what to do.
public struct StoreError: Error, Hashable, Sendable {
  /// What went wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no file there, and none was to be made.
    case noStore
    /// The path is a directory.
    case isDirectory
    /// The file is something else: not SQLite's, or another program's database.
    case notAStore
    /// A later version of Fencepost wrote it: its schema version.
    case fromTheFuture(version: Int)
    /// The system doesn't let this user read or write the file, or make it.
    case noPermission
    /// The file, or its file system, can't be written to.
    case readOnly
    /// Another process held it for longer than the time-out.
    case locked
    /// Another engine lets the alarms of this store go off.
    case watched
    /// The file that was opened is not the one at the path any more: it was moved, deleted or replaced.
    case replaced
    /// The file has another name besides, a hard link.
    case linked
    /// A program has this store open, so it is no place for a backup.
    case inUse
    /// Other users can read the file, or one beside it, and that could not be changed.
    case exposed
    /// The disk, or the user's share of it, is full.
    case diskFull
    /// The file is damaged, or holds a value that this version did not write: which.
    case corrupt(String)
    /// The system failed to read or write it: its words.
    case inputOutput(String)
    /// A change names something that the store doesn't have, such as an item's calendar: what.
    case notFound(String)
    /// A change breaks a rule of the store, such as two items with one identifier: SQLite's words.
    case constraint(String)
    /// SQLite refused for another reason, which is a defect of this program: its words.
    case unexpected(String)
  }

  /// The file, or `:memory:`.
  public var path: String
  /// What went wrong.
  public var reason: Reason

  /// An error at `path`.
  public init(path: String, reason: Reason) {
    self.path = path
    self.reason = reason
  }
}

extension StoreError: CustomStringConvertible {
  /// One line: the path, what is wrong, what to do.
  public var description: String { "\(path): \(complaint)" }

  /// What is wrong and what to do, without the path.
  public var complaint: String {
    switch reason {
    case .noStore:
      "there is no store here; check the path, or add something to begin one"
    case .isDirectory:
      "this is a directory; name a file in it"
    case .notAStore:
      "this file is not a Fencepost store and was left as it is; choose another path"
    case .fromTheFuture(let version):
      "a later version of Fencepost wrote this store (schema \(version), this program knows "
        + "\(Migration.all.count)); update Fencepost"
    case .noPermission:
      "no permission to open this store; check who owns the file and its directory"
    case .readOnly:
      "this store can't be written to; check the file's mode and whether its file system is "
        + "mounted read-only"
    case .locked:
      "another process has held this store for too long; end it or wait, then try again"
    case .watched:
      "the daemon, an app or a recording lets the alarms of this store go off already, and there can be "
        + "one; 'fencepost status' tells whether it is the daemon"
    case .replaced:
      "this store was moved, deleted or replaced while it was open, and nothing was changed; put a whole "
        + "store there, such as a backup"
    case .linked:
      "this store has a second name (a hard link), and writing through two names damages it; remove one of "
        + "them, or use a symbolic link"
    case .inUse:
      "a program has this store open; name another file"
    case .exposed:
      "other users can read this file; make it yours alone with 'chmod 600', or copy it with "
        + "'fencepost backup'"
    case .diskFull:
      "the disk is full and nothing was changed; free some space, which even reading needs a little of, "
        + "then try again"
    case .corrupt(let what):
      "this store is damaged (\(what)); restore it from a backup, or save what can be read with "
        + "`sqlite3 FILE .recover`"
    case .inputOutput(let what):
      "reading or writing failed (\(what)); check the disk, then try again"
    case .notFound(let what):
      "there is no \(what) in this store; it may have been removed"
    case .constraint(let what):
      "the change breaks a rule of the store (\(what)) and was not made"
    case .unexpected(let what):
      "SQLite refused (\(what)); this is a defect, please report it"
    }
  }
}
