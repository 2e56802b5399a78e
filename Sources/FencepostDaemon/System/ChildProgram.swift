import CLinux
import Glibc
import System

/// A program that is started, reads something and ends. No shell is involved.
struct ChildProgram {
  var path: String
  /// Its arguments, without its name.
  var arguments: [String] = []
  /// After so many seconds it is killed, with all that it started.
  var timeout = 30.0

  /// Runs the program with `bytes` on its standard input.
  ///
  /// - Returns: Its exit status.
  func run(input bytes: [UInt8]) throws(DeliveryFailure) -> Int32 {
    guard let (input, standardInput) = try? SocketPair.make(for: "start it") else {
      throw failure("start", errno)
    }
    let process: pid_t
    do {
      defer { close(standardInput) }
      process = try spawn(standardInput: standardInput)
    } catch {
      close(input)
      throw error
    }
    let deadline = ContinuousClock.now + .seconds(timeout)
    feed(bytes, to: input, until: deadline)
    close(input)
    return try wait(for: process, until: deadline)
  }

  private func spawn(standardInput: Int32) throws(DeliveryFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput, STDIN_FILENO)
    // Standard output is for firings.
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    // Libraries open some that would be inherited.
    clinux_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that what it started ends with it.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // It hears all signals, and a pipe that is closed ends it, whatever holds for us.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, &attributes, &words, environ)
    words.withUnsafeMutableBufferPointer { _ in }
    guard code == 0 else { throw failure("start", code) }
    return process
  }

  /// Writes what the program is willing to read.
  private func feed(_ input: [UInt8], to descriptor: Int32, until deadline: ContinuousClock.Instant) {
    var written = 0
    while written < input.count {
      guard Readiness.wait(for: descriptor, .writable, until: deadline) != .timedOut else { return }
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = input[written...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      if count > 0 { written += count } else if errno != EINTR && errno != EAGAIN { return }
    }
  }

  /// Waits for the program to end, on a descriptor that becomes ready then (pidfd_open(2)), and kills it when its
  /// time is up.
  private func wait(
    for process: pid_t, until deadline: ContinuousClock.Instant
  ) throws(DeliveryFailure) -> Int32 {
    let handle = clinux_pidfd_open(process)
    let isInTime = handle < 0 || Readiness.wait(for: handle, until: deadline) != .timedOut
    if handle >= 0 { close(handle) }
    if !isInTime { kill(-process, SIGKILL) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard isInTime else {
      throw DeliveryFailure("timed out after \(Int(timeout)) s")
    }
    let signal = status & 0x7F
    guard signal == 0 else { throw DeliveryFailure("was killed by signal \(signal)") }
    return (status >> 8) & 0xFF
  }

  private func failure(_ action: String, _ code: Int32) -> DeliveryFailure {
    DeliveryFailure("can't \(action) it: \(String(cString: strerror(code)))")
  }
}
