import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import fencepost

@Suite("Pictures of a replay")
struct PictureTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private func replay(_ options: String...) -> CommandFixture.Result {
    fixture.run(
      ["replay", "--reminders", CommandFixture.data("errands.ics"), CommandFixture.data("errands-walk.gpx")]
        + options)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: fixture.directory.path(name))), as: UTF8.self)
  }

  @Test("The picture of the walk has its track, fences and alarms, in the user's time zone")
  func walk() throws {
    let result = replay(
      "--map", fixture.directory.path("walk.html"), "--svg", fixture.directory.path("walk.svg"))
    #expect(result.code == .success)
    #expect(result.lines.count == 13)
    let svg = try text("walk.svg")
    #expect(svg.contains("<title>errands-walk.gpx</title>"))
    #expect(svg.contains("Sat 2 May 2026, 09:27:00 to 11:08:04"))
    #expect(svg.contains(">Return the library books<"))
    #expect(svg.contains(">Löwen-Apotheke</text>"))
    #expect(svg.components(separatedBy: "class=\"fence crossed\"").count - 1 == 6)
    let page = try text("walk.html")
    #expect(page.contains("13 alarms"))
    #expect(
      page.contains("\"title\":\"Stadtbücherei\",\"notes\":[\"Return the library books\"],\"crossed\":true"))
    #expect(try fixture.directory.names == ["walk.html", "walk.svg"], "no temporary file is left")
    // Where somebody was is for nobody else.
    for name in ["walk.html", "walk.svg"] {
      var status = stat()
      #expect(stat(fixture.directory.path(name), &status) == 0 && status.st_mode == S_IFREG | 0o600)
    }
  }

  @Test("Rejected fixes are not part of the track")
  func strays() throws {
    let path = fixture.directory.path("phone.html")
    let result = fixture.run(
      "replay", "--reminders", CommandFixture.data("errands.ics"), CommandFixture.data("noisy-phone.csv"),
      "--map", path)
    #expect(result.code == .success)
    let page = try text("phone.html")
    #expect(page.contains("Fri 8 May 2026, 07:05:00 to 21:35:06"), "and no 1970")
    #expect(!page.contains("\"strays\":[]"))
  }

  @Test("A picture replaces an existing file, keeps its permissions, and follows a link")
  func overwrites() throws {
    let path = try fixture.directory.write("<svg><!-- Fencepost --></svg>", to: "walk.svg")
    chmod(path, 0o604)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.directory.path("link.svg"), withDestinationPath: "walk.svg")
    #expect(replay("--svg", fixture.directory.path("link.svg")).code == .success)
    #expect(try text("walk.svg").hasPrefix("<svg xmlns"))
    var status = stat()
    #expect(lstat(path, &status) == 0 && status.st_mode == S_IFREG | 0o604)
    #expect(lstat(fixture.directory.path("link.svg"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
  }

  @Test(
    "If a picture can't be written, nothing is replayed",
    arguments: [
      ("none/walk.svg", "No such file or directory"), (".", "it is a directory"),
    ])
  func unwritable(name: String, reason: String) throws {
    let path = fixture.directory.path(name)
    let result = replay("--svg", path)
    #expect(result.code == .failure)
    #expect(result.output.isEmpty)
    #expect(result.diagnostics == "fencepost: can't write '\(path)': \(reason)\n")
  }

  @Test("A replay that fails keeps the existing file")
  func failure() throws {
    let old = "<svg><!-- Fencepost --></svg>"
    let path = try fixture.directory.write(old, to: "walk.svg")
    let result = fixture.run("replay", fixture.directory.path("none.gpx"), "--svg", path)
    #expect(result.code == .failure)
    #expect(try text("walk.svg") == old)
    #expect(try fixture.directory.names == ["walk.svg"])
  }

  @Test("Tiles need a map")
  func tiles() throws {
    #expect(replay("--tiles").diagnostics.contains("needs --map FILE.html"))
    #expect(replay("--tiles", "--map", fixture.directory.path("walk.html")).code == .success)
    #expect(try text("walk.html").contains("https://tile.openstreetmap.org"))
  }
}

extension TemporaryDirectory {
  /// The names of its files, except those of stores.
  var names: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: url.path).filter {
        !$0.hasPrefix("calendar.sqlite")
      }
      .sorted()
    }
  }
}
