import FencepostDiagnosis
import FencepostJSON
import FencepostTestSupport
import FencepostWebServer
import Synchronization
import Testing

@testable import FencepostWebApp

@Suite("Channels over the API")
struct ChannelAPITests {
  private final class Changes: Sendable {
    private let all = Mutex<[SettingChange]>([])
    var list: [SettingChange] { all.withLock { $0 } }
    func add(_ some: [SettingChange]) { all.withLock { $0 += some } }
  }

  private static func channel(_ name: String, _ setting: String) -> DoctorFacts.Channel {
    DoctorFacts.Channel(name: name, lists: [], getsAlarms: true, setting: setting)
  }

  private let changes = Changes()
  private let fixture: WebAppFixture
  private let owner: [String]

  init() throws {
    let changes = changes
    fixture = try WebAppFixture(
      settings: [
        ShownSetting(
          name: "channels", value: "ntfy://ntfy.example/me?list=Work", origin: "config.json:3",
          isRemovable: true),
        ShownSetting(name: "channels", value: "desktop", origin: "--deliver"),
      ],
      channels: [
        Self.channel("ntfy://ntfy.example/me", "ntfy://ntfy.example/me?list=Work"),
        Self.channel("desktop", "desktop"),
      ],
      changeSettings: { changes.add($0) })
    owner = ["Cookie: \(try fixture.signIn())"]
  }

  @Test("Channels are shown, with what of the settings file can be removed")
  func shown() throws {
    let channels = try #require(try fixture.json("GET", "/channels")["channels"]?.list)
    #expect(channels.map { $0["name"]?.text } == ["ntfy://ntfy.example/me", "desktop"])
    #expect(channels.map { $0["setting"]?.text } == ["ntfy://ntfy.example/me?list=Work", nil])
    let removed = #"{"setting":"ntfy://ntfy.example/me?list=Work"}"#
    #expect(try fixture.ask("POST", "/channels/remove", removed, headers: owner) == "204")
    #expect(try fixture.ask("POST", "/channels/remove", removed).hasPrefix("403"))
    let other = #"{"setting":"desktop"}"#
    #expect(try fixture.ask("POST", "/channels/remove", other, headers: owner).hasPrefix("404"))
    #expect(
      changes.list == [SettingChange(name: "channels", value: .removed("ntfy://ntfy.example/me?list=Work"))])
  }

  @Test("Each row removes its own member of the settings, also of channels with names that begin alike")
  func sameNames() throws {
    let settings = ["desktop?urgency=low", "desktop", "desktop?kind=suggestion"]
    let fixture = try WebAppFixture(
      settings: settings.map {
        ShownSetting(name: "channels", value: $0, origin: "config.json:3", isRemovable: true)
      },
      channels: [
        Self.channel("desktop?urgency=low", settings[0]), Self.channel("desktop", settings[1]),
        Self.channel("desktop", settings[2]),
        DoctorFacts.Channel(name: "webpush:1", lists: [], getsAlarms: true),
      ])
    let channels = try #require(try fixture.json("GET", "/channels")["channels"]?.list)
    #expect(channels.map { $0["setting"]?.text } == settings + [nil])
  }

  @Test(
    "A page adds no channel that runs a program, or that reads a file or a variable of this machine",
    arguments: [
      "exec:/bin/sh", "-", "apprise:x", "EXEC:/bin/sh", "ntfy://a/b?token-file=/etc/passwd",
      "https://a.example/?secret-env=HOME", "ntfy://a/b?priority=1&token%2Dfile=/etc/passwd",
      "mailto:a@example.org?sendmail=/bin/sh", "mqtts://a/b?cafile=/etc/passwd", "", "file:///x",
    ])
  func refused(address: String) throws {
    let body = #"{"address":"\#(address)"}"#
    #expect(try fixture.ask("POST", "/channels", body, headers: owner).hasPrefix("400"))
    #expect(changes.list.isEmpty)
  }

  @Test("The owner adds a channel; a program with all rights does not")
  func added() throws {
    let body = #"{"address":"ntfy://ntfy.sh/mine?token=abc"}"#
    #expect(try fixture.ask("POST", "/channels", body).hasPrefix("403"))
    #expect(try fixture.ask("POST", "/channels", body, headers: owner) == "204")
    #expect(
      changes.list == [SettingChange(name: "channels", value: .added("ntfy://ntfy.sh/mine?token=abc"))])
  }

  @Test("A test alarm goes over a known channel, and its failure is told")
  func tests() throws {
    #expect(try fixture.ask("POST", "/channels/test", #"{"name":"desktop"}"#, headers: owner) == "204")
    let failed = try fixture.ask(
      "POST", "/channels/test", #"{"name":"ntfy://ntfy.example/me"}"#, headers: owner)
    #expect(failed.hasPrefix("502") && failed.contains("no route"))
    #expect(
      try fixture.ask("POST", "/channels/test", #"{"name":"other"}"#, headers: owner).hasPrefix("404"))
    #expect(try fixture.ask("POST", "/channels/test", #"{"name":"desktop"}"#).hasPrefix("403"))
  }
}
