import CalendarStore
import Foundation
import Geodesy
import Glibc
import Spatiotemporal
import TestSupport
import Testing

@testable import fencepost

@Suite("The daemon as a service", .serialized)
struct DaemonProcessTests {
  let daemon: DaemonProcess

  init() throws { daemon = try DaemonProcess() }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("The service manager is told when it is up, alive, reading settings, and about to end")
  func notifications() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    try daemon.start(environment: ["WATCHDOG_USEC": "200000"])
    try daemon.wait(for: "WATCHDOG=1")
    try daemon.wait(for: "WATCHDOG=1")
    daemon.signal(SIGHUP)
    try daemon.wait(for: "RELOADING=1")
    try daemon.wait(for: "READY=1")
    daemon.signal(SIGTERM)
    try daemon.wait(for: "STOPPING=1")
    #expect(daemon.end() == 0)
  }

  @Test("Its files are for their owner alone")
  func modes() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"], "store": "~/new/folder/calendar.sqlite"}"#)
    try daemon.start(environment: ["FENCEPOST_STORE": ""], shell: "umask 000; exec \"$0\" \"$@\"")
    let folder = daemon.directory.path("new/folder")
    #expect(mode(folder) == 0o700)
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
      #expect(mode(folder + "/" + file) == 0o600, "\(file)")
    }
    #expect(mode(folder + "/calendar.sqlite.socket") == 0o600)
  }

  @Test("While the store is gone, positions are refused; once a whole one is there, they are kept in that")
  func replacedStore() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"], "feeds": ["http://127.0.0.1:0"]}"#)
    _ = try daemon.command("add", "reminder", "Milk")
    let backup = daemon.directory.path("backup.sqlite")
    try daemon.start()
    #expect(try daemon.command("backup", backup).code == 0)
    let refused = try daemon.command("restore", backup, "--yes")
    #expect(refused.code == 1 && refused.diagnostics.contains("'fencepost status'"))
    func post(_ time: Int) throws -> String {
      try LoopbackPort.post(
        #"{"_type":"location","lat":52.5,"lon":13.4,"acc":5,"tst":\#(time),"tid":"ph"}"#
      ) { LoopbackPort.said(in: daemon.log) }
    }
    #expect(try post(1_777_000_000) == "200 []")
    unlink(daemon.store)
    let gone = "503 the store can't be used for now; send it again later"
    // At once, however often it is asked.
    for _ in 0..<3 { #expect(try post(1_777_000_060) == gone) }
    // Half of one is none.
    let whole = try Data(contentsOf: URL(fileURLWithPath: backup))
    try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: daemon.directory.path("half")))
    rename(daemon.directory.path("half"), daemon.store)
    #expect(try post(1_777_000_060) == gone)
    for name in ["-wal", "-shm"] { unlink(daemon.store + name) }
    rename(backup, daemon.store)
    try daemon.wait(for: "READY=1")
    #expect(try post(1_777_000_060) == "200 []")
    let status = try daemon.command("status", "--json")
    #expect(status.code == 0 && status.output.contains("2026-04-24T"))
    #expect(daemon.log.contains("was moved, deleted or replaced"))
    #expect(!daemon.log.contains("\(daemon.store): \(daemon.store)"))
    #expect(try daemon.command("list").output.contains("Milk"))
    #expect(daemon.end() == 0)
    #expect(try CalendarStore(path: daemon.store).read { try $0.devices() }.count == 1)
  }

  @Test("A position dated ahead is ignored and counted, and the true ones after it count")
  func datedAhead() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"], "feeds": ["http://127.0.0.1:0"]}"#)
    try daemon.start()
    let now = Int(Date().timeIntervalSince1970)
    for (seconds, latitude) in [
      (-60, 52.1), (3_000, 52.1002), (0, 52.1001), (90_000, 52.1002), (200, 52.1003),
    ] {
      let answer = try LoopbackPort.post(
        #"{"_type":"location","lat":\#(latitude),"lon":13.4,"acc":5,"tst":\#(now + seconds),"tid":"ph"}"#
      ) { LoopbackPort.said(in: daemon.log) }
      // Nobody should send it again.
      #expect(answer == "200 []")
    }
    let status = try object(daemon.command("status", "--json").output)
    #expect((status["feeds"] as? [[String: Any]])?.first?["dated_ahead"] as? Int == 2)
    #expect(
      try daemon.command("status").output.contains("5 positions, 2 dated ahead of this machine's clock"))
    #expect(daemon.end() == 0)
    #expect(
      daemon.log.components(separatedBy: "dated more than 5 minutes ahead of this machine's clock").count == 2
    )
    let devices = try CalendarStore(path: daemon.store).read { try $0.devices() }
    #expect(devices.map(\.lastFix?.coordinate.latitude) == [52.1003])
  }

  @Test("Under journald each line says how much it matters; elsewhere it does not", arguments: [true, false])
  func levels(isJournal: Bool) throws {
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    try daemon.start(environment: isJournal ? ["JOURNAL_STREAM": "this"] : [:])
    #expect(daemon.end() == 0)
    let lines = daemon.log.split(separator: "\n")
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.hasPrefix(isJournal ? "<" : "fencepost: ") })
  }

  @Test("What can't work yet, and secrets that others can see, are warned of when it starts")
  func cautions() throws {
    try daemon.configure(
      #"{"channels": ["CHANNEL", "exec:/nowhere/ring", "mqtt://ann:s3cret@127.0.0.1:1/x"]}"#)
    try daemon.start(["--feed", "http://ann:s3cret@127.0.0.1:0", "--feed", "http://127.0.0.1:0?token=s3cret"])
    #expect(daemon.end() == 0)
    let log = daemon.log
    #expect(log.contains("config.json:1: 'channels': can't run /nowhere/ring: No such file or directory"))
    #expect(
      log.split(separator: "\n").count {
        $0.contains(
          "--feed http://127.0.0.1:0: other users can read its secret on the command line")
      } == 2)
    #expect(!log.contains("s3cret"))
    #expect(
      !log.contains("mqtt://ann@127.0.0.1:1/x: other users"), "the file of settings is for its owner alone")
  }

  @Test("New settings count at once, alarms go on, and settings that can't be understood change nothing")
  func reload() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    _ = try daemon.command("add", "reminder", "One", "--due", "now", "--alarm", "2s")
    try daemon.start()
    _ = try daemon.lines(of: "told", count: 1)

    try daemon.configure(
      """
      {"channels": ["OTHER"], "history": 3, "policy": "exact",
       "feeds": ["tail:\(daemon.directory.path("phone.csv"))"]}
      """)
    #expect(try daemon.command("reload").code == 0)
    _ = try daemon.command("add", "reminder", "Two", "--due", "now", "--alarm", "2s")
    let two = try daemon.lines(of: "other", count: 1)
    #expect(two.count == 1 && two[0].contains("\"Two\""))
    #expect(try daemon.lines(of: "told", count: 1).count == 1)

    try daemon.configure("{\"channels\": [\"CHANNEL\"],\n \"grace\": \"soon\"}")
    let refused = try daemon.command("reload")
    #expect(refused.code == 1)
    #expect(refused.diagnostics.contains("config.json:2: 'grace': invalid duration 'soon'"))
    daemon.signal(SIGHUP)
    try daemon.wait(for: "RELOADING=1")
    try daemon.wait(for: "READY=1")
    let status = try daemon.command("status", "--json")
    let object = try object(status.output)
    #expect(
      (object["channels"] as? [[String: Any]])?.map { "\($0["address"] ?? "")" } == [
        "exec:\(daemon.directory.path("OTHER"))"
      ])
    #expect((object["feeds"] as? [[String: Any]])?.count == 1)
    #expect(daemon.end() == 0)
  }

  @Test("A file that is followed goes on over a reload, and is closed when the settings name it no more")
  func reloadWithFile() throws {
    let feed = daemon.directory.path("phone.csv")
    let header = "time,latitude,longitude\n"
    try Data((header + "2026-05-01T12:00:00Z,52,13\n").utf8).write(to: URL(fileURLWithPath: feed))
    try daemon.configure(#"{"channels": ["CHANNEL"], "feeds": ["tail:\#(feed)"]}"#)
    try daemon.start()
    func wait(for words: String) throws {
      #expect(try eventually { try daemon.command("status").output.contains(words) })
    }
    func isOpen() throws -> Bool {
      let folder = "/proc/\(daemon.identifier)/fd"
      return try FileManager.default.contentsOfDirectory(atPath: folder).contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0))?
          .hasSuffix("/phone.csv") == true
      }
    }
    try wait(for: "open, 1 positions")
    #expect(try daemon.command("reload").code == 0)
    let file = try #require(FileHandle(forWritingAtPath: feed))
    try file.seekToEnd()
    try file.write(contentsOf: Data("2026-05-01T12:01:00Z,52,13\n".utf8))
    try wait(for: "open, 2 positions")
    #expect(try isOpen())
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    #expect(try daemon.command("reload").code == 0)
    #expect(try eventually { try !isOpen() })
    #expect(daemon.end() == 0)
  }

  @Test("A disk that is full loses no alarm, repeats none, and is told of")
  func fullDisk() throws {
    // The size that a file may have stands in for the disk.
    let prlimit = "/usr/bin/prlimit"
    try #require(FileManager.default.isExecutableFile(atPath: prlimit))
    try daemon.configure(#"{"channels": ["CHANNEL"]}"#)
    for second in 1...6 {
      _ = try daemon.command("add", "reminder", "\(second)", "--due", "now", "--alarm", "\(second + 1)s")
    }
    try daemon.start(shell: "trap '' XFSZ; exec \"$0\" \"$@\"")
    func limit(_ bytes: String) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: prlimit)
      process.arguments = ["--pid", "\(daemon.identifier)", "--fsize=\(bytes):"]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    try limit("4096")
    // SQLite calls a file that may not grow a failure to write, and not a full disk.
    let failure = "\nstore: \(daemon.store): reading or writing failed"
    #expect(try eventually { try daemon.command("status").output.contains(failure) })
    #expect(daemon.isRunning)
    try limit("unlimited")
    _ = try daemon.lines(of: "told", count: 6)
    // What is at hand is delivered before it ends.
    #expect(daemon.end() == 0)
    let titles = try daemon.lines(of: "told", count: 6).map { line in
      (try object(line)["item"] as? [String: Any])?["title"] as? String ?? ""
    }
    #expect(titles == (1...6).map(String.init))
    #expect(daemon.log.contains("the store is available again"))
  }

  @Test("Standard input that is empty is not tried again")
  func emptyInput() throws {
    try daemon.configure(#"{"channels": ["CHANNEL"], "feeds": ["-"]}"#)
    try daemon.start()
    let lines = try daemon.lines(of: "log", count: 2)
    #expect(lines.contains("fencepost: -: stdin: is empty"), "\(lines)")
    #expect(daemon.end() == 0)
  }

  @Test("Positions are not told above the level 'debug'")
  func discretion() throws {
    let feed = daemon.directory.path("phone.csv")
    try Data("time,latitude,longitude\n2026-05-01T12:00:00Z,52.3456,13.4567\nbroken,52.3456,\n".utf8)
      .write(to: URL(fileURLWithPath: feed))
    try daemon.configure(#"{"channels": ["CHANNEL"], "history": 1, "feeds": ["tail:\#(feed)"]}"#)
    try daemon.start()
    #expect(try eventually { try daemon.command("status").output.contains("device phone") })
    #expect(daemon.end() == 0)
    #expect(!daemon.log.contains("52.34") && !daemon.log.contains("phone:"))
  }
}
