import FencepostAddresses
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostSystem
import Glibc
import Synchronization

/// `-`: standard output, a JSON line for each.
public struct StandardOutputAddress: ChannelForm {
  /// The name.
  public var description: String { "-" }
  package func open(_ context: ChannelContext) -> any Channel { DescriptorChannel(descriptor: 1) }
}

/// `exec:/PATH`: a program that runs for each.
public struct CommandAddress: ChannelForm {
  /// The program.
  public let path: String
  /// What it reads instead of the notice as JSON; `nil` for that.
  let template: ChannelTemplate?

  init(_ words: inout AddressParameters) throws(AddressError) {
    path = String(words.base.dropFirst("exec:".count))
    guard path.hasPrefix("/") else {
      throw words.failure("the program must be an absolute path, as in exec:/usr/local/bin/ring")
    }
    template = try ChannelTemplate(taking: &words)
  }

  /// The program.
  public var description: String { "exec:\(path)" }
  package var problem: String? { AccessCheck.problem(running: path) }
  package static let words = ChannelTemplate.words
  package var unnamed: String { "the template" }
  package func open(_ context: ChannelContext) -> any Channel {
    CommandChannel(path: path, template: template.map { ($0, NoticeWords(resolver: context.resolver)) })
  }
}

/// Writes a JSON line for each firing to a descriptor: standard output.
public final class DescriptorChannel: Channel {
  private let descriptor: Int32

  /// A channel to `descriptor`, which stays open.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes the line.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    do throws(SystemFailure) {
      try DescriptorIO.write((line + "\n").utf8Span.span.bytes, to: descriptor)
    } catch {
      throw DeliveryFailure("standard output: \(String(cString: strerror(error.code)))")
    }
  }
}

/// Runs a program for each firing, with the firing as JSON on its standard input. It uses no shell, and puts
/// no text of a firing on a command line.
///
/// Exit status 0 means delivered; 65 (EX_DATAERR of sysexits.h) means permanent failure.
public final class CommandChannel: Channel {
  private let program: ChildProgram
  private let timeout: Double
  private let template: (ChannelTemplate, words: NoticeWords)?
  /// The program, while it runs.
  private let running = Mutex<ChildProcess?>(nil)

  /// A channel to the program at `path`.
  ///
  /// - Parameters:
  ///   - path: The program.
  ///   - arguments: Its arguments, without its name.
  ///   - timeout: Seconds until it is killed and the firing retried.
  ///   - template: What it reads instead of the notice as JSON: the title, and the body from the second line on.
  init(
    path: String, arguments: [String] = [], timeout: Double = 30,
    template: (ChannelTemplate, words: NoticeWords)? = nil
  ) {
    program = ChildProgram(path: path, arguments: arguments)
    self.timeout = timeout
    self.template = template
  }

  /// Runs the program.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    defer { running.withLock { $0 = nil } }
    let texts = template.map { $0.0.texts(delivery.notice, $0.words) }
    let input = texts.map { $0.isJSON ? $0.body : "\($0.title.withoutControls)\n\($0.body)" } ?? line
    try program.deliver(Array((input + "\n").utf8), timeout: timeout) { process in
      running.withLock { $0 = process }
    }
  }

  /// Kills the program, so that one that hangs does not outlive the daemon.
  public func abandon() { running.withLock { $0?.send(SIGKILL) } }
}

extension ChildProgram {
  /// Runs the program with `input`, and throws if it fails. Its output goes to standard error: standard
  /// output is for firings.
  func deliver(
    _ input: [UInt8], timeout: Double, started: (ChildProcess) -> Void = { _ in }
  ) throws(DeliveryFailure) {
    let ending: Ending
    do {
      ending = try run(input: input, timeout: timeout, output: STDERR_FILENO, started: started)
    } catch {
      throw DeliveryFailure("\(error)")
    }
    let status: Int32
    switch ending {
    case .exited(let code): status = code
    case .killed(let signal): throw DeliveryFailure("was killed by signal \(signal)")
    case .timedOut: throw DeliveryFailure("timed out after \(Int(timeout)) s")
    }
    guard status != 0 else { return }
    let meaning = ChildProgram.meanings[status].map { " (\($0))" } ?? ""
    throw DeliveryFailure("exit status \(status)\(meaning)", isFinal: status == 65)
  }

  /// The statuses of sysexits.h.
  private static let meanings: [Int32: String] = [
    64: "usage error", 65: "bad data", 66: "it can't read its input", 67: "no such user",
    68: "no such host", 69: "not available", 70: "internal error", 71: "system error",
    73: "it can't write", 74: "input or output failed", 75: "temporary failure", 76: "protocol error",
    77: "not allowed", 78: "configuration error",
  ]
}
