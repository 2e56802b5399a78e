import FencepostXML
import Testing

@testable import FencepostCalDAV

@Suite("Multistatus")
struct MultistatusTests {
  private func read(_ text: String) throws -> Multistatus { try Multistatus(parsing: Array(text.utf8)) }

  @Test("A status stands in the response or in its propstats, and the token anywhere")
  func shapes() throws {
    let answer = try read(
      """
      <multistatus xmlns="DAV:"><sync-token>\n http://x/7 </sync-token>
        <response><href> /a/1.ics </href><propstat><status>HTTP/1.1 200 OK</status><prop><getetag>"1"</getetag></prop>
          </propstat><propstat><prop><displayname/></prop><status>HTTP/1.1 404 Not Found</status></propstat></response>
        <response><href>/a/2.ics</href><status>HTTP/1.1 404 Not Found</status></response>
        <response><href>/a/3.ics</href><href>http://x/a/4.ics</href><status>HTTP/1.1 507</status>
          <error><number-of-matches-within-limits/></error></response>
        <response><status>HTTP/1.1 200 OK</status></response>
      </multistatus>
      """)
    #expect(answer.syncToken == "http://x/7")
    #expect(answer.responses.map(\.href) == ["/a/1.ics", "/a/2.ics", "/a/3.ics", "http://x/a/4.ics"])
    #expect(answer.responses[0].property(.dav("getetag"))?.text == "\"1\"")
    #expect(answer.responses[0].property(.dav("displayname")) == nil)
    #expect(answer.responses.map(\.status) == [nil, 404, 507, 507])
    #expect(answer.responses[3].conditions.map(\.name) == [.dav("number-of-matches-within-limits")])
  }

  @Test("What is written is read as the same")
  func roundTrip() throws {
    var answer = Multistatus(
      [
        .init(
          href: "/a%40b/",
          propstats: [
            .init(status: 200, properties: [XMLElement(.dav("getetag"), text: "\"x\"")]),
            .init(
              status: 404,
              properties: [XMLElement(XMLName(namespace: "urn:o", "Own")), XMLElement(XMLName("none"))]),
            .init(
              status: 403, properties: [XMLElement(.dav("x"))],
              conditions: [XMLElement(.dav("cannot-modify-protected-property"))]),
          ]),
        .init(href: "/c", status: 404), .init(href: "/d", status: 507, conditions: [XMLElement(.dav("x"))]),
      ], syncToken: "urn:1")
    #expect(try Multistatus(parsing: answer.document) == answer)
    answer.syncToken = nil
    #expect(try Multistatus(parsing: answer.document) == answer)
  }

  @Test("A page of a login is no multistatus", arguments: ["<html/>", "<multistatus/>", "login"])
  func others(text: String) { #expect(throws: CalDAVSyntaxError.self) { try read(text) } }

  @Test("A precondition is read from an error's body, and from nothing else")
  func preconditions() throws {
    let condition = Precondition([.href("/a/b.ics", in: .caldav("no-uid-conflict"))])
    let read = try #require(Precondition(parsing: condition.document))
    #expect(read == condition)
    #expect(read.has(.caldav("no-uid-conflict")) && read.conditions[0].hrefs == ["/a/b.ics"])
    #expect(Precondition(parsing: Array("<html/>".utf8)) == nil)
    #expect(Precondition(parsing: []) == nil)
  }

  @Test(
    "An address is split into decoded parts",
    arguments: [
      ("/dav/a%40b/c%2Fd.ics", ["dav", "a@b", "c/d.ics"]), ("/dav/a@b/", ["dav", "a@b"]), ("/", []), ("", []),
      ("https://x.example:8443/dav//e%CC%81/?q#f", ["dav", "e\u{301}"]), ("https://x.example", []),
      ("/a%2", nil), ("/a/../b", nil), ("/a/%2e%2e/b", nil), ("/a%00", nil), ("/%FF", nil),
      ("a://b/c", ["c"]),
      ("/a/b://c", ["a", "b:", "c"]),
    ] as [(String, [String]?)])
  func segments(href: String, parts: [String]?) { #expect(Href.segments(of: href) == parts) }

  @Test("An address is made of encoded parts")
  func paths() {
    #expect(Href.path(["dav", "a@b", "c/d é.ics"]) == "/dav/a%40b/c%2Fd%20%C3%A9.ics")
    #expect(Href.path(["dav"], isCollection: true) == "/dav/")
    #expect(Href.path([], isCollection: true) == "/")
  }
}
