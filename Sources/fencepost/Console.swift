import CalendarModel
import Glibc
import System

/// Where a command reads from and writes to, and what it may know of the world outside: its environment and
/// the clock.
///
/// A value of this is handed to every command, so that a test runs one in its own process with its own.
final class Console {
  /// Somewhere that text goes.
  enum Sink {
    /// A file descriptor.
    case descriptor(Int32)
    /// Kept, for a test to look at.
    case memory
    /// Kept, as a terminal of some columns would be written to.
    case terminal(columns: Int)
  }

  /// The environment variables.
  let environment: [String: String]
  /// Microseconds since the epoch.
  let now: () -> Int64
  /// The next line of standard input; `nil` at its end.
  let readLine: () -> String?
  /// Where answers go.
  private let output: Sink
  /// Where everything else goes.
  private let diagnostics: Sink
  private var pending: [UInt8] = []
  private var isProgressShown = false

  /// What was written to ``Sink/memory``.
  private(set) var outputText = ""
  /// What was said on ``Sink/memory``.
  private(set) var diagnosticText = ""

  init(
    environment: [String: String], output: Sink, diagnostics: Sink, now: @escaping () -> Int64,
    readLine: @escaping () -> String? = { Swift.readLine() }
  ) {
    self.readLine = readLine
    self.environment = environment
    self.output = output
    self.diagnostics = diagnostics
    self.now = now
  }

  /// The console of this process.
  static func process() -> Console {
    Console(
      environment: processEnvironment(), output: .descriptor(STDOUT_FILENO),
      diagnostics: .descriptor(STDERR_FILENO), now: { Instant.wallClock().microseconds })
  }

  private static func processEnvironment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        variables[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
      }
      entry += 1
    }
    return variables
  }

  // MARK: Writing

  /// Writes a line of the answer to standard output, which is buffered until ``flush()`` or 64 KiB.
  func print(_ line: String) throws(OutputError) { try write(line + "\n") }

  /// Writes text that ends its own lines to standard output, buffered as lines are.
  func write(_ text: String) throws(OutputError) {
    guard case .descriptor = output else {
      outputText += text
      return
    }
    pending.append(contentsOf: text.utf8)
    if pending.count >= 65_536 { try flush() }
  }

  /// Sends what is buffered on its way.
  func flush() throws(OutputError) {
    guard case .descriptor(let descriptor) = output, !pending.isEmpty else { return }
    showProgress(nil)
    defer { pending.removeAll(keepingCapacity: true) }
    try Console.write(pending, to: descriptor)
  }

  /// Says something that is no part of the answer, on standard error. Titles and names in it steer no terminal.
  func say(_ line: String) {
    showProgress(nil)
    let line = line.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).withoutControls }.joined(separator: "\n")
    switch diagnostics {
    case .memory, .terminal: diagnosticText += line + "\n"
    case .descriptor(let descriptor):
      // Standard error is the last resort: where it fails too there is nobody left to tell.
      try? Console.write(Array((line + "\n").utf8), to: descriptor)
    }
  }

  /// Shows a line on standard error that the next one takes the place of, as does anything else that is
  /// written; `nil` takes it away.
  func showProgress(_ line: String?) {
    guard case .descriptor(let descriptor) = diagnostics, line != nil || isProgressShown else { return }
    isProgressShown = line != nil
    // Back to the first column, and clear what is right of it.
    let text = "\r\u{1B}[K" + (line.map { $0.count < width ? $0 : String($0.prefix(width - 1)) } ?? "")
    try? Console.write(Array(text.utf8), to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) {
    do throws(SystemFailure) {
      try DescriptorIO.write(bytes.span.bytes, to: descriptor)
    } catch {
      throw error.code == EPIPE ? .closed : .failed(reason: String(cString: strerror(error.code)))
    }
  }

  // MARK: The terminal

  /// True where answers are read by somebody at a terminal.
  var isTerminal: Bool {
    switch output {
    case .descriptor(let descriptor): isatty(descriptor) == 1
    case .memory: false
    case .terminal: true
    }
  }

  /// True where somebody at a terminal sees progress.
  var showsProgress: Bool {
    if case .descriptor(let descriptor) = diagnostics { isatty(descriptor) == 1 } else { false }
  }

  /// True where somebody can answer a question.
  var canAsk: Bool {
    if case .descriptor = diagnostics { isatty(STDIN_FILENO) == 1 && showsProgress } else { false }
  }

  /// Asks a question on standard error; true where the answer begins with a `y`.
  func confirms(_ question: String) -> Bool {
    try? Console.write(Array("\(question) [y/N] ".utf8), to: STDERR_FILENO)
    return Swift.readLine()?.lowercased().hasPrefix("y") ?? false
  }

  /// True where text may be coloured: on a terminal, unless NO_COLOR is set or the terminal is dumb.
  var usesColor: Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// The width of the terminal in columns; 100 where there is none.
  var width: Int {
    if case .terminal(let columns) = output { return columns }
    if let columns = environment["COLUMNS"].flatMap({ Int($0) }), columns > 20 { return min(columns, 500) }
    var size = winsize()
    guard case .descriptor(let descriptor) = output, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 20
    else { return 100 }
    return Int(size.ws_col)
  }
}

/// Why an answer could not be written.
enum OutputError: Error, CustomStringConvertible {
  /// The reader went away, which is no failure of ours: `fencepost list | head`.
  case closed
  /// The disk is full, or something of the kind.
  case failed(reason: String)

  var description: String {
    switch self {
    case .closed: "standard output was closed"
    case .failed(let reason): "can't write to standard output: \(reason)"
    }
  }
}
