import TestSupport
import Testing

@testable import fencepost

@Suite("Why an alarm went off, or did not")
struct ExplainTests {
  @Test("Each change of mind, with what spoke for it, in the order of time")
  func changes() throws {
    let result = try CommandFixture().run(
      "explain", "--reminders", CommandFixture.data("errands.ics"), "--place", "home",
      CommandFixture.data("noisy-phone.csv"))
    #expect(result.code == .success, "\(result.diagnostics)")
    let home = result.lines.map { $0.split(separator: "\t") }.filter { $0[2] == "Home" }.map { $0[3] }
    #expect(home.first?.hasPrefix("perhaps left: ") == true)
    #expect(
      home.filter { $0.hasSuffix("goes off") } == [
        "'Helmet, laptop, lunch box' goes off", "'Water the tomatoes on the balcony' goes off",
      ])
    #expect(result.output.contains("fix turned away: its accuracy is too poor, 1.4 km"))
    #expect(result.output.contains("fix put aside until another agrees: its time is far"))
    // A place beside it says nothing of this one.
    #expect(!result.output.contains("Spinnerei"))
  }

  @Test("As JSON, for a program that draws it")
  func json() throws {
    let result = try CommandFixture().run(
      "explain", "--json", "--all", "--reminders", CommandFixture.data("errands.ics"),
      CommandFixture.data("receiver.nmea"))
    let objects = try result.lines.map(object)
    #expect(Set(objects.compactMap { $0["type"] as? String }) == ["judgement", "transition", "alarm"])
    let judgement = try #require(objects.first { $0["type"] as? String == "judgement" })
    #expect(judgement["evidence"] is Double)
    #expect(judgement["outcome"] as? String == "doubtful")
  }

  @Test(
    "Why an alarm stays silent",
    arguments: [
      (["--between", "22:00-23:00"], "this is outside of its hours, days or dates"),
      (["--device", "watch"], "it listens to other devices"),
    ])
  func silence(limits: [String], reason: String) throws {
    let fixture = try CommandFixture()
    fixture.run(["add", "reminder", "x", "--arrive", "52.5,13.4", "--place-name", "Shop"] + limits)
    let rows = (0..<20).map { "2026-05-02T08:\($0 + 10):00Z,52.5,\(13.38 + Double(min($0, 10)) * 0.002),8" }
    let trace = try fixture.directory.write(
      "time,latitude,longitude,accuracy\n" + rows.joined(separator: "\n"), to: "phone.csv")
    let result = fixture.run("explain", trace)
    #expect(result.output.contains("alarm stays silent: \(reason)"))
    #expect(fixture.run("replay", trace).output == "")
  }

  @Test(
    "The policy's settings can be said, and misspelt",
    arguments: [
      (
        [
          "--cushion", "5m", "--hold", "30s", "--max-accuracy", "100", "--max-speed", "130km/h",
          "--certainty", "100",
        ], nil
      ),
      (["--max-speed", "fast"], "'fast' is no speed"), (["--certainty", "1"], "'1' is no number of odds"),
      (["--policy", "exact", "--hold", "30s"], "the exact one has none"),
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
