import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostMail
import FencepostRecurrence
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostChannels

@Suite("Mails")
struct MailTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  /// Installs a mailer and delivers the firing; returns the failure, and the time of the next attempt.
  private func deliver(_ script: String, from: String = "") throws -> (failure: String?, next: Instant?) {
    let mailer = fixture.directory.path("sendmail")
    // Another program writes the file: a file that is open for writing here could not be executed while other
    // tests start programs.
    let writer = ChildProgram(path: "/bin/sh", arguments: ["-c", "cat > '\(mailer)'; chmod 700 '\(mailer)'"])
    #expect(try writer.run(input: Array(("#!/bin/sh\n" + script).utf8), timeout: 30) == .exited(0))
    let text = "mailto:anna@example.org,ben@example.org?sendmail=\(mailer)\(from)"
    let address = try ChannelAddress(text)
    let context = ChannelContext(
      store: fixture.store, resolver: fixture.resolver, log: Log { _, _ in })
    let clock = fixture.clock
    var givenUp: String?
    var loop = DeliveryLoop(
      name: "mail", channel: try address.open(context), store: fixture.store,
      resolver: fixture.resolver, clock: { clock.now }, log: { givenUp = $0 })
    let next = try loop.run()
    return (loop.lastError ?? givenUp, next)
  }

  private func fire(_ title: String) throws {
    try fixture.reminder(title, LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine(channels: ["mail"])
    #expect(
      try engine.process([fixture.fix(0, 500), fixture.fix(10, 0)], at: fixture.clock.now).count == 1)
  }

  @Test("The mailer gets a complete message, which contains the recipients")
  func message() throws {
    try fire("Äpfel & Öl")
    let path = fixture.directory.path("message")
    let result = try deliver("echo \"$@\" > '\(path).words'; cat > '\(path)'", from: "&from=me@example.org")
    #expect(result.failure == nil && result.next == nil)
    #expect(try String(contentsOfFile: path + ".words", encoding: .utf8) == "-i -t\n")
    let message = try String(contentsOfFile: path, encoding: .utf8)
    let parts = message.components(separatedBy: "\n\n")
    let headers = parts[0].components(separatedBy: "\n")
    #expect(headers.starts(with: ["From: me@example.org", "To: anna@example.org,", " ben@example.org"]))
    #expect(headers.contains("Subject: =?utf-8?B?w4RwZmVsICYgw5Zs?="))
    #expect(headers.contains("Date: 2 May 2026 06:00:10 +0000"))
    #expect(headers.contains("Auto-Submitted: auto-generated"))
    let identifiers = headers.filter { $0.hasPrefix("Message-ID: <") }
    #expect(identifiers.count == 1)
    let body = try #require(Data(base64Encoded: parts[1], options: .ignoreUnknownCharacters))
    let text = String(decoding: body, as: UTF8.self)
    #expect(text.hasPrefix("Arrived at Place, 2026-05-02 08:00 (phone)\r\n"))
  }

  @Test("Retries have the same Message-ID")
  func identifier() throws {
    try fire("Milk")
    let path = fixture.directory.path("message")
    #expect(try deliver("cat > '\(path).1'; exit 75").failure?.contains("75 (temporary failure)") == true)
    fixture.clock.advance(by: 100)
    #expect(try deliver("cat > '\(path).2'").failure == nil)
    let messages = try ["1", "2"].map { try String(contentsOfFile: "\(path).\($0)", encoding: .utf8) }
    #expect(messages[0] == messages[1])
    #expect(messages[0].contains("Message-ID: <"))
  }

  @Test(
    "Only an invalid message is given up",
    arguments: [(65, true), (75, false), (67, false), (1, false)])
  func statuses(status: Int, isFinal: Bool) throws {
    try fire("Milk")
    let result = try deliver("exit \(status)")
    #expect(result.failure != nil)
    #expect((result.next == nil) == isFinal)
  }

  @Test(
    "A title can't create another header, and headers respect the line limit",
    arguments: [
      "Milk\nBcc: eve@example.org", "Milk\r\nBcc: eve@example.org", "Milk\u{2028}Bcc: e@e", "=?utf-8?Q?x?=",
      String(repeating: "ä", count: 500), String(repeating: "👩‍👩‍👧‍👦", count: 100), "\u{0}\u{7F}\u{85}", "",
      String(repeating: "a", count: 5_000),
    ])
  func injection(title: String) throws {
    try fire(title.isEmpty ? " " : title)
    let entry = try #require(try fixture.store.read { try $0.firings() }.first)
    let words = FiringWords(resolver: fixture.resolver)
    let message = OutgoingMail(
      recipients: ["a@b"], sender: nil, subject: words.title(entry), identifier: "id", host: "ho st\n",
      date: entry.firing.time, lines: words.lines(entry)
    ).text
    let headers = message.components(separatedBy: "\n\n")[0].components(separatedBy: "\n")
    let names = headers.filter { !$0.hasPrefix(" ") }.compactMap { $0.split(separator: ":").first }
    #expect(
      names == [
        "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
        "Content-Transfer-Encoding",
      ])
    #expect(headers.allSatisfy { $0.utf8.count <= 78 && $0.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
  }
}
