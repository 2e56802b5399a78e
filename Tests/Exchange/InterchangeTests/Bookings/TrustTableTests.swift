import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostReservations
import FencepostTestSupport
import Testing

@testable import FencepostInterchange

/// A line of `trust.txt`: a mail that is accepted, two more, and what the event is then.
///
/// A mail is written as in `merges.txt` or `invitation-merges.txt`. `from` is the domain of its sender, usually
/// that of the airline or of the organizer, `who` the organizer, and `sign` what the mail's header says of its
/// signature: `own` is a valid one of the sender's domain. `at` in a result is the start of the event, and
/// `waits` how many suggestions wait.
private struct TrustLine: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var mails: [String]
  var result: [String: String]

  static let all: [TrustLine] =
    (try? Repository.text("Tests/Exchange/InterchangeTests/Bookings/trust.txt")).map { text in
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        let parts = line.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
        return TrustLine(
          testDescription: parts[0].joined(separator: " "),
          mails: parts[1..<(parts.count - 1)].map { $0.joined(separator: " ") },
          result: InvitationMerge.values(parts[parts.count - 1]))
      }
    } ?? []
}

@Suite("The table of trust")
struct TrustTableTests {
  private static let resolver = TimeResolver(
    zones: TimeZoneDatabase(localTime: "/nonexistent", environmentZone: "UTC"))

  private let store: CalendarStore
  private let inbox: SuggestionInbox
  private let reader = ReservationReader(finder: ZoneFinder(zones: Self.resolver.zones))

  init() throws {
    store = try CalendarStore()
    try store.write { writer in
      try writer.setMailServer("mx.home.example", isTrusted: true)
      for domain in ["air.example", "shop.example", "team.example"] {
        try writer.trustSender(domain, at: .epoch)
      }
    }
    inbox = try store.read { reader in
      try SuggestionInbox(
        reader, resolver: Self.resolver, alarms: ReservationAlarms(), at: Instant(seconds: 1_806_537_600))
    }
  }

  @Test("is long enough")
  func length() { #expect(TrustLine.all.count >= 30 && TrustLine.all.allSatisfy { $0.mails.count == 3 }) }

  @Test("holds, whichever mail is read first", arguments: TrustLine.all)
  fileprivate func holds(line: TrustLine) throws {
    for rest in Array(line.mails[1...]).permutations {
      let one = try TrustTableTests()
      try one.scan(line.mails[0])
      let item = try #require(try one.acceptFirst())
      for mail in rest { try one.scan(mail) }
      let event = try #require(try one.store.read { try $0.item(item) })
      for (name, value) in line.result.sorted(by: { $0.key < $1.key }) {
        #expect(try one.value(name, event) == value, "\(name): \(rest)")
      }
    }
  }

  private func scan(_ mail: String) throws {
    try store.write { writer in _ = try inbox.take(reader.scan(Self.bytes(mail)), in: writer) }
  }

  private func acceptFirst() throws -> Identifier<CalendarItem>? {
    try store.write { writer in
      guard let waiting = try writer.reader.suggestions().first else { return nil }
      return try inbox.accept(waiting.id, into: { try $0.defaultCalendar(for: .events).id }, in: writer).item
    }
  }

  private func value(_ name: String, _ event: CalendarItem) throws -> String? {
    switch name {
    case "at":
      let time = event.start?.civil
      let clock = (time?.description).map { $0.split(separator: "T") } ?? []
      let day = time.map { "\($0.day.components.day)" } ?? ""
      return event.start?.isDate == false && clock.count == 2 ? "\(day).\(clock[1].prefix(5))" : day
    case "status": return event.event?.status == .cancelled ? "cancelled" : "confirmed"
    case "waits": return try "\(store.read { try $0.suggestions() }.count { $0.state == .proposed })"
    default: return nil
    }
  }

  private static func bytes(_ mail: String) -> [UInt8] {
    let words = mail.split(separator: " ").map(String.init)
    let values = InvitationMerge.values(Array(words.dropFirst()))
    let isInvitation = ["request", "cancel"].contains(words.first)
    let sender = values["from"] ?? (isInvitation ? "team.example" : "air.example")
    let head = "From: olga@\(sender)\r\n" + signature(values["sign"], of: sender)
    guard isInvitation else {
      return Array(head.replacing("\r\n", with: "\n").utf8) + BookingMail(mail).bytes(withSender: false)
    }
    let text = InvitationMerge.text(mail).replacing(
      "ORGANIZER;CN=Olga:mailto:olga@team.example",
      with: "ORGANIZER:mailto:\(values["who"] ?? "olga@team.example")")
    return Array((head + "Content-Type: text/calendar; method=\(words[0].uppercased())\r\n\r\n" + text).utf8)
  }

  private static func signature(_ word: String?, of sender: String) -> String {
    func header(_ server: String, _ result: String, _ domain: String) -> String {
      "Authentication-Results: \(server); dkim=\(result) header.d=\(domain)\r\n"
    }
    let mine = "mx.home.example"
    switch word {
    case "own": return header(mine, "pass", sender)
    case "failed": return header(mine, "fail", sender)
    case "other": return header(mine, "pass", "mailer.example")
    case "stranger": return header("mx.stranger.example", "pass", sender)
    case "below": return header(mine, "none", sender) + header(mine, "pass", sender)
    default: return ""
    }
  }
}
