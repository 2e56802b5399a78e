@testable import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import Testing

@Suite("Alarms at places")
struct ProximityTests {
  /// Past a fence of 100 m at 10 m/s: in at 20 s, out at 40 s, a fix each 5 s.
  static func pass(_ fixture: EngineFixture, from seconds: Double = 0, device: String = "phone") -> [Fix] {
    stride(from: 0.0, through: 60, by: 5).map {
      fixture.fix(seconds + $0 + 0.5, -300 + ($0 + 0.5) * 10, device: device)
    }
  }

  @Test("Arriving and leaving go off once each, dated by the crossing, when it is sure")
  func enterAndLeave() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    try fixture.reminder("Out", EngineFixture.alarm(.leave))
    let firings = try fixture.dryRun().process(Self.pass(fixture))
    #expect(EngineFixture.short(firings) == ["enter In 20", "leave Out 40"])
    #expect(firings.map { $0.wentOffAt.seconds(since: EngineFixture.start) } == [20.5, 40.5])
    let crossing = try #require(firings.first?.crossing)
    #expect(crossing.device == "phone")
    #expect(crossing.isInterpolated)
    #expect(crossing.accuracy == 5)
  }

  @Test("Limits count for each item, though a file gave one identifier to alarms of two")
  func sharedIdentifier() throws {
    for frequency in [ProximityTrigger.Frequency.once, .oncePerDay] {
      let fixture = try EngineFixture()
      let alarm = EngineFixture.alarm(.enter) { $0.frequency = frequency }
      try fixture.reminder("One", alarm)
      try fixture.reminder("Two", alarm)
      let fixes = Self.pass(fixture) + Self.pass(fixture, from: 100)
      #expect(
        EngineFixture.short(try fixture.dryRun().process(fixes)).sorted() == [
          "enter One 20", "enter Two 20",
        ])
      #expect(
        EngineFixture.short(try fixture.engine().process(fixes)).sorted() == ["enter One 20", "enter Two 20"])
    }
  }

  @Test(
    "An alarm made between two positions goes off where the way between them crosses after it was made",
    arguments: [(60, ["enter In 480"]), (470, ["enter In 480"]), (490, [])] as [(Double, [String])])
  func madeBetween(made: Double, expected: [String]) throws {
    let fixture = try EngineFixture()
    let engine = try fixture.engine()
    #expect(try engine.process([fixture.fix(0, -500)]).isEmpty)
    var item = try fixture.reminder("In", EngineFixture.alarm(.enter))
    item.lastModified = EngineFixture.start.adding(seconds: made)
    try fixture.store.write { [item] in try $0.save(item) }
    try engine.reload()
    let firings = try engine.process([fixture.fix(600, 0), fixture.fix(660, 1)])
    #expect(EngineFixture.short(firings) == expected)
  }

  @Test(
    "What an alarm is limited to",
    arguments: [
      ("always", ["enter A 20", "enter A 620", "enter A 86420"]),
      ("once", ["enter A 20"]),
      ("oncePerDay", ["enter A 20", "enter A 86420"]),
      ("from nine", ["enter A 86420"]),
      ("Sundays", ["enter A 86420"]),
      ("until Saturday", ["enter A 20", "enter A 620"]),
      ("another device", []),
      ("this device", ["enter A 20", "enter A 620", "enter A 86420"]),
    ])
  func limits(name: String, expected: [String]) throws {
    let fixture = try EngineFixture()
    let alarm = EngineFixture.alarm(.enter) { trigger in
      switch name {
      case "once": trigger.frequency = .once
      case "oncePerDay": trigger.frequency = .oncePerDay
      case "from nine": trigger.window = TimeWindow(firstDay: CivilDay(year: 2026, month: 5, day: 3))
      case "Sundays": trigger.window = TimeWindow(weekdays: [.sunday])
      case "until Saturday": trigger.window = TimeWindow(lastDay: CivilDay(year: 2026, month: 5, day: 2))
      case "another device": trigger.devices = ["watch"]
      case "this device": trigger.devices = ["watch", "phone"]
      default: break
      }
    }
    try fixture.reminder("A", alarm)
    let engine = try fixture.dryRun()
    var firings: [Firing] = []
    for seconds in [0.0, 600, 86_400] { firings += try engine.process(Self.pass(fixture, from: seconds)) }
    #expect(EngineFixture.short(firings) == expected)
  }

  @Test("A stay goes off after its time inside, and not where it is cut short")
  func dwell() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("Long", EngineFixture.alarm(.dwell(seconds: 300)))
    try fixture.reminder("Short", EngineFixture.alarm(.dwell(seconds: 15)))
    let engine = try fixture.dryRun()
    let passing = try engine.process(Self.pass(fixture))
    #expect(EngineFixture.short(passing) == ["dwell Short 35"])
    let staying = [fixture.fix(100, -300), fixture.fix(110, 0), fixture.fix(1000, 5)]
    #expect(
      EngineFixture.short(try engine.process(staying)) == ["dwell Short 122", "dwell Long 407"])
  }

  @Test("Being inside when it begins is no arrival, unless the alarm asks; leaving works at once")
  func initiallyInside() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("Arrive", EngineFixture.alarm(.enter))
    try fixture.reminder("Here", EngineFixture.alarm(.enter) { $0.firesIfInside = true })
    try fixture.reminder("Leave", EngineFixture.alarm(.leave))
    let fixes = [fixture.fix(0, 0), fixture.fix(10, 0), fixture.fix(20, 200)]
    let firings = try fixture.dryRun().process(fixes)
    #expect(EngineFixture.short(firings) == ["enter Here 0", "leave Leave 15"])
  }

  @Test("Completed reminders are silent")
  func silenced() throws {
    let fixture = try EngineFixture()
    var item = try fixture.reminder("Done", EngineFixture.alarm(.enter))
    item.reminder?.isCompleted = true
    try fixture.store.write { [item] in try $0.save(item) }
    #expect(try fixture.dryRun().process(Self.pass(fixture)).isEmpty)
  }

  @Test("Devices don't know of one another")
  func devices() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let both = zip(Self.pass(fixture), Self.pass(fixture, from: 1, device: "watch")).flatMap { [$0, $1] }
    let firings = try fixture.dryRun().process(both)
    #expect(firings.map { $0.crossing?.device } == ["phone", "watch"])
  }

  @Test("A gap before the first fix after a restart is told")
  func gaps() throws {
    let fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let names = ["phone", "watch"]
    _ = try fixture.engine().process(names.map { fixture.fix(0, -500, device: $0) })
    let engine = try fixture.engine()
    let fixes = (0..<300).flatMap { step in
      names.map { fixture.fix(Double(3_600 + step), 0, device: $0) }
    }
    let gaps = try engine.process(fixes).map { $0.crossing?.gap }
    let expected = EngineFixture.start...EngineFixture.start.adding(seconds: 3_600)
    #expect(gaps == [expected, expected])
  }

  @Test("A device that gets the number of another one does not get its gaps", arguments: [true, false])
  func forgottenGaps(isReleased: Bool) throws {
    let fixture = try EngineFixture()
    try fixture.reminder("In", EngineFixture.alarm(.enter))
    let engine = try fixture.engine()
    let phone = fixture.devices.temporaryNumber(of: "phone")
    func fix(_ seconds: Double, _ metres: Double) -> Fix {
      var fix = fixture.fix(seconds, metres, device: "other")
      fix.device = phone
      return fix
    }
    if isReleased {
      _ = try engine.process([fix(0, 900), fix(3_600, 800)])
      #expect(fixture.devices.release("phone"))
      engine.release([phone])
      #expect(fixture.devices.temporaryNumber(of: "watch") == phone)
    } else {
      // What one step found is not saved before its end.
      _ = try engine.weighRun(of: [fix(0, 900), fix(3_600, 800)], from: 0)
      try engine.rollBack()
    }
    // Within the gap of the forgotten positions.
    let firings = try engine.process([fix(1_000, 500), fix(1_010, 0)])
    #expect(firings.count == 1 && firings.allSatisfy { $0.crossing?.gap == nil })
  }

  @Test(
    "Steps of any size give the same firings, with the state saved and loaded between",
    arguments: [
      1, 2, 3, 7, 100,
    ])
  func pieces(size: Int) throws {
    let whole = try EngineFixture()
    let cut = try EngineFixture()
    for fixture in [whole, cut] {
      try fixture.reminder("In", EngineFixture.alarm(.enter))
      try fixture.reminder("Out", EngineFixture.alarm(.leave))
      try fixture.reminder("Next door", EngineFixture.alarm(.enter, at: 80, radius: 60))
    }
    let fixes = Self.pass(cut)
    var firings: [Firing] = []
    for first in stride(from: 0, to: fixes.count, by: size) {
      // A new engine each time: only the store remembers.
      firings += try cut.engine().process(Array(fixes[first..<min(first + size, fixes.count)]))
    }
    let expected = try whole.dryRun().process(Self.pass(whole))
    #expect(EngineFixture.short(firings) == EngineFixture.short(expected))
    #expect(firings.count == 4 - 1)
    // The feed is sent again: nothing goes off twice.
    #expect(try cut.engine().process(fixes).isEmpty)
    #expect(try cut.store.read { try $0.firings().count } == firings.count)
  }
}
