import FoundationEssentials
import Testing

@testable import FencepostCalDAVClient

@Suite struct ServiceRecordsTests {
  private static func name(_ text: String) -> [UInt8] {
    text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
  }

  /// An answer with records of one type.
  private static func answer(_ type: UInt8, _ records: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
    bytes += name("_caldavs._tcp.example.org") + [0, type, 0, 1]
    for record in records {
      bytes +=
        [0xC0, 12, 0, type, 0, 1, 0, 0, 1, 0, UInt8(record.count >> 8), UInt8(record.count & 255)] + record
    }
    return bytes
  }

  @Test func theServerWithTheLowestPriorityIsTaken() {
    let answer = Self.answer(
      33,
      [
        [0, 20, 0, 0, 1, 187] + Self.name("second.example.org"),
        [0, 10, 0, 5, 0x20, 0xFB] + Self.name("Dav.example.org"),
        [0, 10, 0, 1, 1, 187] + Self.name("light.example.org"),
      ])
    var records = ServiceRecords()
    records.readService(answer)
    #expect(records == ServiceRecords(host: "dav.example.org", port: 8443))
  }

  @Test func thePathComesFromTheText() {
    var records = ServiceRecords()
    let texts = ["other=1", "path=/dav/"]
    records.readPath(Self.answer(16, texts.map { [UInt8($0.utf8.count)] + Array($0.utf8) }))
    #expect(records.path == "/dav/")
  }

  @Test func brokenAnswersAreNoRecords() {
    let whole = Self.answer(33, [[0, 10, 0, 5, 1, 187] + Self.name("dav.example.org")])
    for count in 0..<whole.count {
      var records = ServiceRecords()
      records.readService(Array(whole.prefix(count)))
      records.readPath(Array(whole.prefix(count)))
      #expect(records == ServiceRecords(), "\(count)")
    }
    // A name that refers to itself.
    var records = ServiceRecords()
    records.readService(Self.answer(33, [[0, 10, 0, 5, 1, 187, 0xC0, 55]]))
    records.readService([UInt8](repeating: 0xC0, count: 64))
  }

  @Test(arguments: [
    (
      "https://cloud.example.org/dav",
      ["https://cloud.example.org/dav", "https://cloud.example.org/.well-known/caldav"]
    ),
    (
      "https://anna:secret@cloud.example.org/",
      ["https://cloud.example.org/", "https://cloud.example.org/.well-known/caldav"]
    ),
    ("example.net", ["https://example.net/.well-known/caldav", "https://example.net/"]),
    (
      "anna@example.org",
      [
        "https://dav.example.org:8443/home/", "https://dav.example.org:8443/.well-known/caldav",
        "https://dav.example.org:8443/", "https://example.org/.well-known/caldav", "https://example.org/",
      ]
    ),
  ])
  func addressesAndNamesLeadToCandidates(text: String, urls: [String]) throws {
    let discovery = CalDAVDiscovery { domain in
      domain == "example.org"
        ? ServiceRecords(host: "dav.example.org", port: 8443, path: "/home/") : ServiceRecords()
    }
    let candidates = try discovery.candidates(for: text)
    #expect(candidates.urls.map(\.absoluteString) == urls)
    #expect(candidates.user == (text.contains("://") || !text.contains("@") ? nil : text))
  }

  @Test func aServerOfAnotherDomainHasToBeNamedByTheUser() {
    let discovery = CalDAVDiscovery { _ in ServiceRecords(host: "dav.example.com", port: 443) }
    #expect(throws: DAVFailure.self) { try discovery.candidates(for: "anna@example.org") }
    for text in ["ftp://example.org", "nothing", "", "a@b@c.org", "https://", "example.org/path"] {
      #expect(throws: DAVFailure.self) { try discovery.candidates(for: text) }
    }
  }
}
