import FencepostCalendarModel
import FencepostSystem
import FencepostWebClient

/// A session with an IMAP server (RFC 3501), which reads a folder and changes nothing: mails that were not
/// read stay unread.
final class IMAPSession {
  /// A folder, as it was opened.
  struct Folder: Hashable {
    /// The numbers of mails are valid as long as this stays the same.
    var validity: UInt32
    /// The number that the next mail gets.
    var next: UInt32
  }

  private let channel: IMAPConnection
  private var tags = 0
  /// Whether the server tells of new mails by itself (RFC 2177).
  private(set) var canIdle = false

  /// Connects and signs in.
  init(_ account: MailServerStream.Account, interruptedBy interrupter: Int32) throws {
    channel = IMAPConnection(try MailServerStream(account), interruptedBy: interrupter)
    try command("CAPABILITY") { response in
      if response.text.hasPrefix("* CAPABILITY") {
        canIdle = response.text.uppercased().split(separator: " ").contains("IDLE")
      }
    }
  }

  /// Opens a folder to read.
  func examine(_ name: String) throws -> Folder {
    var folder = Folder(validity: 0, next: 0)
    try command("EXAMINE \(MailboxName.quoted(name))") { response in
      folder.validity = response.number(after: "[UIDVALIDITY ") ?? folder.validity
      folder.next = response.number(after: "[UIDNEXT ") ?? folder.next
    }
    return folder
  }

  /// The numbers of mails that match, in order.
  ///
  /// - Parameter criteria: Search keys of RFC 3501, section 6.4.4.
  func search(_ criteria: String) throws -> [UInt32] {
    var numbers: [UInt32] = []
    try command("UID SEARCH \(criteria)") { response in
      guard response.text.hasPrefix("* SEARCH") else { return }
      numbers += response.text.split(separator: " ").dropFirst(2).compactMap { UInt32($0) }
    }
    return numbers.sorted()
  }

  /// Reads mails, and leaves them unread. A mail that is gone or too large is passed over.
  func fetch(_ numbers: [UInt32], _ body: (UInt32, [UInt8]) throws -> Void) throws {
    let list = numbers.map(String.init).joined(separator: ",")
    try command("UID FETCH \(list) (UID BODY.PEEK[])") { response in
      guard let number = response.number(after: "UID "), let mail = response.literals.first else { return }
      try body(number, mail)
    }
  }

  /// Waits until the server tells of a change, or for some seconds.
  func idle(seconds: Double) throws {
    let tag = try send("IDLE")
    let deadline = ContinuousClock.now + .seconds(seconds)
    while let response = try channel.response(until: deadline) {
      if response.text.hasPrefix("\(tag) ") {
        // The server can't do it after all.
        canIdle = false
        return
      }
      try Self.check(response)
      if response.text.uppercased().hasSuffix(" EXISTS") { break }
    }
    try channel.send("DONE\r\n")
    try finish(tag) { _ in }
  }

  /// Lets the server take note of new mails.
  func poll() throws { try command("NOOP") { _ in } }

  private func command(_ text: String, _ untagged: (IMAPConnection.Response) throws -> Void) throws {
    try finish(try send(text), untagged)
  }

  private func send(_ text: String) throws -> String {
    tags += 1
    let tag = "F\(tags)"
    try channel.send("\(tag) \(text)\r\n")
    return tag
  }

  /// The most seconds that the server may be silent within an answer.
  private static let timeout = 60.0

  private func finish(_ tag: String, _ untagged: (IMAPConnection.Response) throws -> Void) throws {
    while true {
      guard let response = try channel.response(until: .now + .seconds(Self.timeout)) else {
        throw SystemFailure("read mails", reason: "the server did not answer")
      }
      if response.text.hasPrefix("\(tag) ") {
        let answer = response.text.dropFirst(tag.count + 1)
        guard answer.uppercased().hasPrefix("OK") else {
          throw SystemFailure("read mails", reason: "the server answered '\(Self.shown(answer))'")
        }
        return
      }
      try Self.check(response)
      try untagged(response)
    }
  }

  private static func check(_ response: IMAPConnection.Response) throws {
    guard response.text.uppercased().hasPrefix("* BYE") else { return }
    let words = shown(response.text.dropFirst(6))
    throw SystemFailure("read mails", reason: "the server ended the session: '\(words)'")
  }

  /// A server's words for a log.
  private static func shown(_ text: Substring) -> String { String(text.prefix(200)).withoutControls }
}

/// Names of folders as IMAP has them: quoted, in modified UTF-7 (RFC 3501, section 5.1.3).
enum MailboxName {
  /// `name` as a quoted string of a command.
  static func quoted(_ name: String) -> String {
    let encoded = encoded(name).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(encoded)\""
  }

  /// `Entwürfe` as `Entw&APw-rfe`.
  static func encoded(_ name: String) -> String {
    var result = ""
    var others: [UInt16] = []
    func flush() {
      guard !others.isEmpty else { return }
      result += "&\(base64(others.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }))-"
      others = []
    }
    for unit in name.utf16 {
      guard (0x20...0x7E).contains(unit) else {
        others.append(unit)
        continue
      }
      flush()
      result += unit == 0x26 ? "&-" : String(UnicodeScalar(UInt8(unit)))
    }
    flush()
    return result
  }

  /// Base64 with a comma in place of the slash, and without padding.
  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,")
    var result = ""
    var (bits, count): (UInt32, Int) = (0, 0)
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        result.append(digits[Int(bits >> count & 0x3F)])
      }
    }
    if count > 0 { result.append(digits[Int(bits << (6 - count) & 0x3F)]) }
    return result
  }
}
