import FencepostCalDAV
import FencepostClients
import FencepostXML
import Testing

@testable import FencepostCalDAVServer

@Suite("Files that clients keep")
struct FileTests {
  private func root(_ fixture: CalDAVFixture) -> String { "/dav/files/\(fixture.user)/" }

  @Test("A later client with the same name does not get the files of a revoked one")
  func revoked() throws {
    let fixture = try CalDAVFixture()
    let path = "/dav/files/\(fixture.user)/secret"
    #expect(try fixture.ask("PUT", path, "hush".utf8).status == 201)
    try fixture.clients.revoke(fixture.user)
    try fixture.signIn("Anna's phone")
    #expect(path == "/dav/files/\(fixture.user)/secret")
    #expect(try fixture.ask("GET", path).status == 404)
  }

  @Test("A file comes back byte for byte, and only to its client")
  func roundTrip() throws {
    let fixture = try CalDAVFixture()
    let path = root(fixture) + "a%20b.txt"
    #expect(try fixture.ask("PUT", path, "text".utf8, ["Content-Type: text/plain"]).status == 201)
    #expect(try fixture.ask("PUT", path, "other".utf8, ["If-None-Match: *"]).status == 412)
    let read = try fixture.ask("GET", path)
    #expect(read.text == "text" && read.headers["content-type"] == "text/plain")
    #expect(read.headers["content-security-policy"] == "sandbox")
    #expect(
      try fixture.propfind(path, [.dav("getetag")]).response(path)?.property(.dav("getetag"))?.text
        == read.etag)
    try fixture.signIn("Other")
    #expect(try fixture.ask("GET", path).status == 404)
  }

  @Test("Folders are made, listed, copied, moved and removed with what is in them")
  func folders() throws {
    let fixture = try CalDAVFixture()
    let root = root(fixture)
    #expect(try fixture.ask("MKCOL", root + "a/b/").status == 409)
    #expect(try fixture.ask("MKCOL", root + "a/").status == 201)
    #expect(try fixture.ask("MKCOL", root + "a/").status == 405)
    #expect(try fixture.ask("MKCOL", root + "x/", "body".utf8).status == 415)
    #expect(try fixture.ask("PUT", root + "none/f", "1".utf8).status == 409)
    #expect(try fixture.ask("PUT", root + "a/f", "1".utf8).status == 201)
    #expect(try fixture.ask("MKCOL", root + "a/b/").status == 201)
    let listed = try fixture.propfind(root + "a/", [.dav("resourcetype")], depth: 1).multistatus()
    #expect(Set(listed.responses.map(\.href)) == [root + "a/", root + "a/f", root + "a/b/"])
    #expect(try fixture.ask("COPY", root + "a/", [], ["Destination: \(root)c/"]).status == 201)
    #expect(
      try fixture.ask("COPY", root + "a/", [], ["Destination: \(root)c/", "Overwrite: F"]).status == 412)
    #expect(try fixture.ask("COPY", root + "a/", [], ["Destination: \(root)a/b/c/"]).status == 403)
    #expect(try fixture.ask("COPY", root + "a/", [], ["Destination: \(root)d/", "Depth: 0"]).status == 201)
    #expect(try fixture.ask("GET", root + "c/f").text == "1")
    #expect(try fixture.ask("GET", root + "d/f").status == 404)
    #expect(try fixture.ask("MOVE", root + "c/", [], ["Destination: \(root)d/"]).status == 204)
    #expect(try fixture.ask("GET", root + "d/f").text == "1")
    #expect(try fixture.ask("GET", root + "c/f").status == 404)
    #expect(try fixture.ask("DELETE", root + "d/").status == 204)
    #expect(try fixture.ask("GET", root + "d/f").status == 404)
    #expect(
      try fixture.ask("MOVE", root + "a/f", [], ["Destination: \(fixture.path(fixture.list, "f.ics"))"])
        .status == 403)
  }

  @Test("Properties go where their file goes")
  func properties() throws {
    let fixture = try CalDAVFixture()
    let root = root(fixture)
    _ = try fixture.ask("PUT", root + "f", "1".utf8)
    let own = XMLElement(XMLName("none"), [XMLElement(XMLName(namespace: "urn:x", "inner"), text: "ä")])
    #expect(try fixture.ask("PROPPATCH", root + "f", PropertyUpdate([.set(own)]).document).status == 207)
    _ = try fixture.ask("MOVE", root + "f", [], ["Destination: \(root)g"])
    #expect(try fixture.propfind(root + "g", [own.name]).response(root + "g")?.property(own.name) == own)
    _ = try fixture.ask("PUT", root + "f", "2".utf8)
    #expect(try fixture.propfind(root + "f", [own.name]).response(root + "f")?.property(own.name) == nil)
  }

  @Test("A client can't fill the store")
  func limits() throws {
    let fixture = try CalDAVFixture()
    let large = String(repeating: "x", count: (1 << 20) + 1)
    #expect(try fixture.ask("PUT", root(fixture) + "f", large.utf8).status == 413)
    let mega = String(repeating: "x", count: 1 << 20)
    for number in 0..<16 {
      #expect(try fixture.ask("PUT", root(fixture) + "\(number)", mega.utf8).status == 201)
    }
    #expect(try fixture.ask("PUT", root(fixture) + "more", mega.utf8).status == 507)
  }
}
