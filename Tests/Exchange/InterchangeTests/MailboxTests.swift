import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostReservations
import FencepostTestSupport
import Testing

@testable import FencepostInterchange

@Suite("Files with many mails")
struct MailboxTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static func mail(_ number: Int, status: String = "0001") -> String {
    """
    From - Thu Nov 26 17:00:0\(number % 10) 2026
    X-Mozilla-Status: \(status)
    From: a@air.example
    Date: \(number) Dec 2026 12:00:00 +0000
    Message-ID: <\(number)@air.example>
    Content-Type: text/html

    From me to you, 2026 is no start of a mail

    From here it is a text without a date

    <script type="application/ld+json">{"@type":"TaxiReservation","reservationId":"N\(number)","pickupTime":
    "2027-03-04T06:30","pickupLocation":{"name":"Home"}}</script>


    """
  }

  private func references(_ source: String) throws -> [String] {
    let store = try CalendarStore()
    try SuggestionScan(store, resolver: TimeResolver(), at: .epoch).run(
      source, skipped: { Issue.record("\($0)") }, progress: { _, _ in }
    ) { _ in }
    return try store.read { try $0.suggestions() }.map(\.reference).sorted()
  }

  @Test("are read whole, alone and in a folder, without what Thunderbird has deleted")
  func reading() throws {
    let text = Self.mail(1) + Self.mail(2) + Self.mail(3, status: "0009") + Self.mail(4)
    let path = try directory.write(text, to: "INBOX")
    #expect(try references(path) == ["N1", "N2", "N4"])
    #expect(try references(directory.path("")) == ["N1", "N2", "N4"])
    let windows = try directory.write(text.replacing("\n", with: "\r\n"), to: "Windows")
    #expect(try references(windows) == ["N1", "N2", "N4"])
  }

  @Test("are split wherever a block ends")
  func blocks() throws {
    let count = 9_000
    let text = (0..<count).map { _ in Self.mail(1) }.joined()
    let path = try directory.write(text, to: "Archive")
    var (found, isWhole) = (0, true)
    try MailboxFile.forEachMail(at: path) { mail, _ in
      found += 1
      isWhole = isWhole && mail.count == Self.mail(1).utf8.count - 32
    }
    #expect(found == count)
    #expect(isWhole)
  }
}
