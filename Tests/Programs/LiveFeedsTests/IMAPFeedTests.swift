import FencepostAlarmTestSupport
import FencepostAddresses
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import FencepostTestSupport
import Testing

@testable import FencepostLiveFeeds

@Suite("Mails of a folder on a server")
struct IMAPFeedTests {
  private static func booking(_ reference: String) -> String {
    """
    From: b@air.example\r
    Message-ID: <\(reference)@air.example>\r
    Content-Type: text/html\r
    \r
    <script type="application/ld+json">{"@type":"TaxiReservation","reservationId":"\(reference)",\r
    "pickupTime":"2031-02-02T06:30:00","pickupLocation":"\(reference) Street"}</script>\r

    """
  }

  private static func address(_ server: IMAPStandIn, folder: String = "INBOX") throws -> IMAPAddress {
    guard
      case .imap(var address) = try FeedAddress(
        "imaps://ann%40air.example:secret@127.0.0.1:\(server.port)/\(folder)")
    else { throw SystemFailure("read mails", reason: "no IMAP address") }
    address.isEncrypted = false
    return address
  }

  private static func run(_ server: IMAPStandIn, _ fixture: LiveAlarmFixture) throws -> FeedRunner {
    let runner = try FeedRunner(
      .imap(address(server)), identity: "test", devices: DeviceRegistry(),
      mailbox: try BoundedQueue(capacity: 1),
      log: Log { _, _ in }, inbox: .init(store: fixture.store, resolver: fixture.resolver))
    try runner.start()
    return runner
  }

  private static func references(_ fixture: LiveAlarmFixture) throws -> [String] {
    try fixture.store.read { try $0.suggestions() }.map(\.reference).sorted()
  }

  @Test("Mails that are there and mails that the server tells of are read, each once, and stay unread")
  func arrives() throws {
    let fixture = try LiveAlarmFixture()
    let server = try IMAPStandIn(
      .init(mails: [3: Self.booking("A1"), 4: "From: a@b.example\r\n\r\nHello\r\n"]))
    let runner = try Self.run(server, fixture)
    #expect(try eventually { try Self.references(fixture) == ["A1"] })
    #expect(eventually { server.isIdling })
    server.add(Self.booking("B2"), number: 5)
    #expect(try eventually { try Self.references(fixture) == ["A1", "B2"] })
    #expect(eventually { server.isIdling })
    runner.stop()
    #expect(eventually { !server.isIdling })
    // The next start continues after the last mail.
    server.add(Self.booking("C3"), number: 9)
    server.set { $0.commands = [] }
    let next = try Self.run(server, fixture)
    defer { next.stop() }
    #expect(try eventually { try Self.references(fixture) == ["A1", "B2", "C3"] })
    #expect(server.commands.contains("UID SEARCH UID 6:*"))
    #expect(server.commands.filter { $0.hasPrefix("UID FETCH") } == ["UID FETCH 9 (UID BODY.PEEK[])"])
    #expect(!server.commands.contains { $0.contains("STORE") || $0.hasPrefix("SELECT") })
  }

  @Test("A folder whose numbers are no longer valid is read again, and what is known stays once")
  func renumbered() throws {
    let fixture = try LiveAlarmFixture()
    let server = try IMAPStandIn(.init(mails: [9: Self.booking("A1")]))
    let runner = try Self.run(server, fixture)
    #expect(try eventually { try Self.references(fixture) == ["A1"] })
    #expect(eventually { server.isIdling })
    runner.stop()
    #expect(eventually { !server.isIdling })
    server.set {
      $0.validity = 8
      $0.mails = [1: Self.booking("A1"), 2: Self.booking("B2")]
    }
    let next = try Self.run(server, fixture)
    defer { next.stop() }
    #expect(try eventually { try Self.references(fixture) == ["A1", "B2"] })
  }

  @Test(
    "What is no proper answer ends the session with a message, and nothing is read",
    arguments: [
      "* BYE shutting down\r\n", "* 1 FETCH (UID 1 BODY[] {99999999999}\r\n",
      "* 1 FETCH (UID 1 BODY[] {3}\r\nabc",
      "garbage\r\n",
    ])
  func improper(answer: String) throws {
    let fixture = try LiveAlarmFixture()
    let server = try IMAPStandIn(.init(mails: [1: Self.booking("A1")], insteadOfAnswer: answer))
    let runner = try Self.run(server, fixture)
    defer { runner.stop() }
    // A session without an answer is still open; the others have failed.
    _ = eventually { !server.commands.isEmpty }
    #expect(try Self.references(fixture) == [])
  }

  @Test("An address names user, host and folder, and never shows its password")
  func addresses() throws {
    let address = try FeedAddress(
      "imaps://ann%40a.example:s3cret@mail.a.example/Travel/Old?cafile=/etc/ca.pem")
    #expect(address.description == "imaps://ann%40a.example@mail.a.example:993/Travel/Old")
    #expect(address.holdsSecret)
    let open = try FeedAddress("imaps://ann@mail.a.example")
    #expect(open.description == "imaps://ann@mail.a.example:993/INBOX")
    #expect(open.problem?.contains("password-file") == true)
    #expect(throws: AddressError.self) { try FeedAddress("imaps://mail.a.example/INBOX") }
    #expect(throws: AddressError.self) { try FeedAddress("imaps://ann@mail.a.example/INBOX?idle=1") }
    #expect(throws: AddressError.self) { try FeedAddress("imaps://ann@mail.a.example/A%0d%0aB") }
  }

  @Test("Names of folders are quoted, in modified UTF-7")
  func names() {
    #expect(MailboxName.quoted("INBOX") == "\"INBOX\"")
    #expect(MailboxName.quoted("Entwürfe & \"mehr\"") == "\"Entw&APw-rfe &- \\\"mehr\\\"\"")
    #expect(MailboxName.encoded("日本語") == "&ZeVnLIqe-")
    #expect(MailboxName.encoded("~peter/mail/台北/日本語") == "~peter/mail/&U,BTFw-/&ZeVnLIqe-")
    #expect(IMAPFeed.date(Instant(seconds: 1_777_701_600)) == "2-May-2026")
  }
}
