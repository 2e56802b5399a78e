// Without CLinux, which has the type `stat` too.
import Glibc

extension ChildProgram {
  /// Whether there is a file at `path` that may be run.
  public static func canRun(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
