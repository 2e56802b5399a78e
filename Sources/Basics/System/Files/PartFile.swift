import CFencepostLinux
import Glibc

/// A new private file beside another one, for contents that will replace it in one step.
///
/// It is locked, so that a later one for the same place can remove it if this process is killed. Otherwise it
/// goes with this object, unless it has replaced the other.
public final class PartFile {
  /// The path of the file, which has mode 0600.
  public let path: String
  /// The file, open for reading and writing. It stays open as long as this object.
  public let descriptor: Int32
  private let target: String
  private let companions: [String]
  private var hasReplaced = false

  /// Creates a file that can replace the one at `target`, and removes what killed processes left for that
  /// place.
  ///
  /// - Parameters:
  ///   - target: The path, with all links followed.
  ///   - companions: Suffixes of further files that a library puts beside this one, to remove with it.
  public init(for target: String, companions: [String] = []) throws(SystemFailure) {
    self.target = target
    self.companions = companions
    Self.removeAbandoned(for: target, companions: companions)
    var template = Array((target + Self.mark + "XXXXXX").utf8CString)
    descriptor = try SystemFailure.check(mkstemp(&template), "write \(target)")
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  deinit {
    if !hasReplaced { Self.remove(path, companions) }
    close(descriptor)
  }

  /// Moves the file to its place.
  public func replace() throws(SystemFailure) {
    _ = try SystemFailure.check(rename(path, target), "write \(target)")
    hasReplaced = true
    for suffix in companions { unlink(path + suffix) }
  }

  private static let mark = ".part-"

  /// The part goes last: as long as it is there, the next one for its place finds the companions too.
  private static func remove(_ path: String, _ companions: [String]) {
    for suffix in companions + [""] { unlink(path + suffix) }
  }

  /// Removes this user's parts for a place that no process has locked.
  private static func removeAbandoned(for target: String, companions: [String]) {
    let slash = target.lastIndex(of: "/")
    let folder = slash.map { $0 == target.startIndex ? "/" : String(target[..<$0]) } ?? "."
    let prefix = (slash.map { String(target[target.index(after: $0)...]) } ?? target) + mark
    for entry in FolderEntry.all(in: folder) where !entry.isFolder && entry.name.hasPrefix(prefix) {
      let path = "\(folder)/\(entry.name)"
      guard entry.name.utf8.count == prefix.utf8.count + 6 else { continue }
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & S_IFMT == S_IFREG,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      remove(path, companions)
    }
  }
}
