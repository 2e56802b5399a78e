/// An error of the store. Its description is one line with the file, the problem and what to do.
public struct StoreError: Error, Hashable, Sendable {
  /// The problem.
  public enum Reason: Hashable, Sendable {
    /// There is no file, and creating one was not allowed.
    case noStore
    /// The path is a directory.
    case isDirectory
    /// The file is not an SQLite database, or belongs to another program.
    case notAStore
    /// A later version of Fencepost wrote it, with this schema version.
    case fromTheFuture(version: Int)
    /// An earlier version of Fencepost wrote it, or it is empty: only an opening that may write can bring it up to date.
    case outdated
    /// This user may not read, write or create the file.
    case noPermission
    /// The file or its file system is read-only.
    case readOnly
    /// Another process held the lock for longer than the timeout.
    case locked
    /// Another engine uses this store.
    case watched
    /// The file at the path is no longer the opened one: it was moved, deleted or replaced.
    case replaced
    /// The file has another name, a hard link.
    case linked
    /// A program has this store open, so a backup can't replace it.
    case inUse
    /// Other users can read the file, or one beside it, and this user can't change that.
    case exposed
    /// The disk or the user's quota is full.
    case diskFull
    /// The file is damaged, or has a value that this version did not write; a description of it.
    case corrupt(String)
    /// A system error while reading or writing, in the system's words.
    case inputOutput(String)
    /// A change refers to something that is not in the store, such as an item's calendar; what it is.
    case notFound(String)
    /// A change violates a constraint, such as two items with one identifier; in SQLite's words.
    case constraint(String)
    /// Another error of SQLite, which is a defect of this program; in SQLite's words.
    case unexpected(String)
  }

  /// What SQLite reported.
  public struct Report: Sendable {
    /// SQLite's extended result code (sqlite.org/rescode.html).
    public var code: Int32
    /// The statement that failed, on one line, with `?` for its values; `nil` if the error came from another call.
    public var statement: String?
  }

  /// The file, or `:memory:`.
  public var path: String
  /// The problem.
  public var reason: Reason
  /// What SQLite reported; `nil` for an error that this program found itself.
  public var report: Report?

  /// An error at `path`.
  public init(path: String, reason: Reason, report: Report? = nil) {
    self.path = path
    self.reason = reason
    self.report = report
  }

  /// Whether path and reason are equal. The statement does not matter.
  public static func == (one: StoreError, other: StoreError) -> Bool {
    one.path == other.path && one.reason == other.reason
  }

  /// Hashes path and reason.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(path)
    hasher.combine(reason)
  }
}

extension StoreError.Report: CustomStringConvertible {
  /// `code 1555 in 'INSERT INTO items …'`.
  public var description: String { "code \(code)" + (statement.map { " in '\($0)'" } ?? "") }
}

extension StoreError: CustomStringConvertible {
  /// One line: the path, the problem, and what to do.
  public var description: String { "\(path): \(complaint)" }

  /// The problem and what to do, without the path.
  public var complaint: String {
    switch reason {
    case .noStore:
      "there is no store here; check the path, or add an item to create one"
    case .isDirectory:
      "this is a directory; name a file in it"
    case .notAStore:
      "this file is not a Fencepost store and was left as it is; choose another path"
    case .fromTheFuture(let version):
      "a later version of Fencepost wrote this store (schema \(version), this program knows "
        + "\(Migration.all.count)); update Fencepost"
    case .outdated:
      "an earlier version of Fencepost wrote this store; run 'fencepost list' with permission to write, which "
        + "brings it up to date"
    case .noPermission:
      "no permission to open this store; check who owns the file and its directory"
    case .readOnly:
      "this store can't be written to; check the file's mode and whether its file system is "
        + "mounted read-only"
    case .locked:
      "another process has held this store for too long; end it or wait, then try again"
    case .watched:
      "the daemon, an app or a recording already runs the alarms of this store, and only one may; "
        + "'fencepost status' shows if it is the daemon"
    case .replaced:
      "this store was moved, deleted or replaced while it was open, and nothing was changed; restore a "
        + "complete store there, such as a backup"
    case .linked:
      "this store has a second name (a hard link), and writing through two names damages it; remove one of "
        + "them, or use a symbolic link"
    case .inUse:
      "a program has this store open; name another file"
    case .exposed:
      "other users can read this file; make it yours alone with 'chmod 600', or copy it with "
        + "'fencepost backup'"
    case .diskFull:
      "the disk is full and nothing was changed; free some space (even reading needs a little), "
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
      "SQLite refused (\([what, report?.description].compactMap(\.self).joined(separator: ", "))); this is a defect, "
        + "please report it"
    }
  }
}
