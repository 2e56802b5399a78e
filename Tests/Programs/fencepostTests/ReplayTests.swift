import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Replaying traces")
struct ReplayTests {
  /// The truth of a trace, from the generator of Data/.
  struct Truth: Decodable {
    struct Trace: Decodable {
      var file: String
      var records: Int
      var firings: [Expected]
    }
    struct Expected: Decodable {
      var kind: String
      var time: String
      var alarm: String
      var title: String
    }
    var traces: [Trace]

    static func load() throws -> Truth {
      try JSONDecoder().decode(
        Truth.self, from: Data(contentsOf: URL(fileURLWithPath: CommandFixture.data("truth.json"))))
    }
  }

  @Test("A replay brings a store of an earlier version up to date")
  func outdatedStore() throws {
    let fixture = try CommandFixture()
    // An empty file is the earliest version.
    #expect(FileManager.default.createFile(atPath: fixture.directory.path("calendar.sqlite"), contents: nil))
    #expect(fixture.run("replay", CommandFixture.data("errands-walk.gpx")).code == .success)
  }

  @Test(
    "Each trace of Data/ triggers its known alarms, once and within a minute",
    arguments: [
      "errands-walk.gpx", "receiver.nmea", "commute-week.csv", "noisy-phone.csv",
    ])
  func truth(file: String) throws {
    let trace = try #require(try Truth.load().traces.first { $0.file == file })
    let result = try CommandFixture().run(
      "replay", "--json", "--reminders", CommandFixture.data("errands.ics"), CommandFixture.data(file))
    #expect(result.code == .success)
    var objects = try result.lines.map(object)
    let summary = try #require(objects.last)
    objects.removeLast()
    #expect(summary["type"] as? String == "summary")
    let rejected = summary["rejected"] as? [String: Int]
    #expect((summary["fixes"] as? Int ?? 0) - (rejected?["no_fix"] ?? 0) == trace.records)
    #expect(summary["firings"] as? Int == trace.firings.count)

    var expected = trace.firings
    var before = Instant.distantPast
    for firing in objects {
      #expect(firing["type"] as? String == "firing")
      let time = try #require((firing["time"] as? String).flatMap { Instant(rfc3339: $0) })
      let wentOff = try #require((firing["confirmed_at"] as? String).flatMap { Instant(rfc3339: $0) })
      #expect(wentOff >= before, "firings come in the order in which they went off")
      before = wentOff
      let match = expected.firstIndex { candidate in
        candidate.kind == firing["kind"] as? String && candidate.alarm == firing["alarm"] as? String
          && abs(Instant(rfc3339: candidate.time)?.seconds(since: time) ?? .infinity) < 60
      }
      if let match { expected.remove(at: match) } else { Issue.record("not to go off: \(firing)") }
    }
    #expect(expected.map { "\($0.time) \($0.title)" } == [])
  }

  @Test("A file that runs backwards, or is shuffled, sets off the same alarms", arguments: [true, false])
  func disorder(isReversed: Bool) throws {
    let fixture = try CommandFixture()
    let file = CommandFixture.data("commute-week.csv")
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    var random = SeededRandom(seed: 11)
    let rows = lines.dropFirst()
    let others = isReversed ? Array(rows.reversed()) : rows.shuffled(using: &random)
    let trace = try fixture.directory.write(
      (lines.prefix(1) + others).joined(separator: "\n"), to: "commute-week.csv")
    let reminders = ["replay", "--reminders", CommandFixture.data("errands.ics")]
    let (right, result) = (fixture.run(reminders + [file]), fixture.run(reminders + [trace]))
    #expect(!right.output.isEmpty)
    #expect(result.output == right.output)
    #expect(
      result.diagnostics.contains("commute-week.csv: points run backwards; sorted"), "\(result.diagnostics)")
  }

  @Test("Traces with the same name are separate devices: one that never arrives triggers no alarm")
  func sameName() throws {
    let fixture = try CommandFixture()
    for (folder, latitude) in [("ann", 10.0), ("bob", 20.04)] {
      try FileManager.default.createDirectory(
        at: fixture.directory.url.appendingPathComponent(folder), withIntermediateDirectories: true)
      let rows = (0..<20).map { "2026-05-01T08:\(10 + $0):00Z,\(latitude),1,5\n" }.joined()
      try fixture.directory.write("time,lat,lon,accuracy\n" + rows, to: "\(folder)/walk.csv")
    }
    fixture.run("add", "reminder", "there", "--arrive", "20.04,1")
    let paths = ["ann/walk.csv", "bob/walk.csv"].map { fixture.directory.path($0) }
    let result = fixture.run(["replay", "--policy", "exact", "--transitions", "--json"] + paths)
    let summary = try object(try #require(result.lines.last))
    #expect(summary["type"] as? String == "summary")
    #expect(summary["admitted"] as? Int == 40)
    #expect(summary["firings"] as? Int == 0, "bob was there all the time")
  }

  @Test("Standard output contains only results, and standard error the summary")
  func streams() throws {
    let result = try CommandFixture().run(
      "replay", "--reminders", CommandFixture.data("errands.ics"), CommandFixture.data("receiver.nmea"))
    #expect(
      result.lines.map { $0.split(separator: "\t").dropFirst().prefix(3).joined(separator: "|") } == [
        "left|Is the cabin locked and the stove out?|Cabin on the Waldsee",
        "time|Ring Ruth in Auckland|Errands",
        "arrived|Water the tomatoes on the balcony|Home",
      ])
    #expect(
      result.diagnostics
        == "781 fixes over 12 min 56 s, rejected: 5 no fix; 2 crossings (3 transitions: alarms share places), 3 alarms\n"
    )
  }

  @Test("The counts of crossings and transitions agree with the lines, and both are named")
  func counts() throws {
    let words = [
      "replay", "--transitions", "--reminders", CommandFixture.data("errands.ics"),
      CommandFixture.data("errands-walk.gpx"),
    ]
    let lines = try CommandFixture().run(words + ["--json"]).lines.map(object)
    let summary = try #require(lines.last)
    let transitions = try #require(summary["transitions"] as? Int)
    let crossings = try #require(summary["crossings"] as? Int)
    #expect(lines.count { $0["type"] as? String == "transition" } == transitions && crossings < transitions)
    #expect(
      try CommandFixture().run(words).diagnostics.contains(
        "; \(crossings) crossings (\(transitions) transitions: alarms share places), "))
  }

  @Test("Transitions come before their firings")
  func transitions() throws {
    let result = try CommandFixture().run(
      "replay", "--json", "--transitions", "--reminders", CommandFixture.data("errands.ics"),
      CommandFixture.data("receiver.nmea"))
    let objects = try result.lines.map(object)
    #expect(
      objects.map { "\($0["type"] ?? "") \($0["kind"] ?? "")" } == [
        "transition leave", "firing leave", "firing absolute", "transition enter", "transition enter",
        "firing enter", "summary ",
      ])
    #expect(objects.filter { $0["type"] as? String == "transition" }.allSatisfy { $0["alarm"] == nil })
  }

  @Test("A dry run does not change the store; a recorded one is not repeated")
  func recording() throws {
    let fixture = try CommandFixture()
    fixture.run("import", CommandFixture.data("errands.ics"))
    let walk = CommandFixture.data("errands-walk.gpx")
    let first = fixture.run("replay", walk)
    let second = fixture.run("replay", walk)
    #expect(first.output == second.output)
    #expect(first.lines.count == 13)
    let recorded = fixture.run("replay", "--record", walk)
    #expect(recorded.output == first.output)
    let again = fixture.run("replay", "--record", walk)
    #expect(again.output == "")
  }

  @Test("While a daemon runs, a replay can't record into its store, but a dry run works")
  func watched() throws {
    let fixture = try CommandFixture()
    fixture.run("import", CommandFixture.data("errands.ics"))
    let walk = CommandFixture.data("errands-walk.gpx")
    let store = try fixture.openStore()
    let lock = try StoreLock(of: store)
    let refused = fixture.run("replay", "--record", walk)
    #expect(refused.code == .failure)
    #expect(refused.diagnostics.contains("already"))
    #expect(try store.read { try $0.firings() }.isEmpty)
    #expect(fixture.run("replay", walk).lines.count == 13)
    withExtendedLifetime(lock) {}
  }

  @Test("Several traces are merged by time, each as its own device")
  func several() throws {
    let result = try CommandFixture().run(
      "replay", "--json", "--reminders", CommandFixture.data("errands.ics"),
      CommandFixture.data("receiver.nmea"), CommandFixture.data("errands-walk.gpx"))
    let objects = try result.lines.map(object)
    let times = objects.compactMap { ($0["confirmed_at"] as? String).flatMap { Instant(rfc3339: $0) } }
    #expect(times == times.sorted())
    #expect(Set(objects.compactMap { $0["device"] as? String }) == ["receiver", "errands-walk"])
  }

  @Test(
    "Input that is not a trace ends the run with one line",
    arguments: [
      ("empty.gpx", "", "is empty"),
      ("picture.jpg", "\u{FF}\u{D8}\u{FF}\u{E0}", "not"),
      ("words.txt", "Dear diary, today I went for a walk.\n", "is not a readable trace"),
      (
        "timeless.gpx", "<gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>",
        "time"
      ),
      ("bomb.gpx", "<!DOCTYPE gpx [<!ENTITY a \"aaaa\">]><gpx>&a;</gpx>", "document type"),
    ])
  func foreign(name: String, content: String, says: String) throws {
    let fixture = try CommandFixture()
    let path = try fixture.directory.write(
      Data(content.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }), to: name)
    let result = fixture.run("replay", "--reminders", CommandFixture.data("errands.ics"), path)
    #expect(result.code == .failure)
    #expect(result.output == "")
    #expect(result.diagnostics.hasPrefix("fencepost: \(path)"))
    #expect(result.diagnostics.split(separator: "\n").count == 1)
    #expect(result.diagnostics.lowercased().contains(says))
  }

  @Test("A directory and a missing file are errors")
  func unreadable() throws {
    let fixture = try CommandFixture()
    let reminders = CommandFixture.data("errands.ics")
    let directory = fixture.run("replay", "--reminders", reminders, fixture.directory.url.path)
    #expect(directory.code == .failure)
    #expect(directory.diagnostics.contains("is a directory"))
    let missing = fixture.run("replay", "--reminders", reminders, "/nonexistent.gpx")
    #expect(missing.code == .failure)
    #expect(
      missing.diagnostics == "fencepost: /nonexistent.gpx: cannot be opened: No such file or directory\n")
  }

  @Test("Broken records are skipped and counted, and the rest is replayed")
  func broken() throws {
    let fixture = try CommandFixture()
    let trace = try fixture.directory.write(
      """
      time,latitude,longitude
      2026-05-02T07:00:00Z,52.488941,10.308147
      2026-05-02T07:00:30Z,91,10.3
      never,52.4,10.3
      2026-05-02T07:01:00Z,52.488941,10.308147
      """, to: "trace.csv")
    let result = fixture.run(
      "replay", "--json", "--reminders", CommandFixture.data("errands.ics"), trace)
    #expect(result.code == .success)
    let summary = try object(try #require(result.lines.last))
    #expect(summary["fixes"] as? Int == 4)
    #expect(summary["admitted"] as? Int == 2)
    #expect(summary["rejected"] as? [String: Int] == ["bad_coordinate": 1, "bad_time": 1])
  }
}
