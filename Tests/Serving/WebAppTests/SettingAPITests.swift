import FencepostJSON
import FencepostTestSupport
import FencepostWebServer
import Synchronization
import Testing

@testable import FencepostWebApp

@Suite("Settings over the API")
struct SettingAPITests {
  /// What the daemon was asked to change.
  private final class Changes: Sendable {
    let all = Mutex<[SettingChange]>([])
    var list: [SettingChange] { all.withLock { $0 } }
    var isEmpty: Bool { list.isEmpty }
  }
  private struct Refusal: Error, CustomStringConvertible { let description = "no such zone" }

  private let changes = Changes()
  private let fixture: WebAppFixture
  private let owner: [String]

  init() throws {
    let changes = changes
    fixture = try WebAppFixture(
      settings: [
        ShownSetting(
          name: "zone", value: "Europe/Berlin", origin: "by default", isUsual: true, isChangeable: true),
        ShownSetting(name: "history", value: "30", origin: "config.json:3", isChangeable: true),
        ShownSetting(name: "streets", value: "/srv/town", origin: "config.json:4", isChangeable: true),
        ShownSetting(name: "store", value: "/x", origin: "--store"),
      ]
    ) { wanted in
      if wanted.contains(where: { $0.value == .texts(["Mars"]) }) { throw Refusal() }
      if wanted.contains(where: { $0.value == .texts(["Slow"]) }) { throw SettingsNotYetRead() }
      changes.all.withLock { $0 += wanted }
    }
    owner = ["Cookie: \(try fixture.signIn())"]
  }

  @Test("The owner changes settings; null gives one its default")
  func change() throws {
    let shown = try fixture.json("GET", "/settings")["settings"]?.list
    #expect(shown?.map { $0["changeable"]?.flag } == [true, true, true, false])
    #expect(try fixture.ask("PATCH", "/settings", #"{"zone":"UTC","history":7}"#, headers: owner) == "204")
    #expect(try fixture.ask("PATCH", "/settings", #"{"history":null}"#, headers: owner) == "204")
    #expect(
      changes.list == [
        SettingChange(name: "zone", value: .texts(["UTC"])),
        SettingChange(name: "history", value: .texts(["7"])), SettingChange(name: "history", value: .usual),
      ])
  }

  @Test(
    "What is not theirs, unknown or bad is refused, with the reason",
    arguments: [
      (#"{"store":"/y"}"#, "403"), (#"{"feeds":"x"}"#, "400"), (#"{"zone":true}"#, "400"), ("{}", "400"),
      (#"{"zone":"Mars"}"#, "400"), ("[1]", "400"), (#"{"zone":"Slow"}"#, "503"),
      (#"{"streets":"/etc/passwd"}"#, "400"), (#"{"streets":"town"}"#, "400"),
      (#"{"zone":"UTC","store":"/y"}"#, "403"),
    ])
  func refusals(body: String, status: String) throws {
    let answer = try fixture.ask("PATCH", "/settings", body, headers: owner)
    #expect(answer.hasPrefix(status), "\(answer)")
    #expect(!body.contains("Mars") || answer.contains("no such zone"))
    #expect(changes.isEmpty)
  }

  @Test("A page chooses whether the map has streets", arguments: ["none", "openstreetmap.org"])
  func streets(word: String) throws {
    #expect(try fixture.ask("PATCH", "/settings", #"{"streets":"\#(word)"}"#, headers: owner) == "204")
    #expect(try fixture.ask("PATCH", "/settings", #"{"streets":null}"#, headers: owner) == "204")
    #expect(
      changes.list == [
        SettingChange(name: "streets", value: .texts([word])), SettingChange(name: "streets", value: .usual),
      ])
  }

  @Test(
    "Who is signed in learns the host that finds places, but no password, and no path of this machine",
    arguments: [
      ("https://ann:pw1@geo.example:8080/search", "geo.example:8080", "/srv/town.mbtiles", "file"),
      ("https://ann:p@ss@geo.example", "geo.example", "none", "none"),
      ("https://geo.example/ann@home", "geo.example", "openstreetmap.org", "openstreetmap.org"),
    ])
  func session(geocoder: String, host: String, streets: String, shown: String) throws {
    let fixture = try WebAppFixture(geocoder: geocoder, streets: streets)
    let session = try fixture.json("GET", "/session")
    #expect(session["geocoder"]?.text == host)
    #expect(session["streets"]?.text == shown)
  }

  @Test("Programs with all rights, and pages of other sites, change no setting")
  func others() throws {
    #expect(try fixture.ask("PATCH", "/settings", #"{"zone":"UTC"}"#).hasPrefix("403"))
    let foreign = owner + ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"]
    #expect(try fixture.ask("PATCH", "/settings", #"{"zone":"UTC"}"#, headers: foreign).hasPrefix("403"))
    #expect(
      try fixture.ask("PATCH", "/settings", #"{"zone":"UTC"}"#, headers: owner, type: "text/plain")
        .hasPrefix("415"))
    #expect(changes.isEmpty)
  }

  @Test("A list becomes the one for new items of a kind that it holds")
  func defaultList() throws {
    let made = try fixture.json("POST", "/lists", #"{"title":"Work","reminders":true}"#)
    let path = "/lists/\(try #require(made["id"]?.text))"
    let changed = try fixture.json("PATCH", path, #"{"default_for":["reminders"]}"#)
    #expect(changed["default_for"]?.list?.compactMap(\.text) == ["reminders"])
    #expect(try fixture.ask("PATCH", path, #"{"default_for":["events"]}"#).hasPrefix("400"))
    #expect(try fixture.ask("PATCH", path, #"{"default_for":["notes"]}"#).hasPrefix("400"))
  }
}
