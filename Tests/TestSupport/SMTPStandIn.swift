import Foundation
import Glibc
import Synchronization

/// A mail server on loopback that keeps what it gets. It ends with its last reference.
public final class SMTPStandIn: Sendable {
  /// What it does with a mail.
  public enum Behaviour: Sendable {
    case accept
    /// It refuses the recipient with this reply, for example `550 no such user`.
    case refuseRecipient(String)
    /// It refuses the text.
    case refuseText(String)
    /// It hangs up once it has the text, without an answer.
    case hangUp
  }

  /// Its port.
  public var port: UInt16 { listener.port }
  private let listener: LoopbackListener
  private let log = Mutex<(mails: [String], commands: [String])>(([], []))

  /// The texts of the mails so far, also of those that it refused.
  public var mails: [String] { log.withLock { $0.mails } }
  /// The commands of clients so far.
  public var commands: [String] { log.withLock { $0.commands } }

  /// A server; `behaviour` is asked for each mail.
  public init(_ behaviour: @escaping @Sendable () -> Behaviour = { .accept }) throws {
    listener = try LoopbackListener()
    listener.start { [weak self] client in self?.serve(client, behaviour()) }
  }

  private func serve(_ client: Int32, _ behaviour: Behaviour) {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    func say(_ line: String) {
      let bytes = Array((line + "\r\n").utf8)
      _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
    func line() -> String? {
      while true {
        if let end = received.firstIndex(of: 10) {
          let line = String(decoding: received[..<end], as: UTF8.self)
          received.removeSubrange(...end)
          return line.hasSuffix("\r") ? String(line.dropLast()) : line
        }
        let count = recv(client, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        received += buffer.prefix(count)
      }
    }
    say("220 stand-in")
    while let command = line() {
      log.withLock { $0.commands.append(command) }
      switch command.prefix(4).uppercased() {
      case "EHLO": say("250-stand-in\r\n250 AUTH PLAIN")
      case "AUTH":
        if command.split(separator: " ").count < 3 {
          say("334 ")
          guard let secret = line() else { return }
          log.withLock { $0.commands.append(secret) }
        }
        say("235 welcome")
      case "RCPT":
        if case .refuseRecipient(let reply) = behaviour { say(reply) } else { say("250 OK") }
      case "DATA":
        say("354 go on")
        var text = ""
        while let next = line(), next != "." { text += next + "\r\n" }
        log.withLock { $0.mails.append(text) }
        switch behaviour {
        case .hangUp: return
        case .refuseText(let reply): say(reply)
        default: say("250 taken")
        }
      case "QUIT":
        say("221 bye")
        return
      default: say("250 OK")
      }
    }
  }
}
