import FencepostJSON
import FencepostTestSupport
import Testing

@testable import FencepostWebApp

@Suite("Streets from a file")
struct StreetTilesTests {
  /// A file with a tile at zoom 1 in the north-west.
  private static func archive(in directory: TemporaryDirectory) throws -> TileArchive {
    let path = directory.path("map.mbtiles")
    let script = """
      CREATE TABLE metadata (name TEXT, value TEXT);
      INSERT INTO metadata VALUES ('attribution', '&copy; Map makers'), ('bounds', '-180,0,0,85');
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      INSERT INTO tiles VALUES (1, 0, 1, x'89504e470d0a1a0a');
      """
    try SQLiteFile.run(script, at: path)
    return try TileArchive(path: path)
  }

  @Test("A page that is signed in gets tiles, once each, and others get none")
  func tiles() throws {
    let directory = try TemporaryDirectory()
    let fixture = try WebAppFixture(tiles: .file(Self.archive(in: directory), attribution: ""))
    let cookie = try fixture.signIn()
    func ask(_ path: String, _ headers: [String] = []) throws -> String {
      let probe = try HTTPProbe(port: fixture.port)
      let lines = ["GET \(path) HTTP/1.1", "Host: localhost", "Connection: close"] + headers
      probe.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
      return probe.rest()
    }
    let answer = try ask("/tiles/1/0/0", ["Cookie: \(cookie)"])
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("Content-Type: image/png"))
    #expect(answer.contains("Cache-Control: private, max-age=604800"))
    let tag = try #require(answer.firstMatch(of: /ETag: ("[^"]+")/)).1
    #expect(
      try ask("/tiles/1/0/0", ["Cookie: \(cookie)", "If-None-Match: \(tag)"]).hasPrefix("HTTP/1.1 304"))
    #expect(try ask("/tiles/1/1/1", ["Cookie: \(cookie)"]).hasPrefix("HTTP/1.1 204"))
    for path in ["/tiles/1/0", "/tiles/a/0/0", "/tiles/1/0/0.png", "/tiles/1/0/0/0"] {
      #expect(try ask(path, ["Cookie: \(cookie)"]).hasPrefix("HTTP/1.1 404"), "\(path)")
    }
    #expect(!(try ask("/tiles/1/0/0").contains("image/png")))
    let session = try fixture.json("GET", "/session")["tiles"]
    #expect(session?["url"]?.text == "/tiles/{z}/{x}/{y}" && session?["attribution"]?.text == "© Map makers")
    #expect(session?["zooms"]?.list?.compactMap(\.integer) == [1, 1])
    #expect(session?["bounds"]?.list?.compactMap(\.number) == [-180, 0, 0, 85])
    // Pictures come from this server alone.
    #expect(answer.contains("img-src 'self' data:;"))
  }
}
