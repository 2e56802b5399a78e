import FencepostAlgorithms
import FencepostSystem
internal import Glibc

/// An input format of gpsbabel, as its `-i` takes it: a name, then options after commas.
public struct GPSBabelFormat: Sendable, Hashable {
  /// The name and the options.
  public let name: String

  /// The format called `name`; `nil` if `name` does not begin with a letter or digit, or has anything but
  /// letters, digits and `_ , = . : -`.
  public init?(_ name: String) {
    func isWord(_ byte: UInt8) -> Bool { ASCII.isDigit(byte) || ASCII.uppercased(byte) &- 0x41 < 26 }
    guard let first = name.utf8.first, isWord(first), name.utf8.count <= 256,
      name.utf8.allSatisfy({ isWord($0) || "_,=.:-".utf8.contains($0) })
    else { return nil }
    self.name = name
  }
}

/// The output of gpsbabel(1), as GPX, for a file that no reader here understands.
///
/// gpsbabel runs as a child process, with a small environment and no shell. It writes its errors to standard
/// error.
final class GPSBabel: ByteStream {
  let name: String
  /// Its output.
  let output: ByteSource
  private let format: GPSBabelFormat
  /// The process; `nil` once it has ended and was reaped.
  private var process: ChildProcess?

  /// Starts reading the file at `path`, `-` being standard input, in `format`.
  init(path: String, format: GPSBabelFormat, interruptedBy interrupter: Int32) throws(FeedError) {
    name = path == "-" ? "stdin" : path
    self.format = format
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw FeedError(trace: name, problem: .cannotOpen(errno)) }
    // Swift's Glibc module does not have pipe2.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    output = try ByteSource(descriptor: ends[0], closes: true, name: name, interruptedBy: interrupter)
    // Not in a group of its own, because it may read the terminal.
    var program = ChildProgram(
      path: "gpsbabel", arguments: ["-t", "-i", format.name, "-f", path, "-o", "gpx", "-F", "-"])
    program.variables = ["LC_ALL": "C.UTF-8", "TZ": "UTC"]
    program.inheritsEnvironment = false
    program.hasOwnGroup = false
    do {
      process = try program.start(output: ends[1])
    } catch {
      throw FeedError(
        trace: name, problem: error.code == ENOENT ? .noGPSBabel : .cannotOpen(error.code))
    }
  }

  deinit {
    guard let process else { return }
    process.send(SIGTERM)
    _ = process.wait()
  }

  var isInterrupted: Bool { output.isInterrupted }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FeedError) -> Int {
    let count = try output.read(into: buffer)
    if count == 0, let process {
      self.process = nil
      if process.wait() != .exited(0) {
        throw FeedError(trace: name, problem: .conversionFailed(format: format.name))
      }
    }
    return count
  }
}
