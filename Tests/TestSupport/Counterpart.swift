import Foundation
import Glibc

/// Another program on loopback, which ends with the object.
package final class Counterpart {
  /// An error of a counterpart.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String

    package init(description: String) { self.description = description }
  }

  /// The process; 0 after its end.
  private var process = pid_t()
  private let output: Int32

  /// The path of an installed program; `nil` if it is missing. Folders for administrators count too.
  package static func path(of program: String) -> String? {
    let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    return (places + ["/usr/local/sbin", "/usr/sbin", "/sbin"]).map { "\($0)/\(program)" }.first {
      access($0, X_OK) == 0
    }
  }

  /// Whether all `programs` are installed.
  package static func isInstalled(_ programs: String...) -> Bool {
    programs.allSatisfy { path(of: $0) != nil }
  }

  /// Starts `program` with additional environment variables.
  ///
  /// This does not use Foundation's `Process`: its children inherit blocked signals, and can't be terminated.
  package init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    guard let path = Counterpart.path(of: program) else {
      throw Failure(description: "\(program) is not installed")
    }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(description: "there is no pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let settings =
      ProcessInfo.processInfo.environment.merging(environment) { $1 }.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + settings { free(word) } }
    let code = posix_spawn(&process, path, &actions, &attributes, words, settings)
    guard code == 0 else { throw Failure(description: "\(program): \(String(cString: strerror(code)))") }
  }

  deinit {
    stop()
    close(output)
  }

  /// Ends it with its child processes, and waits for its end.
  package func stop(_ signal: Int32 = SIGTERM) {
    guard process > 0 else { return }
    kill(-process, signal)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    process = 0
  }

  /// Waits for its end. Returns its exit status, or -1 after a signal.
  package func waitUntilExit() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    process = 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
  }

  /// The next line of its output, without the line end.
  package func nextLine() throws -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(output, &byte, 1) == 1 {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    throw Failure(description: "it ended without a word")
  }

  /// A free port on loopback.
  package static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard result else { throw Failure(description: "no port is free") }
    return UInt16(bigEndian: address.sin_port)
  }
}
