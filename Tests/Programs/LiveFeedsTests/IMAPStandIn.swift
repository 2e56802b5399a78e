import FencepostTestSupport
import Foundation
import Glibc
import Synchronization

/// An IMAP server on the loopback interface with one folder. It serves one client at a time, on its own
/// thread.
final class IMAPStandIn: Sendable {
  struct State {
    /// The mails by number.
    var mails: [UInt32: String] = [:]
    var validity: UInt32 = 7
    var canIdle = true
    /// What clients asked for, without tags.
    var commands: [String] = []
    /// An answer to every command instead of the true one.
    var insteadOfAnswer: String?
  }

  var port: UInt16 { listener.port }
  private let listener: LoopbackListener
  private let state: Mutex<State>
  /// The client that waits for news.
  private let idling = Mutex<Int32>(-1)

  init(_ state: sending State) throws {
    self.state = Mutex(state)
    listener = try LoopbackListener()
    listener.start { [weak self] client in self?.serve(client) }
  }

  var commands: [String] { state.withLock { $0.commands } }
  var isIdling: Bool { idling.withLock { $0 } >= 0 }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// Adds a mail, and tells a client that waits.
  func add(_ mail: String, number: UInt32) {
    let count = state.withLock { state in
      state.mails[number] = mail
      return state.mails.count
    }
    idling.withLock { if $0 >= 0 { Self.write("* \(count) EXISTS\r\n", to: $0) } }
  }

  private static func write(_ text: String, to client: Int32) {
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  private func serve(_ client: Int32) {
    Self.write("* OK ready\r\n", to: client)
    var received: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    var idleTag = ""
    while true {
      while let end = received.firstIndex(of: 0x0A) {
        let line = String(decoding: received[..<end], as: UTF8.self).trimmingCharacters(in: .newlines)
        received.removeFirst(end + 1)
        let (tag, command) = (line.prefix { $0 != " " }, line.drop { $0 != " " }.dropFirst())
        if line == "DONE" {
          idling.withLock { $0 = -1 }
          Self.write("\(idleTag) OK\r\n", to: client)
          continue
        }
        state.withLock { $0.commands.append(command.hasPrefix("LOGIN") ? "LOGIN" : String(command)) }
        if command == "IDLE" {
          idleTag = String(tag)
          Self.write("+ idling\r\n", to: client)
          idling.withLock { $0 = client }
          continue
        }
        Self.write(answer(String(command)) + "\(tag) OK\r\n", to: client)
        if command == "LOGOUT" { return }
      }
      let count = recv(client, &block, block.count, 0)
      guard count > 0 else {
        idling.withLock { $0 = -1 }
        return
      }
      received += block.prefix(count)
    }
  }

  private func answer(_ command: String) -> String {
    state.withLock { state in
      if let answer = state.insteadOfAnswer, !command.hasPrefix("LOGIN") { return answer }
      let numbers = state.mails.keys.sorted()
      let words = command.split(separator: " ").map(String.init)
      switch words.prefix(2).joined(separator: " ") {
      case "CAPABILITY": return "* CAPABILITY IMAP4rev1\(state.canIdle ? " IDLE" : "")\r\n"
      case let text where text.hasPrefix("EXAMINE"):
        return "* \(numbers.count) EXISTS\r\n* OK [UIDVALIDITY \(state.validity)] valid\r\n"
          + "* OK [UIDNEXT \((numbers.last ?? 0) + 1)] next\r\n"
      case "UID SEARCH":
        // As servers do, a range has the last mail at least.
        let first = words.last.flatMap { UInt32($0.prefix { $0 != ":" }) } ?? 0
        let found = numbers.filter { $0 >= first }
        return
          "* SEARCH \((found.isEmpty ? numbers.suffix(1) : found).map(String.init).joined(separator: " "))\r\n"
      case "UID FETCH":
        return words[2].split(separator: ",").compactMap { UInt32($0) }.compactMap { number in
          state.mails[number].map { mail in
            "* 1 FETCH (UID \(number) BODY[] {\(mail.utf8.count)}\r\n\(mail))\r\n"
          }
        }.joined()
      default: return ""
      }
    }
  }
}
