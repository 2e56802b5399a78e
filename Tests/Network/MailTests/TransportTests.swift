import FencepostSpatiotemporal
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostMail

@Suite("Mails on their way")
struct TransportTests {
  private static func mail() -> OutgoingMail {
    var mail = OutgoingMail(
      recipients: ["olga@team.example"], sender: "me@home.example", subject: "Accepted: Grüße",
      identifier: "ab-1",
      host: "home", date: .epoch, lines: ["I come.", ".", "Bye"])
    mail.calendar = OutgoingMail.Calendar(text: "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", method: "REPLY")
    mail.isAutomatic = false
    return mail
  }

  private func send(
    _ address: String, begin: @escaping () -> Bool = { true }
  ) throws -> MailFailure? {
    let transport = try MailTransport(address)
    do throws(MailFailure) {
      try transport.send(Self.mail(), begin: begin)
      return nil
    } catch {
      return error
    }
  }

  @Test("A mail with a calendar has a text for people and the calendar with its method")
  func text() throws {
    let text = Self.mail().text
    #expect(text.contains("Content-Type: multipart/alternative; boundary=\"--=_ab1\"\n"))
    #expect(text.contains("Content-Type: text/calendar; charset=utf-8; method=REPLY\n"))
    #expect(text.contains("Message-ID: <ab-1@home>\n") && !text.contains("Auto-Submitted"))
    #expect(text.contains("Subject: =?utf-8?B?QWNjZXB0ZWQ6IEdyw7zDn2U=?=\n"))
    #expect(text.hasSuffix("----=_ab1--\n"))
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).allSatisfy { $0.utf8.count < 79 })
  }

  @Test("A server gets the mail once, after it was asked whether it may begin")
  func server() throws {
    let server = try SMTPStandIn()
    let calls = Calls()
    #expect(
      try send(
        "smtp://me%40home.example:a%20b@127.0.0.1:\(server.port)", begin: { calls.begin(server.mails.count) })
        == nil)
    #expect(calls.counts == [0])
    #expect(server.mails.count == 1 && server.mails[0].contains("To: olga@team.example\r\n"))
    #expect(
      server.commands.contains("MAIL FROM:<me@home.example>")
        || server.commands.contains { $0.hasPrefix("MAIL FROM:<me@home.example>") })
    #expect(server.commands.contains { $0.hasPrefix("RCPT TO:<olga@team.example>") })
    let secret = Data("\u{0}me@home.example\u{0}a b".utf8).base64EncodedString()
    #expect(
      server.commands.contains { $0.hasPrefix("AUTH PLAIN") }
        && server.commands.contains { $0.contains(secret) })
  }

  private final class Calls {
    var counts: [Int] = []

    func begin(_ count: Int, _ answer: Bool = true) -> Bool {
      counts.append(count)
      return answer
    }
  }

  @Test("What a server refuses did not arrive; what it does not answer may have")
  func failures() throws {
    for (behaviour, isFinal, mayHaveArrived, begins) in [
      (SMTPStandIn.Behaviour.refuseRecipient("550 no such user"), true, false, 0),
      (.refuseRecipient("450 try later"), false, false, 0), (.refuseText("554 spam"), true, false, 1),
      (.refuseText("452 full"), false, false, 1), (.hangUp, false, true, 1),
    ] {
      let server = try SMTPStandIn { behaviour }
      let calls = Calls()
      let failure = try send("smtp://127.0.0.1:\(server.port)", begin: { calls.begin(0) })
      #expect(
        failure?.isFinal == isFinal && failure?.mayHaveArrived == mayHaveArrived,
        "\(String(describing: failure))")
      #expect(calls.counts.count == begins)
    }
    let stopped = try SMTPStandIn()
    let failure = try send("smtp://127.0.0.1:\(stopped.port)", begin: { false })
    #expect(failure?.mayHaveArrived == false && stopped.mails.allSatisfy { $0.isEmpty })
    #expect(try send("smtp://127.0.0.1:1")?.description.contains("can't connect") == true)
  }

  @Test("A program gets the mail; its status says what became of it")
  func program() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("sendmail")
    func install(_ script: String) throws {
      let writer = ChildProgram(path: "/bin/sh", arguments: ["-c", "cat > '\(path)'; chmod 700 '\(path)'"])
      #expect(try writer.run(input: Array("#!/bin/sh\n\(script)".utf8), timeout: 30) == .exited(0))
    }
    try install("cat > '\(path).mail'; echo \"$@\" > '\(path).words'")
    #expect(try send("sendmail:\(path)") == nil)
    #expect(try String(contentsOfFile: path + ".mail", encoding: .utf8) == Self.mail().text)
    #expect(try String(contentsOfFile: path + ".words", encoding: .utf8) == "-i -t\n")
    try install("exit 75")
    #expect(try send("sendmail:\(path)").map { $0.isFinal || $0.mayHaveArrived } == false)
    try install("exit 65")
    #expect(try send("sendmail:\(path)")?.isFinal == true)
    try install("kill -9 $$")
    #expect(try send("sendmail:\(path)")?.mayHaveArrived == true)
  }

  @Test(
    "An address that is no way of mails is refused, and passwords are not shown",
    arguments: [
      "http://x", "smtps://", "smtps://host/path", "smtps://host?x=1", "sendmail:msmtp", "anna@example.org",
    ])
  func wrong(address: String) {
    #expect(throws: (any Error).self) { try MailTransport(address) }
  }

  @Test("Shown without user and password; TLS unless on this machine")
  func shown() throws {
    #expect(try MailTransport("smtps://anna:secret@mail.example").description == "smtps://mail.example:465")
    #expect(try MailTransport("smtp://anna:secret@mail.example").description == "smtp://mail.example:587")
    #expect(try MailTransport("sendmail:").description == "sendmail:/usr/sbin/sendmail")
    #expect(try MailTransport("smtps://anna@mail.example").problem?.contains("password-file") == true)
  }

  @Test("Encoded words decode to the original text")
  func encodedWords() throws {
    for title in ["Äpfel", String(repeating: "ä", count: 99), "a" + String(repeating: "👩‍👩‍👧‍👦", count: 40)] {
      var bytes: [UInt8] = []
      for word in OutgoingMail.encoded(title).components(separatedBy: "\n ") {
        #expect(word.utf8.count <= 66)
        let base64 = word.dropFirst("=?utf-8?B?".count).dropLast(2)
        let data = try #require(Data(base64Encoded: String(base64)))
        #expect(String(validating: data, as: UTF8.self) != nil)
        bytes += data
      }
      #expect(String(decoding: bytes, as: UTF8.self) == title)
    }
  }
}
