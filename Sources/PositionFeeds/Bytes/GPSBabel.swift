import Algorithms
internal import Glibc

/// A format that gpsbabel is asked to read, as its `-i` takes it: a name, then options after commas.
public struct GPSBabelFormat: Sendable, Hashable {
  /// The name and the options.
  public let name: String

  /// The format called `name`; `nil` for what is no name of a format: it begins with a letter or digit and has nothing but
  /// letters, digits and `_ , = . : -`.
  public init?(_ name: String) {
    func isWord(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || ASCII.uppercased(byte) &- 0x41 < 26 }
    guard let first = name.utf8.first, isWord(first), name.utf8.count <= 256,
      name.utf8.allSatisfy({ isWord($0) || "_,=.:-".utf8.contains($0) })
    else { return nil }
    self.name = name
  }
}

/// What gpsbabel(1) makes of a file that nobody here can read: GPX, as it writes it.
///
/// It runs beside the reader, with a small environment of its own and no shell between. What it complains of stands on
/// standard error.
final class GPSBabel: ByteStream {
  let name: String
  /// Its output.
  let output: ByteSource
  private let format: GPSBabelFormat
  /// The process; `nil` once it has ended and was waited for.
  private var process: pid_t?

  /// Starts reading the file at `path`, `-` being standard input, in `format`.
  init(path: String, format: GPSBabelFormat, interruptedBy interrupter: Int32) throws(FeedError) {
    name = path == "-" ? "stdin" : path
    self.format = format
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FeedError(trace: name, problem: .cannotOpen(errno)) }
    // Glibc's pipe2 is not to be had in Swift.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    output = try ByteSource(descriptor: ends[0], closes: true, name: name, interruptedBy: interrupter)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Its own standard output is the pipe; the copy is not closed when it starts.
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    let arguments = ["gpsbabel", "-t", "-i", format.name, "-f", path, "-o", "gpx", "-F", "-"]
    var process: pid_t = 0
    let failure = GPSBabel.withCStrings(arguments) { arguments in
      GPSBabel.withCStrings(["LC_ALL=C.UTF-8", "TZ=UTC"]) { environment in
        posix_spawnp(&process, "gpsbabel", &actions, nil, arguments, environment)
      }
    }
    guard failure == 0 else {
      throw FeedError(
        trace: name, problem: failure == ENOENT ? .noGPSBabel : .cannotOpen(failure))
    }
    self.process = process
  }

  deinit {
    guard let process else { return }
    kill(process, SIGTERM)
    _ = wait(for: process)
  }

  var isInterrupted: Bool { output.isInterrupted }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    let count = try output.read(into: buffer)
    if count == 0, let process {
      self.process = nil
      if wait(for: process) != 0 {
        throw FeedError(trace: name, problem: .conversionFailed(format: format.name))
      }
    }
    return count
  }

  /// Waits for `process` and returns its status: 0 where all went well.
  private func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return status
  }

  /// Calls `body` with `strings` as C wants them: pointers to each, and a null pointer after the last.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
