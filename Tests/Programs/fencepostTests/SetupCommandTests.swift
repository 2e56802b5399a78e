import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import fencepost

@Suite("Setting up")
struct SetupCommandTests {
  let fixture: CommandFixture
  let channel: String

  init() throws {
    fixture = try CommandFixture()
    let script = fixture.directory.path("ring")
    try Data("#!/bin/sh\ncat >> '\(fixture.directory.path("rung"))'\n".utf8).write(
      to: URL(fileURLWithPath: script))
    chmod(script, 0o700)
    channel = "exec:" + script
  }

  private var settingsPath: String { fixture.directory.path(".config/fencepost/config.json") }

  private func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("It writes settings and certificates for the owner alone, rings, and shows the phone's code")
  func everything() throws {
    let result = fixture.run(
      "setup", "--yes", "--deliver", channel, "--host", "pc.example", "--no-service", "--phone", "owntracks")
    #expect(result.code == .success, "\(result)")
    #expect(result.output.contains("URL: https://pc.example:8787/positions"))
    #expect(result.output.contains("▀") || result.output.contains("█"))
    #expect(result.output.contains("https://pc.example:8787/dav/authority/fencepost.mobileconfig"))
    #expect(text(fixture.directory.path("rung")).contains(#""test":true"#))
    #expect(mode(settingsPath) == 0o600)
    for file in ["authority.crt", "authority.key", "server.crt", "server.key", "fencepost.mobileconfig"] {
      #expect(mode(fixture.directory.path("tls/" + file)) == 0o600, "\(file)")
    }
    #expect(text(fixture.directory.path("tls/fencepost.mobileconfig")).contains("com.apple.security.root"))
    #expect(fixture.run("config", "--check").code == .success)
    #expect(fixture.run("clients", "list").output.contains("phone"))
  }

  @Test("A second time it changes nothing, and shows what is set")
  func twice() throws {
    let words = [
      "setup", "--yes", "--deliver", channel, "--host", "pc.example", "--no-service", "--phone", "owntracks",
    ]
    fixture.run(words)
    let files =
      [settingsPath]
      + ["authority.key", "server.crt", "server.key"].map { fixture.directory.path("tls/" + $0) }
    let before = files.map(text)
    let clients = fixture.run("clients", "list", "--json").output
    let result = fixture.run(words)
    #expect(result.code == .success, "\(result)")
    #expect(files.map(text) == before)
    #expect(fixture.run("clients", "list", "--json").output == clients)
    #expect(result.output.contains("Server: https://pc.example:8787"))
    #expect(result.output.contains("has all that it needs"))
    #expect(result.output.contains("'phone' is set up"))
    // Nobody is rung again.
    #expect(text(fixture.directory.path("rung")).split(separator: "\n").count == 1)
  }

  @Test("It asks five questions, and asks again after an answer that it can't read")
  func questions() throws {
    fixture.input = [
      "smoke", channel, "127.0.0.1", "localhost", "pc.example", "letter", "own", "perhaps", "no", "fax",
      "overland",
    ]
    let result = fixture.run("setup")
    #expect(result.code == .success, "\(result)")
    for number in 1...5 { #expect(result.diagnostics.contains("\(number). ")) }
    #expect(result.diagnostics.contains("unknown channel"))
    #expect(result.diagnostics.contains("a phone can't reach 127.0.0.1"))
    #expect(result.diagnostics.contains("unknown app 'fax'"))
    #expect(result.output.contains("Receiver Endpoint URL: https://pc.example:8787/positions"))
  }

  @Test("Without all answers nothing is written", arguments: 0...4)
  func unfinished(_ count: Int) {
    fixture.input = Array([channel, "pc.example", "own", "no"].prefix(count))
    let result = fixture.run("setup")
    #expect(result.code == .failure)
    #expect(result.diagnostics.contains("Nothing was written"))
    #expect(access(settingsPath, F_OK) != 0 && access(fixture.directory.path("tls"), F_OK) != 0)
  }

  @Test("Without phones the web app is for this machine alone, and a phone gets no code")
  func noPhones() throws {
    let words = ["setup", "--yes", "--deliver", channel, "--host", "none", "--no-service"]
    let result = fixture.run(words)
    #expect(result.code == .success, "\(result)")
    #expect(text(settingsPath).contains(#""server": "http://127.0.0.1:8787""#))
    #expect(fixture.run("clients", "list").output.isEmpty)
    #expect(fixture.run("phone", "owntracks").diagnostics.contains("a phone can't reach"))
    #expect(fixture.run(words).diagnostics.contains("remove 'server' from the settings"))
  }

  @Test("Settings that are there stay, with their comments")
  func additions() throws {
    try FileManager.default.createDirectory(
      atPath: fixture.directory.path(".config/fencepost"), withIntermediateDirectories: true)
    let old = "// { mine }\n{\n  // all of it\n  \"channels\": [\"\(channel)\"], \"history\": 3\n}\n"
    try Data(old.utf8).write(to: URL(fileURLWithPath: settingsPath))
    let result = fixture.run(
      "setup", "--yes", "--host", "pc.example", "--tls", "proxy", "--no-service", "--phone", "none")
    #expect(result.code == .success, "\(result)")
    let new = text(settingsPath)
    #expect(new.hasSuffix(old.dropFirst("// { mine }\n{".count)))
    #expect(
      new.hasPrefix(
        "// { mine }\n{\n  \"server\": {\n    \"address\": \"http://127.0.0.1:8787\",\n    \"proxy\": true,"))
    #expect(fixture.run("config", "--check").code == .success)
    #expect(fixture.run("phone", "owntracks").output.contains("URL: https://pc.example/positions"))
  }

  @Test(
    "New settings go after the first brace that is no comment",
    arguments: [
      (nil, "\n{\n  \"a\": 1\n}\n"), ("{}", "{\n  \"a\": 1\n}"),
      ("/* { */ { \"b\": 2 }", "/* { */ {\n  \"a\": 1, \"b\": 2 }"),
      ("// {\n{\n}\n", "// {\n{\n  \"a\": 1\n\n}\n"),
    ] as [(String?, String)])
  func settingsText(_ old: String?, _ new: String) throws {
    #expect(try #require(SettingsText.adding([("a", "1")], to: old)).hasSuffix(new))
    #expect(SettingsText.adding([("a", "1")], to: "[]") == nil)
  }

  @Test(
    "A changed setting leaves comments, order and the rest as they are",
    arguments: [
      (nil, "a", .value("1"), "{\n  \"a\": 1\n}\n"),
      ("{\"a\":1}", "a", .value("\"x\""), "{\"a\":\"x\"}"),
      (
        "{ // a: 1, \"a\"\n \"a\" /* } */ : /* , */ 1 // }\n}", "a", .value("2"),
        "{ // a: 1, \"a\"\n \"a\" /* } */ : /* , */ 2 // }\n}"
      ),
      ("{\"b\": \"a\", \"a\": [1, {\"a\": 2}]}", "a", .value("3"), "{\"b\": \"a\", \"a\": 3}"),
      ("{\"b\": {\"a\": \"}\\\"\"}}", "a", .value("1"), "{\n  \"a\": 1,\"b\": {\"a\": \"}\\\"\"}}"),
      ("{\n  // why\n  \"a\": 1,\n  \"b\": 2\n}\n", "a", .none, "{\n  // why\n  \"b\": 2\n}\n"),
      ("{\n  \"a\": 1,\n  \"b\": 2 // two\n}\n", "b", .none, "{\n  \"a\": 1\n  // two\n}\n"),
      ("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "b", .none, "{\n  \"a\": 1\n}\n"),
      ("{\"a\": 1}", "a", .none, "{}"), ("{\"b\": 1}", "a", .none, "{\"b\": 1}"),
      ("{\"a\": [\"x\"]}", "a", .added("\"y\""), "{\"a\": [\"x\", \"y\"]}"),
      ("{\"a\": [ ]}", "a", .added("\"y\""), "{\"a\": [\"y\" ]}"),
      ("{\"b\": 1}", "a", .added("\"y\""), "{\n  \"a\": [\"y\"],\"b\": 1}"),
      ("{\"a\": [\"x\", {\"b\": \",\"}, \"y\"]}", "a", .removed(at: 1), "{\"a\": [\"x\", \"y\"]}"),
      ("{\"a\": [\"x\", \"y\"]}", "a", .removed(at: 1), "{\"a\": [\"x\"]}"),
      ("{\"a\": [\"x\"]}", "a", .removed(at: 1), nil), ("{\"a\": 1}", "a", .added("2"), nil),
      ("{\"a\": 1", "a", .value("2"), nil), (nil, "a", .none, nil),
    ] as [(String?, String, SettingsText.Change, String?)])
  func changes(_ old: String?, _ key: String, _ change: SettingsText.Change, _ new: String?) {
    let text = SettingsText.changing(key, change, in: old)
    if old == nil, let new { #expect(text?.hasSuffix(new) == true) } else { #expect(text == new) }
  }
}

@Suite("Phones")
struct PhoneCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  @Test(
    "An address of this machine alone is never shown to a phone",
    arguments: [
      ["--server", "https://127.0.0.1:8787"], ["--server", "http://localhost:8787/"],
      ["--server", "https://[::1]:8787"], ["--server", "https://0.0.0.0:8787"],
      ["--broker", "mqtts://a:b@localhost"],
    ])
  func loopback(_ words: [String]) {
    let result = fixture.run(["phone", "owntracks"] + words)
    #expect(result.code == .failure)
    #expect(result.output.isEmpty)
    #expect(result.diagnostics.contains("a phone can't reach") && result.diagnostics.contains("--server"))
    #expect(fixture.run("clients", "list").output.isEmpty)
  }

  @Test("A second time a phone gets a new password, and keeps its name")
  func renewal() throws {
    func password() throws -> String {
      let result = fixture.run("phone", "owntracks", "--server", "https://pc.example:8787")
      #expect(result.code == .success, "\(result)")
      #expect(result.output.contains("User name: phone"))
      return try #require(result.lines.first { $0.hasPrefix("Password: ") })
    }
    let first = try password()
    #expect(try password() != first)
    #expect(fixture.run("clients", "list").lines.count == 1)
    // Calendars are another client; a phone can't become one.
    #expect(
      fixture.run("phone", "caldav", "--server", "https://pc.example:8787").output.contains("phone-calendars")
    )
    let other = fixture.run("phone", "caldav", "--name", "phone", "--server", "https://pc.example:8787")
    #expect(other.code == .failure && other.diagnostics.contains("another kind of client"))
  }
}
