import FencepostTestSupport
import Testing

@testable import fencepost

@Suite("Explanations of alarms")
struct ExplainTraceTests {
  @Test("Each decision is listed with its reasons, in order of time")
  func changes() throws {
    let result = try CommandFixture().run(
      "explain-trace", "--verbose", "--reminders", CommandFixture.data("errands.ics"), "--place", "home",
      CommandFixture.data("noisy-phone.csv"))
    #expect(result.code == .success, "\(result.diagnostics)")
    let home = result.lines.map { $0.split(separator: "\t") }.filter { $0[2] == "Home" }.map { $0[3] }
    #expect(home.first?.hasPrefix("may have left: ") == true)
    #expect(
      home.filter { $0.hasPrefix("alarm: ") } == [
        "alarm: Helmet, laptop, lunch box", "alarm: Water the tomatoes on the balcony",
      ])
    #expect(result.output.contains("ignored a position: too imprecise, 1.4 km"))
    #expect(result.output.contains("held a position: its clock jumped"))
    // Another place nearby is not mentioned.
    #expect(!result.output.contains("Spinnerei"))
  }

  @Test("A terminal shows days and short sentences, without internal numbers")
  func terminal() throws {
    let result = try CommandFixture().run(
      columns: 80, "explain-trace", "--reminders", CommandFixture.data("errands.ics"), "--place", "home",
      CommandFixture.data("noisy-phone.csv"))
    #expect(
      result.lines.prefix(5) == [
        "Friday, 8 May 2026",
        "  07:10:08  ignored 3 positions: 2 same time as the previous one, 1 too imprecise",
        "  07:38:42  Home: may have left", "  07:39:04  Home: left at 07:38:28",
        "  07:39:04  Home: alarm: Helmet, laptop, lunch box",
      ])
    for word in ["odds", "accuracy", "1970", "\t", " m "] { #expect(!result.output.contains(word)) }
  }

  static let gap = """
    time,latitude,longitude,accuracy
    2026-05-02T07:50:00Z,52.5,13.38,8
    2026-05-02T07:56:00Z,52.5,13.38,8
    2026-05-02T07:57:00Z,52.5,13.38,8
    2026-05-02T09:07:00Z,52.5,13.4,8
    2026-05-02T09:07:20Z,52.5,13.4,8
    2026-05-02T09:07:40Z,52.5,13.4,8

    """

  @Test("A crossing in a gap is listed with its time range")
  func gaps() throws {
    let fixture = try CommandFixture()
    fixture.run(["add", "reminder", "Tea", "--arrive", "52.5,13.4", "--place-name", "Shop"])
    let trace = try fixture.directory.write(Self.gap, to: "phone.csv")
    let explained = fixture.run(columns: 80, "explain-trace", trace)
    #expect(explained.output.contains("Shop: arrived between 09:57 and 11:07\n"), "\(explained.output)")
    #expect(fixture.run(columns: 80, "replay", trace).output.contains("between 09:57 and 11:07"))
    #expect(
      fixture.run(columns: 80, "replay", "--transitions", trace).lines.count { $0.contains("between") } == 2)
    for words in [["explain-trace", "--json", trace], ["replay", "--json", "--transitions", trace]] {
      let transition = try fixture.run(words).lines.map(object).first {
        ["crossing", "transition"].contains($0["type"] as? String)
      }
      #expect(transition?["earliest"] as? String == "2026-05-02T09:57:00+02:00")
      #expect(transition?["latest"] as? String == "2026-05-02T11:07:00+02:00")
    }
    // The ledger contains it.
    #expect(
      fixture.run("replay", "--record", "--json", trace).output.contains(
        "\"earliest\":\"2026-05-02T09:57:00+02:00\""))
    let log = fixture.run("alarms", "log", "--json")
    #expect(log.output.contains("\"latest\":\"2026-05-02T11:07:00+02:00\""), "\(log.output)")
    #expect(fixture.run(columns: 80, "alarms", "log").output.contains("between 09:57 and 11:07"))
  }

  @Test("JSON contains the numbers for a program")
  func json() throws {
    let result = try CommandFixture().run(
      "explain-trace", "--json", "--all", "--reminders", CommandFixture.data("errands.ics"),
      CommandFixture.data("receiver.nmea"))
    let objects = try result.lines.map(object)
    #expect(Set(objects.compactMap { $0["type"] as? String }) == ["judgement", "crossing", "alarm"])
    let judgement = try #require(objects.first { $0["type"] as? String == "judgement" })
    #expect(judgement["evidence"] is Double)
    #expect(judgement["outcome"] as? String == "doubtful")
  }

  @Test(
    "The reason for a suppressed alarm is listed",
    arguments: [
      (["--between", "22:00-23:00"], "outside its hours, days or dates"),
      (["--device", "watch"], "it is for other devices"),
    ])
  func silence(limits: [String], reason: String) throws {
    let fixture = try CommandFixture()
    fixture.run(["add", "reminder", "x", "--arrive", "52.5,13.4", "--place-name", "Shop"] + limits)
    let rows = (0..<20).map { "2026-05-02T08:\($0 + 10):00Z,52.5,\(13.38 + Double(min($0, 10)) * 0.002),8" }
    let trace = try fixture.directory.write(
      "time,latitude,longitude,accuracy\n" + rows.joined(separator: "\n"), to: "phone.csv")
    let result = fixture.run("explain-trace", trace)
    #expect(result.output.contains("alarm suppressed: x: \(reason)"))
    #expect(fixture.run("replay", trace).output == "")
  }

  @Test("Crossings that the phone reported say so")
  func reported() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "x", "--arrive", "52.5,13.4", "--place-name", "Shop")
    func message(_ type: String, _ seconds: Int, _ latitude: Double, _ rest: String) -> String {
      #"{"_type":"\#(type)","tid":"ph","tst":\#(1_777_708_800 + seconds),"lat":\#(latitude),"lon":13.4,\#(rest)}"#
    }
    let far = message("location", 0, 52.6, #""acc":10"#)
    let own = message("transition", 3_600, 52.5, #""acc":10,"event":"enter","rid":"abc","wtst":1600000000"#)
    let unknown = try fixture.directory.write(far + "\n" + own + "\n", to: "unknown.json")
    #expect(fixture.run("explain-trace", unknown).output.contains(", reported by the phone\n"))
    // 150 m beyond the boundary, but in a region that the phone got.
    let inside = [(3_600, 52.502_2), (3_660, 52.502_3)].map {
      message("location", $0, $1, #""acc":10,"inrids":["fencepost-1"]"#)
    }
    let given = try fixture.directory.write(([far] + inside).joined(separator: "\n") + "\n", to: "given.json")
    let output = fixture.run("explain-trace", given).output
    #expect(output.contains("arrived: reported by the phone, which watches this place\n"), "\(output)")
    #expect(output.contains("had not left: the phone, which watches this place, reports that it is there\n"))
    #expect(output.split(separator: "alarm: x").count == 2)
  }

  @Test("Of two alarms at one place, the suppressed one is named")
  func silentOne() throws {
    let fixture = try CommandFixture()
    for (title, times) in [("One", "once"), ("Two", "always")] {
      fixture.run(
        "add", "reminder", title, "--arrive", "52.5,13.4", "--place-name", "Shop", "--times", times)
    }
    // In, out, and in again.
    let longitudes = [13.38, 13.4, 13.38, 13.4].flatMap { Array(repeating: $0, count: 15) }
    let rows = longitudes.enumerated().map { index, longitude in
      // A real receiver never repeats a coordinate exactly.
      "\(1_777_708_800 + index * 60),52.5,\(longitude + Double(index) * 1e-6),8"
    }
    let trace = try fixture.directory.write(
      "time,latitude,longitude,accuracy\n" + rows.joined(separator: "\n"), to: "phone.csv")
    let result = fixture.run("explain-trace", trace)
    #expect(result.output.contains("alarm suppressed: One: it fired already"), "\(result.output)")
    #expect(!result.output.contains("alarm suppressed: Two"))
    // Three crossings of one boundary, though it has several alarms.
    let summary = fixture.run("replay", trace).diagnostics
    #expect(summary.contains("; 3 crossings (") && summary.contains(", 3 alarms"), "\(summary)")
  }

  @Test("Positions of a file that come after later ones are sorted, and are not called ignored")
  func latePositions() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "x", "--arrive", "52.5,13.4", "--place-name", "Shop")
    func rows(_ from: Int, _ longitude: Double) -> [String] {
      (0..<20).map { "\(1_777_708_800 + from + $0 * 10),52.5,\(longitude + Double($0) * 1e-6),8" }
    }
    let live = rows(0, 13.3) + rows(10_000, 13.31)
    let late = rows(2_000, 13.3) + rows(3_000, 13.4) + rows(4_000, 13.3)
    let trace = try fixture.directory.write(
      "time,latitude,longitude,accuracy\n" + (live + late).joined(separator: "\n"), to: "phone.csv")
    let result = fixture.run("explain-trace", trace)
    #expect(result.output.contains("arrived"), "\(result.output)")
    #expect(!result.output.contains("ignored"), "\(result.output)")
    let replay = fixture.run("replay", trace)
    #expect(replay.output.contains("arrived") && !replay.output.contains("late"), "\(replay.output)")
    for result in [result, replay] {
      #expect(result.diagnostics.contains("points run backwards; sorted"), "\(result.diagnostics)")
    }
  }

  @Test("For times without a zone, the assumed zone is reported")
  func zones() throws {
    let fixture = try CommandFixture()
    fixture.run("add", "reminder", "x", "--arrive", "52.5,13.4")
    for (column, time, note) in [
      ("local_time", "2026-05-02T10:00:00+02:00", "times have no zone; read as local time, Europe/Berlin"),
      ("Zeit", "2026-05-02T12:00:00+02:00", "times have no zone; read as UTC"),
    ] {
      let trace = try fixture.directory.write(
        "\(column);lat;lon\n2026-05-02 10:00:00;52.5;13.4\n", to: "phone.csv")
      let tracks = fixture.run("tracks", "--json", trace)
      #expect(tracks.output.contains(time) && tracks.diagnostics.contains(note), "\(tracks)")
      #expect(fixture.run("replay", trace).diagnostics.contains(note))
      #expect(fixture.run("explain-trace", trace).diagnostics.contains(note))
    }
  }

  @Test(
    "The settings of the policy are accepted, and misspelt ones are errors",
    arguments: [
      (
        [
          "--cushion", "5m", "--hold", "30s", "--max-accuracy", "100", "--max-speed", "130km/h",
          "--certainty", "100",
        ], nil
      ),
      (["--max-speed", "fast"], "invalid speed 'fast'"), (["--certainty", "1"], "invalid odds '1'"),
      (["--policy", "exact", "--hold", "30s"], "robust policy only"),
    ])
  func settings(words: [String], complaint: String?) throws {
    let result = try CommandFixture().run(
      ["replay", "--reminders", CommandFixture.data("errands.ics"), CommandFixture.data("receiver.nmea")]
        + words)
    if let complaint {
      #expect(result.code != .success)
      #expect(result.diagnostics.contains(complaint))
    } else {
      #expect(result.lines.count == 3)
    }
  }
}
