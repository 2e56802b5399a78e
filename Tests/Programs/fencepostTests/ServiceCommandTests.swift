import FencepostCalendarStore
import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Foundation
import Glibc
import Testing

@testable import fencepost

@Suite("The systemd unit, the manual pages, and stored positions")
struct ServiceCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  private var unit: String { fixture.directory.path(".config/systemd/user/fencepost.service") }

  @Test("A unit is written with the given options, in systemd's syntax, and can be removed")
  func install() throws {
    let result = fixture.run(
      "daemon", "--install", "--feed", "tail:/srv/100% my \"phone\".csv", "--deliver", "exec:/bin/$x",
      "--history", "3", "--store", "/srv/calendars/mine.sqlite")
    #expect(result.code == .success, "\(result.diagnostics)")
    #expect(result.diagnostics.contains("systemctl --user enable --now fencepost.service"))
    let text = try String(contentsOfFile: unit, encoding: .utf8)
    #expect(
      text.contains(
        #" daemon --feed "tail:/srv/100%% my \"phone\".csv" --deliver exec:/bin/$$x --history 3"#
          + " --store /srv/calendars/mine.sqlite --zone Europe/Berlin\n"))
    #expect(text.contains("ReadWritePaths=-%h -%t -/tmp -/var/tmp -/srv/calendars\n"))
    #expect(fixture.run("daemon", "--uninstall").code == .success)
    #expect(!FileManager.default.fileExists(atPath: unit))
    #expect(fixture.run("daemon", "--uninstall").diagnostics.contains("no such file"))
  }

  @Test("A unit contains absolute paths and the current environment")
  func wholePaths() throws {
    fixture.variables["FENCEPOST_GRACE"] = "5m"
    let result = fixture.run(
      "daemon", "--install", "--print", "--deliver", "-", "--feed", "walk.csv", "--feed", "tail:live.csv",
      "--feed",
      "gpsd://localhost:2947")
    let here = FileManager.default.currentDirectoryPath
    #expect(
      result.output.contains(
        " --feed \(here)/walk.csv --feed tail:\(here)/live.csv --feed gpsd://localhost:2947 "),
      "\(result.output)")
    #expect(result.output.contains(" --store \(fixture.directory.path("calendar.sqlite"))"))
    #expect(result.output.contains(" --grace 5m"))
  }

  @Test("A unit can be printed for a package, and options that it could not use are errors")
  func print() throws {
    let result = fixture.run("daemon", "--install", "--print", "--program", "/usr/bin/fencepost")
    #expect(result.output.contains("\nExecStart=/usr/bin/fencepost daemon\n"))
    // The first start with a million alarms takes almost systemd's default timeout.
    #expect(result.output.contains("\nTimeoutStartSec=infinity\n"))
    #expect(!FileManager.default.fileExists(atPath: unit))
    let secret = fixture.run(
      "daemon", "--install", "--deliver", "-", "--feed", "mqtts://me:word@broker.example/x")
    #expect(secret.code == .failure && !secret.diagnostics.contains("word@"))
    #expect(fixture.run("daemon", "--install", "--deliver", "carrier-pigeon").code == .misuse)
    for words in [["daemon", "--install"], ["daemon", "--install", "--feed", "-"]] {
      let result = fixture.run(words)
      #expect(result.code == .misuse && result.diagnostics.contains("no channel to deliver alarms to"))
    }
    #expect(fixture.run("daemon", "--print", "--deliver", "-").code != .success)
  }

  @Test("Each command has a manual page")
  func pages() throws {
    let folder = fixture.directory.path("man")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let result = fixture.run("manual", "--into", folder)
    #expect(result.code == .success && result.output.isEmpty)
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(Set(["fencepost.1", "fencepost-daemon.1", "fencepost-alarms-next.1"]).isSubset(of: pages))
    #expect(!pages.contains("fencepost-manual.1"))
    let one = fixture.run("manual", "alarms", "next")
    #expect(one.output.contains(".Dt FENCEPOST\\-ALARMS\\-NEXT 1"))
  }

  @Test("Help needs no valid settings, and has no trailing text")
  func help() throws {
    fixture.variables["FENCEPOST_LOG_LEVEL"] = "loud"
    let help = fixture.run("daemon", "--help")
    #expect(help.code == .success && help.output.contains("fencepost daemon"))
    for words in [["daemon", "--help"], ["help", "add"], ["completions", "bash"], ["manual"], ["-h"], []] {
      let output = fixture.run(words).output
      #expect(output.hasSuffix("\n") && !output.hasSuffix("\n\n"), "\(words)")
    }
    fixture.variables = [:]
    #expect(fixture.run("access", "policy").code == .success)
    #expect(!FileManager.default.fileExists(atPath: fixture.directory.path("calendar.sqlite")))
  }

  @Test("Numbers in a track are decimals of XML Schema")
  func smallNumbers() throws {
    let store = try fixture.openStore()
    try store.write { writer in
      try writer.saveFenceState([], of: "boat")
      try writer.addHistory([fixture.fix(minutes: 0, latitude: 0.00001, altitude: 0.00002)], of: "boat")
    }
    let track = fixture.run("history", "--gpx").output
    #expect(track.contains("<trkpt lat=\"0.00001\" lon=\"13.4\"><ele>0.00002</ele>"))
    #expect(fixture.run("history").output.contains("\t0.00001,13.4\t"))
  }

  @Test("A track contains all values of each position, and its device")
  func roundTrip() throws {
    let names = ["phone", "<watch> & \"co\"", String(repeating: "ü", count: 120)]
    var fixes: [String: [Fix]] = [:]
    for (index, name) in names.enumerated() {
      fixes[name] = (0..<3).map { minute in
        var fix = fixture.fix(
          minutes: minute, latitude: 52.5 + Double(index), altitude: minute == 0 ? 34.5 : nil)
        fix.horizontalAccuracy = [8.25, nil, 3][minute]
        fix.speed = [nil, 1.5, 0][minute]
        fix.course = [nil, 270.5, nil][minute]
        return fix
      }
    }
    try fixture.openStore().write { [fixes] writer in
      for (name, fixes) in fixes {
        try writer.saveFenceState([], of: name)
        try writer.addHistory(fixes, of: name)
      }
    }
    let devices = DeviceRegistry()
    let reader = try TraceReader(
      bytes: Array(fixture.run("history", "--gpx").output.utf8), name: "history.gpx", devices: devices)
    var read: [Fix] = []
    var batch: [Fix] = []
    while try reader.read(into: &batch, limit: 4) { read += batch }
    #expect(read.count == 9 && reader.report.rejections.isEmpty)
    for name in names {
      var own = read.filter { devices.name(of: $0.device) == name }
      #expect(own.map(\.startsSegment) == [true, false, false], "\(name)")
      for index in own.indices {
        own[index].device = .first
        own[index].startsSegment = false
      }
      #expect(own == fixes[name], "\(name)")
    }
  }

  @Test("Stored positions are listed for people, for programs, and as a track")
  func history() throws {
    let store = try fixture.openStore()
    try store.write { writer in
      for (device, name) in ["phone", "<watch>"].enumerated() {
        try writer.saveFenceState([], of: name)
        try writer.addHistory(
          (0..<3).map { minute in
            fixture.fix(minutes: minute, latitude: 52.5 + Double(device), altitude: minute == 0 ? 34.5 : nil)
          }, of: name)
      }
    }
    let all = fixture.run("history")
    #expect(all.lines.count == 6)
    #expect(all.lines[3].hasPrefix("2026-05-01T14:30:00+02:00\tphone\t52.5"))
    let json = fixture.run("history", "--device", "phone", "--from", "2026-05-01 14:31", "--json")
    #expect(
      try json.lines.map { try object($0)["time"] as? String } == [
        "2026-05-01T14:31:00+02:00", "2026-05-01T14:32:00+02:00",
      ])
    let gpx = fixture.run("history", "--gpx")
    let path = fixture.directory.path("history.gpx")
    try Data(gpx.output.utf8).write(to: URL(fileURLWithPath: path))
    #expect(fixture.run("tracks", path).code == .success)
    #expect(gpx.output.contains("<trk><name>&lt;watch&gt;</name>"))
    #expect(fixture.run("status").output.contains("history: from 2026-05-01T14:30:00+02:00 on"))
    #expect(fixture.run("forget", "--yes").code == .success)
    #expect(fixture.run("history").output.isEmpty)
  }

  @Test("'make install' installs all files, and 'make uninstall' removes them")
  func makeInstall() throws {
    let folder = fixture.directory.path("stage")
    let program = fixture.directory.path("program")
    try Data("#!/bin/sh\nexec '\(DaemonProcess.program.path)' \"$@\"\n".utf8).write(
      to: URL(fileURLWithPath: program))
    chmod(program, 0o755)
    let script = Repository.root
      .appendingPathComponent("Scripts/install")
    func run(_ word: String) throws {
      let process = Process()
      process.executableURL = script
      process.arguments = [word]
      process.environment = ProcessInfo.processInfo.environment.merging(
        ["PREFIX": "/usr", "DESTDIR": folder, "STRIP": "true"]) { $1 }
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    func files() -> Set<String> {
      let all = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
      return Set(
        all.filter { path in
          var isFolder: ObjCBool = false
          return FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder)
            && !isFolder.boolValue
        })
    }
    try run(program)
    let expected: Set = [
      "usr/bin/fencepost", "usr/share/man/man1/fencepost.1", "usr/share/man/man1/fencepost-daemon.1",
      "usr/share/bash-completion/completions/fencepost", "usr/share/zsh/site-functions/_fencepost",
      "usr/share/fish/vendor_completions.d/fencepost.fish", "usr/lib/systemd/user/fencepost.service",
      "usr/share/doc/fencepost/README.md", "usr/share/doc/fencepost/examples/config.json",
    ]
    #expect(expected.subtracting(files()).isEmpty)
    let unit = try String(contentsOfFile: folder + "/usr/lib/systemd/user/fencepost.service", encoding: .utf8)
    #expect(unit.contains("\nExecStart=/usr/bin/fencepost daemon\n"))
    try run("--uninstall")
    #expect(files().isEmpty)
  }

  @Test("The example settings are valid, except for the secrets that they name")
  func example() throws {
    let example = Repository.root
      .appendingPathComponent("docs/config.json")
    let folder = fixture.directory.path(".config/fencepost")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: example.path, toPath: folder + "/config.json")
    #expect(
      fixture.run("config", "--check").diagnostics.contains("can't read '\(folder)/mqtt.password'"))
    for name in ["mqtt.password", "hook.secret"] {
      try Data("secret\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
    }
    #expect(fixture.run("config").code == .success)
    // Without a desktop, that is the only problem.
    let complaints = fixture.run("config", "--check").diagnostics.split(separator: "\n")
    #expect(complaints.allSatisfy { $0.contains("can't connect to D-Bus") }, "\(complaints)")
  }

  @Test("A damaged store is reported and kept unchanged, by commands and by the daemon")
  func damaged() throws {
    fixture.run("import", CommandFixture.data("errands.ics"))
    let path = fixture.directory.path("calendar.sqlite")
    try fixture.openStore().write { _ in }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // All pages except those of the schema.
    for page in 60..<bytes.count / 4_096 { bytes[page * 4_096] = 0xA5 }
    try bytes.write(to: URL(fileURLWithPath: path))
    for words in [["list"], ["add", "reminder", "Milk"], ["daemon", "--deliver", "-"]] {
      let result = fixture.run(words)
      #expect(result.code == .failure, "\(words)")
      #expect(
        result.diagnostics.contains("\(path): this store is damaged"), "\(words): \(result.diagnostics)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }
}
