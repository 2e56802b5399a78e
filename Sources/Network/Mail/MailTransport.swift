public import FencepostAddresses
import FencepostAlgorithms
import FencepostSystem
import FencepostWebClient
import Glibc

/// The way of mails out of this machine: a program, or a mail server.
///
/// As text: `sendmail:` or `sendmail:/PATH` for a program with the interface of sendmail(8);
/// `smtps://USER:PASSWORD@HOST[:PORT]` or `smtp://…[?cafile=PATH]` for a server.
public struct MailTransport: Hashable, Sendable, CustomStringConvertible {
  private enum Way: Hashable, Sendable {
    case program(String)
    case server(MailSubmission.Server)
  }

  private let way: Way
  /// The user at the server, who is the sender of mails that name none; `nil` for a program.
  public let user: String?

  /// A program with the interface of sendmail(8).
  public init(program path: String) {
    self.init(.program(path), user: nil)
  }

  private init(_ way: Way, user: String?) {
    self.way = way
    self.user = user
  }

  /// - Throws: ``Addresses/AddressError`` for anything else than the above.
  public init(_ text: String) throws(AddressError) {
    var words = try AddressParameters(text)
    if words.base == "sendmail:" || words.base.hasPrefix("sendmail:/") {
      try words.finish([])
      let path = words.base.dropFirst("sendmail:".count)
      self.init(program: path.isEmpty ? "/usr/sbin/sendmail" : String(path))
      return
    }
    let parts = try URLParts(words)
    guard parts.scheme == "smtps" || parts.scheme == "smtp", let host = parts.host else {
      throw words.failure("use smtps://USER@HOST, smtp://USER@HOST or sendmail:/PATH")
    }
    guard parts.path.isEmpty || parts.path == "/" else {
      throw words.failure("nothing may follow the server's name")
    }
    let authorities = try words.take("cafile")
    try words.finish(["cafile"])
    let isSecure = parts.scheme == "smtps"
    let port = parts.port ?? (isSecure ? 465 : 587)
    let server = MailSubmission.Server(
      url: "\(parts.scheme)://\(HostName.text(host)):\(port)", user: parts.user, password: parts.password,
      authorities: authorities, needsTLS: isSecure || !HostName.isLoopback(host))
    self.init(.server(server), user: parts.user)
  }

  /// Without user and password.
  public var description: String {
    switch way {
    case .program(let path): "sendmail:\(path)"
    case .server(let server): server.url
    }
  }

  /// Why it can't work, one line; `nil` if there is no known reason. It does not contact the server.
  public var problem: String? {
    switch way {
    case .program(let path): AccessCheck.problem(running: path)
    case .server(let server):
      server.user != nil && server.password == nil
        ? "no password; add 'password-file' in the settings file"
        : server.authorities.flatMap { AccessCheck.problem(reading: $0) }
    }
  }

  /// Sends a mail. It blocks, for a minute at most.
  ///
  /// - Parameters:
  ///   - mail: The mail.
  ///   - begin: Called once, right before the mail may arrive. False stops it.
  /// - Throws: ``MailFailure``.
  public func send(_ mail: OutgoingMail, begin: @escaping () -> Bool) throws(MailFailure) {
    switch way {
    case .program(let path): try run(path, mail, begin)
    case .server(let server):
      let bytes = Array(mail.text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n").utf8)
      let sender = mail.sender ?? user ?? ""
      do {
        try MailSubmission.send(
          bytes, from: sender, to: mail.recipients, by: server, helo: OutgoingMail.domain(mail.host),
          begin: begin)
      } catch {
        throw MailFailure(
          "\(server.url): \(error.description)", isFinal: error.isFinal, mayHaveArrived: error.mayHaveArrived)
      }
    }
  }

  private func run(
    _ path: String, _ mail: OutgoingMail, _ begin: () -> Bool
  ) throws(MailFailure) {
    guard begin() else { throw MailFailure("\(path): stopped") }
    // -i: a line with a single dot does not end the message; -t: the recipients are in it.
    let program = ChildProgram(path: path, arguments: ["-i", "-t"])
    do {
      switch try program.run(input: Array(mail.text.utf8), timeout: 60, output: STDERR_FILENO) {
      case .exited(0): return
      case .exited(let status):
        throw MailFailure("\(path): exit status \(status)", isFinal: status == 65)
      case .killed(let signal):
        throw MailFailure("\(path): was killed by signal \(signal)", mayHaveArrived: true)
      case .timedOut: throw MailFailure("\(path): timed out after 60 s", mayHaveArrived: true)
      }
    } catch let failure as MailFailure {
      throw failure
    } catch {
      throw MailFailure("\(path): \(error)")
    }
  }
}

/// Why a mail was not sent. Its description is one line.
public struct MailFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public var description: String
  /// Whether it will fail again.
  public var isFinal: Bool
  /// Whether the mail may have arrived all the same.
  public var mayHaveArrived: Bool

  init(_ description: String, isFinal: Bool = false, mayHaveArrived: Bool = false) {
    self.description = description
    self.isFinal = isFinal
    self.mayHaveArrived = mayHaveArrived
  }
}
