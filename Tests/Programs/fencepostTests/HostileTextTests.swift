import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Untrusted text for people and programs")
struct HostileTextTests {
  /// This would look like another text, clear the screen and set colours.
  private static let evil = "x\u{202E}gpj.exe\u{1B}[2J\u{9B}31m\u{2066}\u{2028}y"

  private let fixture: CommandFixture
  private let item: CalendarItem

  init() throws {
    let fixture = try CommandFixture()
    self.fixture = fixture
    fixture.run("places", "add", Self.evil, "52.5,13.4")
    fixture.run("lists", "add", "Inbox")
    let place = StructuredLocation(
      title: Self.evil, coordinate: Coordinate(latitude: 52.5, longitude: 13.4), radius: 100)
    let store = try fixture.openStore()
    let moment = Instant(microseconds: fixture.now)
    item = try store.write { writer in
      var list = try writer.defaultCalendar(for: .reminders)
      list.title = Self.evil
      try writer.save(list)
      var hostile = CalendarItem(
        calendar: list.id, title: Self.evil,
        details: .reminder(ReminderDetails(due: CalendarTime(moment.adding(seconds: 3_600)))))
      hostile.notes = "\(Self.evil)\n\(Self.evil)"
      hostile.location = Self.evil
      hostile.alarms = [
        Alarm(trigger: .absolute(moment.adding(seconds: 600))),
        Alarm(proximity: ProximityTrigger(.enter, at: place)),
      ]
      try writer.save(hostile)
      var step = LedgerStep()
      let crossing = Firing.Crossing(
        device: Self.evil, position: Coordinate(latitude: 52.5, longitude: 13.4), accuracy: 5,
        isInterpolated: false)
      step.firings = [
        Firing(
          kind: .enter, time: moment, alarm: hostile.alarms[1].id, item: hostile.id, place: place,
          crossing: crossing),
        Firing(kind: .absolute, time: moment, alarm: hostile.alarms[0].id, item: hostile.id),
      ]
      step.lastFixes[Self.evil] = fixture.fix(minutes: 0, latitude: 52.5)
      step.history[Self.evil] = [fixture.fix(minutes: 0, latitude: 52.5)]
      try writer.record(step)
      return hostile
    }
  }

  @Test(
    "No terminal controls and no direction controls are printed",
    arguments: [
      ["list"], ["agenda"], ["search", "gpj"], ["near", "52.5,13.4"], ["lists"], ["places"],
      ["alarms", "log"],
      ["alarms", "next"], ["status"], ["history"], ["show", "ID"], ["complete", "ID"],
      ["edit", "ID", "--priority", "1"],
      ["move", "ID", "--list", "Inbox"], ["remove", "ID", "--yes"], ["show", "x"], ["undo"],
      ["alarms", "ack", "ID"],
      ["alarms", "snooze", "ID"], ["candidates", "lists"],
    ])
  func commands(words: [String]) {
    let words = words.map { $0 == "ID" ? item.id.rawValue : $0 }
    for (extra, output) in [
      (["--color", "never"], Console.Sink.terminal(columns: 80)), ([], .memory), (["--json"], .memory),
    ] {
      let result = fixture.run(words + extra, output: output)
      #expect(result.code != .misuse, "\(words + extra): \(result.diagnostics)")
      let shown = result.output + result.diagnostics
      #expect(!shown.isEmpty)
      for scalar in shown.unicodeScalars where scalar != "\n" && scalar != "\t" {
        #expect(
          !scalar.isControl && !scalar.isDirectionControl, "\(words): U+\(String(scalar.value, radix: 16))")
      }
    }
  }
}
