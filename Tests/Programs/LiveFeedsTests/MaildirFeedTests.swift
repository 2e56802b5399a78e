import FencepostAlarmTestSupport
import FencepostAddresses
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostSystem
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostLiveFeeds

@Suite("Mails of a Maildir")
struct MaildirFeedTests {
  private static let booking = """
    From: b@air.example
    Message-ID: <1@air.example>
    Content-Type: text/html

    <script type="application/ld+json">{"@type":"TaxiReservation","reservationId":"X9",
    "pickupTime":"2031-02-02T06:30:00","pickupLocation":"1 Main Street"}</script>
    """

  @Test("Mails that are there and mails that arrive are read, each once, until the feed is stopped")
  func arrives() throws {
    let fixture = try LiveAlarmFixture()
    let directory = fixture.directory
    for name in ["new", "cur", "tmp"] {
      try FileManager.default.createDirectory(
        atPath: directory.path("Mail/\(name)"), withIntermediateDirectories: true)
    }
    try directory.write(Self.booking, to: "Mail/cur/1.host:2,S")
    let runner = try FeedRunner(
      FeedAddress("maildir:\(directory.path("Mail"))"), identity: "test", devices: DeviceRegistry(),
      mailbox: try BoundedQueue(capacity: 1), log: Log { _, _ in },
      inbox: .init(store: fixture.store, resolver: fixture.resolver))
    try runner.start()
    defer { runner.stop() }
    func references() throws -> [String] {
      try fixture.store.read { try $0.suggestions() }.map(\.reference).sorted()
    }
    #expect(try eventually { try references() == ["X9"] })
    #expect(eventually { runner.status.current.state == .open })
    let second = Self.booking.replacing("X9", with: "Y1").replacing("Main", with: "High").replacing(
      "<1@", with: "<2@")
    try directory.write(second, to: "Mail/tmp/2.host")
    try FileManager.default.moveItem(
      atPath: directory.path("Mail/tmp/2.host"), toPath: directory.path("Mail/new/2.host"))
    #expect(try eventually { try references() == ["X9", "Y1"] })
    #expect(try eventually { try fixture.store.read { try $0.scannedMails() }.count >= 2 })
  }

  @Test("A Maildir that is missing is an error that names it")
  func missing() throws {
    let address = try FeedAddress("maildir:/none")
    #expect(address.description == "maildir:/none")
    #expect(address.problem?.contains("/none/new") == true)
    #expect(throws: AddressError.self) { try FeedAddress("maildir:") }
  }
}
