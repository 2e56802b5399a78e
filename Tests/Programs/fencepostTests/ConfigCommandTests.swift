import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Settings from options, the environment and the file")
struct ConfigCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// Writes the settings file to its default path.
  private func settings(_ text: String) throws {
    let folder = fixture.directory.url.appendingPathComponent(".config/fencepost")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent("config.json"))
  }

  private var path: String { fixture.directory.path(".config/fencepost/config.json") }

  @Test("Without settings, each one has its default")
  func defaults() throws {
    let result = fixture.run("config")
    #expect(result.code == .success)
    #expect(result.lines.contains("grace\t1m\tby default"))
    #expect(result.lines.contains("store\t\(fixture.directory.path("calendar.sqlite"))\tFENCEPOST_STORE"))
    #expect(result.lines.contains("zone\tEurope/Berlin\tFENCEPOST_ZONE"))
    #expect(!result.output.contains("feeds"))
  }

  @Test("A setting is printed, changed and reset; the file keeps its comments")
  func changes() throws {
    try settings("// mine\n{\n  // a month\n  \"history\": 30,\n  \"channels\": [\"desktop\"]\n}\n")
    #expect(fixture.run("config", "history").output == "history\t30\t\(path):4\n")
    #expect(fixture.run("config", "history", "7").output == "history\t7\t\(path):4\n")
    #expect(try text() == "// mine\n{\n  // a month\n  \"history\": 7,\n  \"channels\": [\"desktop\"]\n}\n")
    #expect(fixture.run("config", "channels", "--add", "ntfy://ntfy.example/me").code == .success)
    #expect(fixture.run("config", "channels").lines.map { $0.prefix { $0 != "?" } }.count == 2)
    #expect(fixture.run("config", "channels", "--remove", "desktop").code == .success)
    #expect(try text().contains("\"channels\": [\"ntfy://ntfy.example/me\"]"))
    #expect(fixture.run("config", "history", "--reset").code == .success)
    #expect(try !text().contains("history") && text().contains("// a month"))
  }

  @Test("Of two members that are shown alike none is removed, unless they are the same")
  func ambiguous() throws {
    let two = #"{"channels": ["ntfy://a.example/me?token=one", "ntfy://a.example/me?token=two", "desktop"]}"#
    try settings(two)
    let shown = try #require(fixture.run("config", "channels").lines.first?.split(separator: "\t")[1])
    let refused = fixture.run("config", "channels", "--remove", String(shown))
    #expect(refused.code != .success && refused.diagnostics.contains("has 2 that are shown as '\(shown)'"))
    #expect(try text() == two)
    #expect(fixture.run("config", "channels", "--remove", "desktop").code == .success)
    try settings(#"{"channels": ["desktop", "desktop"]}"#)
    #expect(fixture.run("config", "channels", "--remove", "desktop").code == .success)
    #expect(try text() == #"{"channels": ["desktop"]}"#)
  }

  @Test("The first change makes the file, for its owner alone")
  func firstChange() throws {
    #expect(fixture.run("config", "grace", "5m").output == "grace\t5m\t\(path):3\n")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test(
    "A bad value changes nothing",
    arguments: [
      ["history", "soon"], ["zone", "Mars/Olympus"], ["channels", "--add", "carrier-pigeon:"],
      ["grace", "1m", "2m"],
      ["geocoder", "nominatim"], ["streets", "~/town"], ["streets", "/nowhere"], ["history", "--add", "3"],
      ["channels", "--remove", "desktop"], ["history", "3", "--reset"], ["default-alarm", "often"],
    ])
  func badValues(words: [String]) throws {
    try settings("{ \"history\": 30 } // mine\n")
    #expect(fixture.run(["config"] + words).code != .success)
    #expect(try text() == "{ \"history\": 30 } // mine\n")
  }

  @Test(
    "The fault of a typed value names no line of the file, and what may be meant",
    arguments: [
      (["zone", "Europe/Berln"], "zone: unknown time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?"),
      (["zone", "new york"], "zone: unknown time zone 'new york'; did you mean 'America/New_York'?"),
      (["grace", "soon"], "grace: invalid duration 'soon'; try "),
      (["history", "soon"], "history: invalid number of days from 0 to 36500 'soon'"),
      (["store", "here.sqlite"], "store: must be an absolute path"),
      (["channels", "carrier-pigeon:"], "channels: 'carrier-pigeon:': unknown channel"),
      (["channels", "--add", "carrier-pigeon:"], "channels: 'carrier-pigeon:': unknown channel"),
    ])
  func typed(words: [String], says: String) throws {
    try settings("{\n  \"history\": 30\n}\n")
    let result = fixture.run(["config"] + words)
    #expect(result.code == .misuse)
    #expect(result.diagnostics.hasPrefix("fencepost: \(says)"), "\(result.diagnostics)")
    #expect(!result.diagnostics.contains(path))
  }

  @Test("A member that was wrong before is named with its line when another one is added")
  func wrongBefore() throws {
    try settings("{\n  \"channels\": [\"carrier-pigeon:\"]\n}\n")
    let result = fixture.run("config", "channels", "--add", "desktop")
    #expect(result.diagnostics.contains("\(path):2: 'channels': 'carrier-pigeon:'"), "\(result.diagnostics)")
  }

  @Test("A wrong zone in the file can be mended by the command")
  func mendsZone() throws {
    fixture.variables["FENCEPOST_ZONE"] = ""
    try settings(#"{"zone": "Europe/Berln", "history": 3}"#)
    #expect(fixture.run("config", "history", "4").code == .success)
    #expect(fixture.run("config").diagnostics.contains("did you mean 'Europe/Berlin'?"))
    #expect(fixture.run("config", "zone", "Europe/Berlin").code == .success)
    #expect(fixture.run("list").code == .success)
  }

  @Test("A change that an option or a variable overrides says so")
  func overridden() throws {
    let result = fixture.run("config", "zone", "America/Lima")
    #expect(result.code == .success && result.diagnostics.contains("FENCEPOST_ZONE overrides 'zone'"))
    #expect(try text().contains("America/Lima"))
  }

  private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test("A check warns of files with secrets that others can read, and of no others")
  func exposedSecrets() throws {
    let secret = try fixture.directory.write("hunter2\n", to: "secret")
    let key = try fixture.directory.write("key\n", to: "key")
    func check(_ mode: mode_t) -> String {
      for file in [secret, key, path] { chmod(file, mode) }
      let result = fixture.run("config", "--check")
      #expect(result.code == (mode == 0o600 ? .success : .misuse), "\(result.diagnostics)")
      return result.diagnostics
    }
    // The secrets are in separate files.
    try settings(
      """
      {"channels": [{"address": "mqtts://ann@broker.example/alarms", "password-file": "\(secret)"},
        {"address": "https://example.org/hook", "secret-file": "\(key)"}]}
      """)
    let exposed = check(0o644)
    #expect(exposed.contains("\(secret): other users") && exposed.contains("\(key): other users"))
    #expect(!exposed.contains(path))
    #expect(check(0o600) == "")
    try settings(#"{"channels": ["mqtts://ann:hunter2@broker.example/alarms"]}"#)
    #expect(check(0o640).contains("\(path): other users"))
    #expect(check(0o600) == "")
  }

  @Test("Options override the environment and the file, and the origin of a value is shown")
  func order() throws {
    try settings(
      """
      {
        // A comment in the file.
        "feeds": ["gpsd://localhost", "tail:/srv/phone.csv"],
        "channels": [
          "-",
          {"address": "exec:/bin/true"}
        ],
        "grace": "2m", "history": 30, "policy": "exact", "store": "~/elsewhere.sqlite"
      }
      """)
    let file = fixture.run("config")
    #expect(file.code == .success, "\(file.diagnostics)")
    for line in [
      "feeds\tgpsd://localhost:2947\t\(path):3", "feeds\ttail:/srv/phone.csv\t\(path):3",
      "channels\t-\t\(path):5", "channels\texec:/bin/true\t\(path):6", "grace\t2m\t\(path):8",
      "history\t30\t\(path):8", "policy\texact\t\(path):8",
      "store\t\(fixture.directory.path("calendar.sqlite"))\tFENCEPOST_STORE",
    ] { #expect(file.lines.contains(line), "\(line)") }

    fixture.variables = ["FENCEPOST_GRACE": "3m", "FENCEPOST_STORE": ""]
    let environment = fixture.run("config", "--feed", "-")
    #expect(environment.lines.contains("grace\t3m\tFENCEPOST_GRACE"))
    #expect(environment.lines.contains("store\t\(fixture.directory.path("elsewhere.sqlite"))\t\(path):8"))
    #expect(environment.lines.filter { $0.hasPrefix("feeds") } == ["feeds\t-\t--feed"])
    let option = fixture.run("config", "--grace", "4m", "--json")
    let grace = try option.lines.map(object).first { $0["name"] as? String == "grace" }
    #expect(grace?["value"] as? String == "4m")
    #expect(grace?["option"] as? String == "--grace")
  }

  @Test("The store and the policy of the file apply to every command")
  func everywhere() throws {
    try settings(#"{"store": "~/mine.sqlite", "policy": "exact"}"#)
    fixture.variables["FENCEPOST_STORE"] = ""
    fixture.run("add", "reminder", "Milk")
    #expect(FileManager.default.fileExists(atPath: fixture.directory.path("mine.sqlite")))
    let replay = fixture.run(
      "replay", "--reminders", CommandFixture.data("errands.ics"), "--cushion", "5m",
      CommandFixture.data("errands-walk.gpx"))
    #expect(replay.diagnostics.contains("robust policy only"))
  }

  @Test("Secrets are not shown, and can be in a separate file")
  func secrets() throws {
    let secret = fixture.directory.path("secret")
    try Data("p ss/w:rd\n".utf8).write(to: URL(fileURLWithPath: secret))
    try settings(
      """
      {"feeds": [{"address": "mqtts://me@broker.example/owntracks/+/+", "password-file": "~/secret"},
                 "mqtt://me:open-sesame@broker.example/a"], "channels": ["-"]}
      """)
    let result = fixture.run("config")
    #expect(result.code == .success, "\(result.diagnostics)")
    #expect(result.output.contains("mqtts://me@broker.example:8883/owntracks/+/+\t"))
    #expect(!result.output.contains("rd") && !result.output.contains("open-sesame"))
  }

  @Test(
    "An error is reported with file, line and key",
    arguments: [
      ("{\n  \"grase\": \"1m\"\n}", ":2: 'grase': unknown setting"),
      ("{\n  \"feed\": []\n}", ":2: 'feed': unknown setting; did you mean 'feeds'?"),
      ("{\n  \"grace\": \"1m\",\n  \"grace\": \"2m\"\n}", ":3: 'grace' is given twice"),
      ("{\n  \"grace\": [1]\n}", ":2: 'grace': must be a string, not a list"),
      ("{\n\n  \"grace\": \"soon\"\n}", ":3: 'grace': invalid duration 'soon'"),
      ("{\"history\": -1}", ":1: 'history': invalid number of days from 0 to 36500 '-1'"),
      ("{\"history\": 1e3}", ":1: 'history': invalid number of days from 0 to 36500 '1e3'"),
      ("{\"geocoder\": \"nominatim.org\"}", ":1: 'geocoder': invalid server address 'nominatim.org'"),
      ("{\"policy\": \"strict\"}", ":1: 'policy': invalid policy 'strict'"),
      ("{\"log-level\": \"loud\"}", ":1: 'log-level': invalid log level 'loud'"),
      ("{\"feeds\": \"-\"}", ":1: 'feeds': must be a list, not a string"),
      ("{\"feeds\": [\n\"ftp://x\"]}", ":2: 'feeds': 'ftp://x': unknown feed 'ftp'"),
      ("{\"feeds\": [{\"list\": \"x\"}]}", ":1: 'feeds': an object here must have an 'address'"),
      ("{\"feeds\": [{\"address\": \"-\",\n\"password-file\": \"~/none\"}]}", ":2: 'feeds': can't read '"),
      (
        "{\"channels\": [\"desktop\",\n\"desktop?snooze=1h\"]}",
        ":2: 'channels': 'desktop': two channels with this name differ only in 'snooze'"
      ),
      ("{\"store\": \"here.sqlite\"}", ":1: 'store': must be an absolute path"),
      ("{\n\"grace\" \"1m\"}", ":2:9: invalid JSON: "), ("{", ":1:2: invalid JSON: "),
      ("", ":1:1: invalid JSON: "),
      ("[]", ":1: the settings must be an object"), ("{\"a\":[[[[[[[[[[1]]]]]]]]]]}", "too deep"),
      ("{\"zone\": \"Mars/Base\"}", ":1: 'zone': unknown time zone 'Mars/Base'"),
    ])
  func wrong(text: String, says: String) throws {
    try settings(text)
    fixture.variables = ["FENCEPOST_ZONE": "", "FENCEPOST_STORE": ""]
    let result = fixture.run("config", "--check")
    #expect(result.code == .misuse)
    #expect(
      result.diagnostics.contains(path + says) || (says == "too deep" && result.diagnostics.contains(says)),
      "\(result.diagnostics)")
    #expect(result.output.isEmpty)
  }

  @Test(
    "A check reports feeds and channels that can't work",
    arguments: [
      (
        "\"channels\": [\"-\",\n\"exec:/nowhere/ring\"]",
        ":2: 'channels': can't run /nowhere/ring: No such file"
      ),
      (
        "\"channels\": [\"exec:/etc/passwd\"]",
        ":1: 'channels': can't run /etc/passwd: it is not executable"
      ),
      ("\"channels\": [\"exec:/tmp\"]", ":1: 'channels': can't run /tmp: it is not a file"),
      (
        "\"channels\": [\"mailto:ann@example.org?sendmail=/nowhere/mail\"]",
        ":1: 'channels': can't run /nowhere/mail: No such file"
      ),
      (
        "\"channels\": [{\"address\": \"https://example.org/\", \"secret-file\": \"/nowhere/key\"}]",
        ":1: 'channels': can't read '/nowhere/key': No such file"
      ),
      (
        "\"channels\": [\"https://example.org/?secret-env=FENCEPOST_NOT_SET\"]",
        ":1: 'channels': can't find the secret: the environment variable FENCEPOST_NOT_SET is not set"
      ),
      (
        "\"channels\": [\"mqtts://example.org?cafile=/nowhere/ca.pem\"]",
        ":1: 'channels': can't read /nowhere/ca.pem: No such file"
      ),
      (
        "\"channels\": [\"-\"], \"feeds\": [\n\"geoclu\"]",
        ":2: 'feeds': can't read geoclu: No such file"
      ),
      ("\"channels\": [\"-\"], \"feeds\": [\"tail:/tmp\"]", ":1: 'feeds': can't read /tmp: it is a folder"),
      (
        "\"channels\": [\"-\"], \"feeds\": [\"gpsd:localhost\"]",
        ":1: 'feeds': 'gpsd:localhost': unknown feed"
      ),
      ("\"channels\": [\"htps://example.org/\"]", ":1: 'channels': 'htps://example.org/': unknown channel"),
    ])
  func obstacles(text: String, says: String) throws {
    try settings("{\(text)}")
    let result = fixture.run("config", "--check")
    #expect(result.code == .misuse)
    #expect(result.diagnostics.contains(path + says), "\(result.diagnostics)")
    #expect(result.diagnostics.split(separator: "\n").count == 1)
  }

  @Test("A check and the daemon agree that there must be a channel")
  func noChannels() throws {
    try settings("{\"feeds\": [\"-\"]}")
    for words in [["config", "--check"], ["daemon"], ["alarms", "test"]] {
      let result = fixture.run(words)
      #expect(result.code == .misuse)
      #expect(result.diagnostics.contains("channels: no channel to deliver alarms to; use --deliver"))
      #expect(result.diagnostics.contains(path))
    }
    #expect(!FileManager.default.fileExists(atPath: fixture.directory.path("calendar.sqlite")))
  }

  @Test("All errors are reported together")
  func everything() throws {
    try settings("{\"grace\": \"x\",\n\"history\": \"y\"}")
    let result = fixture.run("config", "--check")
    #expect(result.diagnostics.split(separator: "\n").count == 2)
  }

  @Test("A settings file that the user names must exist")
  func missing() throws {
    let option = fixture.run("config", "--config", "/nowhere/at/all.json")
    #expect(option.code == .misuse)
    #expect(option.diagnostics.contains("/nowhere/at/all.json: no such file"))
    fixture.variables["FENCEPOST_CONFIG"] = "/nowhere/at/all.json"
    #expect(fixture.run("list").code == .misuse)
    #expect(fixture.run("completions", "bash").code == .success)
  }
}
