import FencepostCalendarModel
import Testing

@testable import FencepostReservations

@Suite("Files that are tickets")
struct TicketTests {
  private let reader = ReservationReader()
  private let pdf = Array("%PDF-1.7\n…".utf8)

  private static func pass(_ from: String, _ to: String) -> [UInt8] {
    zipArchive(
      "pass.json",
      """
      {"organizationName":"Example Rail","serialNumber":"\(from)","relevantDate":"2027-03-04T10:20:00Z",
      "boardingPass":{"transitType":"PKTransitTypeTrain","primaryFields":[
      {"key":"from","value":"\(from)"},{"key":"to","value":"\(to)"}]}}
      """)
  }

  private func mail(_ parts: [(type: String, name: String?, content: [UInt8])]) -> [UInt8] {
    let attached = parts.map { part in
      """
      --x
      Content-Type: \(part.type)\(part.name.map { "; name=\"\($0)\"" } ?? "")
      Content-Transfer-Encoding: base64

      \(base64(part.content))
      """
    }
    return Array(
      """
      From: a@rail.example
      Content-Type: multipart/mixed; boundary=x

      \(attached.joined(separator: "\n"))
      --x--
      """.utf8)
  }

  @Test("of a mail are its PDFs and its passes with bookings, each once")
  func ofMail() {
    let card = zipArchive("pass.json", #"{"storeCard":{"primaryFields":[{"key":"points","value":"7"}]}}"#)
    let found = reader.tickets(
      in: mail([
        ("text/plain", "note.txt", Array("Hello".utf8)), ("application/pdf", "Ticket.PDF", pdf),
        ("application/octet-stream", "again.pdf", pdf), ("application/pdf", "page.pdf", Array("<html>".utf8)),
        ("application/vnd.apple.pkpass", nil, Self.pass("A", "B")),
        ("application/octet-stream", "back.pkpass", Self.pass("B", "A")),
        ("application/vnd.apple.pkpass", "card.pkpass", card),
      ]))
    #expect(found.map(\.file.name) == ["Ticket.pdf", "ticket.pkpass", "back.pkpass"])
    #expect(found.map(\.file.kind) == [.pdf, .pass, .pass])
    #expect(found.map(\.file.content) == [pdf, Self.pass("A", "B"), Self.pass("B", "A")])
    #expect(found.map { $0.reservations.map(\.leg) } == [[], ["a-b"], ["b-a"]])
    for (index, leg) in [(1, "a-b"), (2, "b-a")] {
      for ticket in found {
        let isOwn = ticket.reservations.isEmpty || ticket.reservations[0].leg == leg
        #expect(ticket.isFor(found[index].reservations[0]) == isOwn)
      }
    }
  }

  @Test("may be the document itself, and nothing else is one")
  func document() {
    #expect(reader.tickets(in: pdf, named: "/a/b/Reise.pdf").map(\.file.name) == ["Reise.pdf"])
    #expect(reader.tickets(in: Self.pass("A", "B"), named: "/a/b.pkpass").map(\.file.name) == ["b.pkpass"])
    #expect(reader.tickets(in: Array("<html>".utf8)).isEmpty && reader.tickets(in: []).isEmpty)
    #expect(reader.tickets(in: zipArchive("other.json", "{}")).isEmpty)
  }

  @Test("have a limit of number and size")
  func limits() {
    let many = (0..<40).map {
      ("application/pdf", "\($0).pdf", pdf + Array("\($0)".utf8)) as (String, String?, [UInt8])
    }
    #expect(reader.tickets(in: mail(many)).count == 12)
    let long = pdf + [UInt8](repeating: 0, count: TicketFile.maximumBytes)
    #expect(TicketFile(.pdf, name: "long.pdf", content: long) == nil)
    #expect(TicketFile(.pdf, name: nil, content: Array(long.prefix(TicketFile.maximumBytes))) != nil)
  }

  @Test(
    "have names that are safe in a folder and in a header",
    arguments: [
      ("boarding.pdf", "boarding.pdf"), ("../../etc/passwd", "passwd.pdf"), ("a\\b\\c.pdf", "c.pdf"),
      ("", "ticket.pdf"), (".pdf", "ticket.pdf"), ("..", "ticket.pdf"), (".hidden.pdf", "hidden.pdf"),
      ("a\r\nSet-Cookie: x.pdf", "aSet-Cookie x.pdf"), ("a\"b;c.pdf", "ab;c.pdf"),
      ("ticket\u{202E}fdp.exe", "ticketfdp.exe.pdf"), ("Fahrkarte Köln.PDF", "Fahrkarte Köln.pdf"),
      ("-rf.pdf", "rf.pdf"), ("x.html", "x.html.pdf"),
    ])
  func names(given: String, name: String) {
    #expect(TicketFile(.pdf, name: given, content: pdf)?.name == name)
  }
}
