import CFencepostLinux
import Glibc

/// A program to run in a process of its own. It uses no shell.
///
/// The program inherits only the three standard descriptors, and has default handling for all signals,
/// whatever this process does, so that a closed pipe ends it.
public struct ChildProgram: Hashable, Sendable {
  /// Its path, or a name without a slash, which is looked up in `PATH`.
  public var path: String
  /// Its arguments, without its name.
  public var arguments: [String]
  /// Variables of its environment, added to ours or instead of them.
  public var variables: [String: String] = [:]
  /// False for an environment of ``variables`` alone.
  public var inheritsEnvironment = true
  /// True for a process group of its own, so that its child processes end with it. Such a program can't read
  /// the terminal.
  public var hasOwnGroup = true
  /// The most bytes of memory that it may map, from shortly after its start on; `nil` for no limit.
  public var memory: UInt64?

  /// A program.
  public init(path: String, arguments: [String] = []) {
    self.path = path
    self.arguments = arguments
  }

  /// How a program ended.
  public enum Ending: Hashable, Sendable {
    /// By itself, with a status.
    case exited(Int32)
    /// By a signal.
    case killed(Int32)
    /// It took too long, and was killed with its child processes.
    case timedOut
  }

  /// Starts it and does not wait.
  ///
  /// - Parameters:
  ///   - input: Its standard input; ours by default.
  ///   - output: Its standard output; ours by default.
  public func start(
    input: Int32 = 0, output: Int32 = 1
  ) throws(SystemFailure) -> ChildProcess {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    // Some libraries open descriptors that would be inherited.
    clinux_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The group of a set-group-ID program, which opens a guarded store, is not for others.
    let flags =
      POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_RESETIDS
      | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    var process = pid_t()
    let code = Self.withCStrings([path] + arguments) { words in
      Self.withCStrings(environment) { environment in
        posix_spawnp(&process, path, &actions, &attributes, words, environment)
      }
    }
    guard code == 0 else { throw SystemFailure("start \(path)", code: code) }
    if let memory { _ = clinux_limit_memory(process, memory) }
    return ChildProcess(id: process, hasOwnGroup: hasOwnGroup)
  }

  /// Starts it for the user, and does not wait: it may run longer than this process.
  ///
  /// A thread waits for its end. Otherwise it would remain as a zombie.
  public func launch() throws(SystemFailure) {
    let process = try start()
    try? SystemThread.start("child") { _ = process.wait() }
  }

  /// Runs it with `input` on its standard input, until it ends.
  ///
  /// - Parameters:
  ///   - input: Its input; it need not read it.
  ///   - timeout: The seconds until it is killed.
  ///   - output: Its standard output.
  ///   - started: Called with the running program, for another thread that may end it early.
  public func run(
    input: [UInt8], timeout: Double, output: Int32 = 1, started: (ChildProcess) -> Void = { _ in }
  ) throws(SystemFailure) -> Ending {
    let (ours, theirs) = try SocketPair.make(for: "start \(path)")
    defer { close(ours) }
    let process: ChildProcess
    do {
      defer { close(theirs) }
      process = try start(input: theirs, output: output)
    }
    started(process)
    let deadline = ContinuousClock.now + .seconds(timeout)
    Self.feed(input, to: ours, until: deadline)
    shutdown(ours, Int32(SHUT_RDWR))
    return process.wait(until: deadline)
  }

  /// Runs it with `input` on its standard input, and reads its standard output.
  ///
  /// - Parameters:
  ///   - input: Its input. It must read it before it writes more than some 100 kB.
  ///   - timeout: The seconds until it is killed.
  ///   - most: The bytes of output to keep; a program that writes more is killed, counts as timed out, and
  ///     leaves more than this.
  public func ask(
    input: [UInt8], timeout: Double, most: Int
  ) throws(SystemFailure) -> (ending: Ending, output: [UInt8]) {
    let (input1, theirInput) = try SocketPair.make(for: "start \(path)")
    defer { close(input1) }
    var process: ChildProcess
    let output: Int32
    do {
      defer { close(theirInput) }
      let (ours, theirs) = try SocketPair.make(for: "start \(path)")
      output = ours
      defer { close(theirs) }
      do {
        process = try start(input: theirInput, output: theirs)
      } catch {
        close(ours)
        throw error
      }
    }
    defer { close(output) }
    let deadline = ContinuousClock.now + .seconds(timeout)
    Self.feed(input, to: input1, until: deadline)
    shutdown(input1, Int32(SHUT_WR))
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= most {
      guard Readiness.wait(for: output, until: deadline) != .timedOut else { break }
      let count = block.withUnsafeMutableBytes { recv(output, $0.baseAddress, $0.count, 0) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return (process.wait(until: deadline), bytes) }
      bytes += block.prefix(count)
    }
    return (process.wait(until: .now), bytes)
  }

  private var environment: [String] {
    var values = variables
    if inheritsEnvironment {
      var entry = environ
      while let text = entry.pointee {
        let words = String(cString: text).split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if words.count == 2, values[String(words[0])] == nil { values[String(words[0])] = String(words[1]) }
        entry += 1
      }
    }
    return values.map { "\($0)=\($1)" }
  }

  /// Writes the input, until the program stops reading.
  private static func feed(
    _ input: [UInt8], to descriptor: Int32, until deadline: ContinuousClock.Instant
  ) {
    var written = 0
    while written < input.count {
      guard Readiness.wait(for: descriptor, .writable, until: deadline) != .timedOut else { return }
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
      let count = input[written...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
      if count > 0 { written += count } else if errno != EINTR && errno != EAGAIN { return }
    }
  }

  /// Calls `body` with `strings` as C expects them: a pointer to each, and a null pointer after the last.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// A program that was started.
public struct ChildProcess: Hashable, Sendable {
  /// The number of its process.
  public let id: Int32
  fileprivate let hasOwnGroup: Bool

  /// Waits until the program ends, on a descriptor that becomes ready then (pidfd_open(2)). It kills the
  /// program at the deadline. Call it once.
  public func wait(until deadline: ContinuousClock.Instant? = nil) -> ChildProgram.Ending {
    var isInTime = true
    if let deadline {
      let handle = clinux_pidfd_open(id)
      if handle >= 0 {
        isInTime = Readiness.wait(for: handle, until: deadline) != .timedOut
        close(handle)
      } else {
        // Without a free descriptor it is asked again and again, so that a program that hangs ends too.
        isInTime = hasEnded(by: deadline)
      }
      if !isInTime { send(SIGKILL) }
    }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    guard isInTime else { return .timedOut }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
  }

  private func hasEnded(by deadline: ContinuousClock.Instant) -> Bool {
    while true {
      var info = siginfo_t()
      guard waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno == EINTR else {
        return true
      }
      if info.si_signo == SIGCHLD { return true }
      guard ContinuousClock.now < deadline else { return false }
      usleep(20_000)
    }
  }

  /// Sends a signal to it, and to its child processes if it has a group of its own.
  public func send(_ signal: Int32) { _ = kill(hasOwnGroup ? -id : id, signal) }
}
