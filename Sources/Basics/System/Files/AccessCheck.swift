import Glibc

/// Reasons why a file, a folder or a program can't be used, one line each; `nil` if there is no known reason.
package enum AccessCheck {
  /// Why a program can't be run.
  package static func problem(running path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0 else { return "can't run \(path): \(String(cString: strerror(errno)))" }
    guard status.st_mode & S_IFMT == S_IFREG else { return "can't run \(path): it is not a file" }
    // For root, `access` succeeds without any execute permission, but running the program fails.
    guard status.st_mode & 0o111 != 0 else { return "can't run \(path): it is not executable" }
    return access(path, X_OK) == 0 ? nil : "can't run \(path): \(String(cString: strerror(errno)))"
  }

  /// Why a file, a pipe or a device can't be read.
  package static func problem(reading path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
      return "can't read \(path): \(String(cString: strerror(errno)))"
    }
    return status.st_mode & S_IFMT == S_IFDIR ? "can't read \(path): it is a folder" : nil
  }

  /// Why a folder can't be read.
  package static func problem(readingFolder path: String) -> String? {
    access(path, R_OK | X_OK) == 0 ? nil : "can't read \(path): \(String(cString: strerror(errno)))"
  }

  /// Why `attempt` fails.
  package static func problem(with attempt: () throws -> Void) -> String? {
    do {
      try attempt()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
