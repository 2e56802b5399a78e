import Foundation
import Glibc

/// `fencepost daemon` as a separate process, which a test can kill.
final class DaemonProgram: Sendable {
  private let process: pid_t

  private struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  /// Starts a daemon over the store at `store`. Its standard output is appended to the file at `output`.
  ///
  /// This does not use Foundation's `Process`, because its children inherit blocked signals.
  init(store: String, output: String, _ arguments: [String]) throws {
    let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    let path = tests.deletingLastPathComponent().appendingPathComponent("fencepost").path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words = [path, "daemon", "--store", store, "--log-level", "error"] + arguments
    let settings = ProcessInfo.processInfo.environment.filter {
      ["LD_LIBRARY_PATH", "PATH", "TZ"].contains($0.key)
    }
    let pointers = words.map { strdup($0) } + [nil]
    let environment = settings.map { strdup("\($0)=\($1)") } + [nil]
    defer { for pointer in pointers + environment { free(pointer) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, &attributes, pointers, environment)
    guard code == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(code)))") }
    self.process = process
  }

  /// Sends a signal, and waits for the end.
  ///
  /// - Returns: The exit status; `nil` after a signal.
  @discardableResult
  func end(by signal: Int32) -> Int32? {
    kill(process, signal)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
  }
}
