import FencepostAddresses
public import FencepostCalendarStore
import FencepostCryptography
import FencepostJSON
package import FencepostSystem
import FoundationEssentials
import Glibc
import Synchronization

/// `apprise:URL`, or `apprise:/PATH` for a configuration file of Apprise: one of its services, or all of the
/// file.
public struct AppriseAddress: Hashable, Sendable, CustomStringConvertible {
  /// An address of a service, or the path of a file.
  let target: String

  init(_ words: AddressParameters) throws(AddressError) {
    target = String(words.rest.dropFirst("apprise:".count))
    guard isFile || target.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*:\/\/.+/) != nil else {
      throw words.failure("use apprise:URL, such as apprise:json://localhost, or apprise:/PATH of a file")
    }
  }

  /// Whether it is a configuration file.
  var isFile: Bool { target.hasPrefix("/") }

  /// The file; or the scheme, and a hash of the address, all of which may be secret.
  public var description: String {
    if isFile { return "apprise:\(target)" }
    return "apprise:\(target.prefix { $0 != ":" })-\(MessageDigest.digits(of: target, count: 8))"
  }
}

extension AppriseAddress: ChannelForm {
  package var problem: String? {
    if isFile, let problem = AccessCheck.problem(reading: target) { return problem }
    return AccessCheck.problem { _ = try AppriseProgram.interpreter() }
  }
  package var holdsSecret: Bool { !isFile }
  package var secretFile: String? { isFile ? target : nil }
  package var backoff: Backoff { .ofServers }
  package func open(_ context: ChannelContext) -> any Channel {
    AppriseChannel(self, words: NoticeWords(resolver: context.resolver))
  }
}

/// Sends each notice by Apprise (https://github.com/caronc/apprise), which knows a hundred services.
///
/// The address and the texts go to a Python program on its standard input: a command line is readable for
/// others on this machine, and the command `apprise` takes the title there.
public final class AppriseChannel: Channel {
  private let address: AppriseAddress
  private let words: NoticeWords
  private let running = Mutex<ChildProcess?>(nil)

  init(_ address: AppriseAddress, words: NoticeWords) {
    self.address = address
    self.words = words
  }

  /// Sends the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    guard !delivery.notice.isAnswered else { return }
    var message = JSONLine()
    message.add(address.isFile ? "file" : "url", address.target)
    message.add("title", words.title(delivery.notice))
    message.add("body", words.lines(delivery.notice).joined(separator: "\n"))
    defer { running.withLock { $0 = nil } }
    do {
      try AppriseProgram.interpreter().deliver(Array(message.line.utf8), timeout: 60) { process in
        running.withLock { $0 = process }
      }
    } catch let failure as DeliveryFailure {
      throw failure
    } catch {
      throw DeliveryFailure("\(error)")
    }
  }

  /// Kills the program.
  public func abandon() { running.withLock { $0?.send(SIGKILL) } }
}

/// Apprise as a Python library.
enum AppriseProgram {
  /// A message of standard input is sent. Statuses are those of sysexits.h; what Apprise says of a failure goes
  /// to standard error, without secrets.
  private static let script = """
    import sys
    sys.path[:] = [path for path in sys.path if path]
    import json
    try:
        import apprise
    except ImportError:
        sys.exit("Apprise is not there for " + sys.executable)
    message = json.load(sys.stdin)
    service = apprise.Apprise()
    if "file" in message:
        source = apprise.AppriseConfig()
        source.add(message["file"])
    else:
        source = message["url"]
    if not service.add(source) or len(service) == 0:
        sys.exit(78)
    kind = apprise.NotifyFormat.TEXT
    sys.exit(0 if service.notify(message["body"], title=message["title"], body_format=kind) else 75)
    """

  /// The Python that the command `apprise` runs with: only that one is sure to know the library.
  ///
  /// - Parameter path: The folders to search for the command; `nil` for those of the environment.
  static func interpreter(path: String? = nil) throws -> ChildProgram {
    let folders = path ?? getenv("PATH").map { String(cString: $0) } ?? "/usr/bin"
    for folder in folders.split(separator: ":") {
      let command = "\(folder)/apprise"
      guard access(command, X_OK) == 0, let head = FileHead.read(command, upTo: 256) else { continue }
      let line = String(decoding: head.prefix { $0 != 0x0A }, as: UTF8.self)
      let words = line.dropFirst(2).split(separator: " ").map(String.init)
      guard line.hasPrefix("#!"), let interpreter = words.first, interpreter.hasPrefix("/") else { continue }
      return ChildProgram(path: interpreter, arguments: words.dropFirst() + ["-c", script])
    }
    throw SystemFailure("find the command apprise", reason: "install the package apprise")
  }
}
