import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostGeofencing
import FencepostPositionFeeds
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("Devices that fall silent, and what they say of themselves")
struct SilenceTests {
  private let fixture: EngineFixture

  init() throws {
    fixture = try EngineFixture()
    try fixture.reminder("Home", EngineFixture.alarm(.enter))
  }

  private func engine(
    at seconds: Double = 0, clock: AlarmEngine.Clock = .wall(lateAfter: 60), continues: Bool = false
  ) throws -> AlarmEngine {
    try AlarmEngine(
      store: fixture.store, journal: StoreJournal(store: fixture.store, continues: continues),
      policy: .robust,
      schedule: AlarmSchedule(resolver: fixture.resolver), devices: fixture.devices, start: time(seconds),
      clock: clock)
  }

  private func time(_ seconds: Double) -> Instant { EngineFixture.start.adding(seconds: seconds) }

  /// A walk that ends just inside, with too little to be sure: the last fix is 200 s after the start.
  private func walk(_ device: String = "phone") -> [Fix] {
    var fixes = (0..<20).map { fixture.fix(Double($0) * 10, -400 + Double($0) * 14, device: device) }
    fixes.append(fixture.fix(200, -92, device: device))
    for place in fixes.indices { fixes[place].horizontalAccuracy = 20 }
    return fixes
  }

  @Test("The store has the accuracy that a device claimed, not the error that the policy assumes")
  func claims() throws {
    var fixes = walk("phone") + walk("watch")
    fixes.sort { $0.time < $1.time }
    for place in fixes.indices { fixes[place].horizontalAccuracy = 90 }
    _ = try engine().process(fixes)
    let stored = try fixture.store.read { try $0.devices() }.map { $0.lastFix?.horizontalAccuracy }
    #expect(stored == [90, 90])
    let states = try fixture.store.read { try $0.fenceState(of: "phone") }
    #expect(try DeviceState(decoding: #require(states)).lastFix?.accuracy != 90)
  }

  @Test("On the wall the alarm goes off a minute after the last fix, and nothing must come for it")
  func onTheWall() throws {
    let engine = try engine()
    for fix in walk() {
      #expect(try engine.advance(to: fix.time).isEmpty)
      #expect(try engine.process([fix]).isEmpty)
    }
    #expect(try engine.nextDue() == time(260))
    #expect(try engine.advance(to: time(259)).isEmpty)
    let firings = try engine.advance(to: time(261))
    #expect(firings.map(\.confirmedAt) == [time(260)])
    #expect(firings.map(\.crossing?.device) == ["phone"])
    #expect(try engine.nextDue() == nil)
    #expect(try engine.advance(to: time(9_000)).isEmpty)
  }

  @Test("A restart in between neither loses it nor repeats it")
  func restart() throws {
    let first = try engine()
    for fix in walk() {
      _ = try first.advance(to: fix.time)
      #expect(try first.process([fix]).isEmpty)
    }
    // The silence counts from the start of the next run, which can't know what it missed.
    let second = try engine(at: 230)
    #expect(try second.nextDue() == time(290))
    #expect(try second.advance(to: time(300)).map(\.kind) == [.enter])
    #expect(try engine(at: 400).advance(to: time(9_000)).isEmpty)
  }

  @Test("A run that has missed nothing counts the silence from when the positions came")
  func continuation() throws {
    let first = try engine()
    for fix in walk() {
      // The phone sends them ten minutes late.
      _ = try first.advance(to: fix.time.adding(seconds: 600))
      #expect(try first.process([fix]).isEmpty)
    }
    #expect(try engine(at: 830, continues: true).nextDue() == time(860))
    #expect(try engine(at: 830).nextDue() == time(890))
    let second = try engine(at: 830, continues: true)
    #expect(try second.advance(to: time(859)).isEmpty)
    #expect(try second.advance(to: time(860)).map(\.confirmedAt) == [time(260)])
  }

  @Test("A device that makes room for others while it is in doubt is settled all the same, no earlier")
  func released() throws {
    let engine = try engine()
    let phone = fixture.devices.temporaryNumber(of: "phone")
    for var fix in walk("other") {
      fix.device = phone
      _ = try engine.advance(to: fix.time)
      #expect(try engine.process([fix]).isEmpty)
    }
    _ = try engine.advance(to: time(230))
    #expect(fixture.devices.release("phone"))
    engine.release([phone])
    #expect(fixture.devices.temporaryNumber(of: "watch") == phone)
    // Its silence counts from when it was released.
    #expect(try engine.nextDue() == time(290))
    #expect(try engine.advance(to: time(289)).isEmpty)
    #expect(try engine.advance(to: time(291)).map(\.crossing?.device) == ["phone"])
    #expect(try engine.advance(to: time(9_000)).isEmpty)
  }

  @Test("Positions that come late settleBySilence at the pace of the wall from when they came")
  func lateBatch() throws {
    let engine = try engine()
    _ = try engine.advance(to: time(5_000))
    #expect(try engine.process(walk()).isEmpty)
    #expect(try engine.nextDue() == time(5_060))
    #expect(try engine.advance(to: time(5_060)).map(\.confirmedAt) == [time(260)])
  }

  @Test("Positions that come late, with one after the silence, show at once what silence settled")
  func lateBatchBeyondSilence() throws {
    let engine = try engine()
    _ = try engine.advance(to: time(5_000))
    let firings = try engine.process(walk() + [fixture.fix(2_000, -2_000)])
    #expect(firings.map(\.kind) == [.enter])
    #expect(firings.map(\.confirmedAt) == [time(260)])
  }

  @Test("After the clock was set back, silence settles a doubt at the pace of the new clock")
  func clockSetBack() throws {
    let engine = try engine()
    _ = try engine.advance(to: time(5_000))
    #expect(try engine.process(walk()).isEmpty)
    #expect(try engine.advance(to: time(1_000)).isEmpty)
    #expect(try engine.nextDue() == time(1_060))
    #expect(try engine.advance(to: time(1_060)).map(\.confirmedAt) == [time(260)])
  }

  @Test(
    "A run over a trace finds the doubts of an earlier one in the store, even if only another device has quiet fixes now"
  )
  func earlierDoubt() throws {
    #expect(try engine(clock: .trace).process(walk()).isEmpty)
    let others = (0..<300).map { fixture.fix(210 + Double($0), 5_000, device: "other") }
    let firings = try engine(at: 210, clock: .trace).process(others)
    #expect(firings.map(\.confirmedAt) == [time(260)])
  }

  @Test(
    "The fences of a device in doubt are loaded, though the position before is another device's elsewhere")
  func fencesOfEarlierDoubt() throws {
    #expect(try engine(clock: .trace).process(walk()).isEmpty)
    let elsewhere = Coordinate(latitude: 10.5, longitude: 10.5)
    var fixes = [
      fixture.fix(210, 0, device: "other"), fixture.fix(211, 0, device: "other"), fixture.fix(40_000, 0),
    ]
    for index in fixes.indices { fixes[index].coordinate = elsewhere }
    let firings = try engine(at: 210, clock: .trace).process(fixes)
    #expect(firings.map(\.crossing?.device) == ["phone"])
    #expect(firings.map(\.confirmedAt) == [time(260)])
  }

  @Test(
    "On a trace what silence settles goes off in its order, however the fixes are handed in",
    arguments: [1, 7, 2_000])
  func order(step: Int) throws {
    for second in stride(from: 100.0, to: 600, by: 50) {
      try fixture.reminder(
        "At \(second)", Alarm(trigger: .absolute(time(second))))
    }
    // Another phone is heard of all the time.
    let others = (0..<600).map { fixture.fix(Double($0) + 0.5, 5_000, device: "other") }
    let last = fixture.fix(599, -92)
    let fixes = (walk() + others + [last]).sorted { $0.time < $1.time }
    let engine = try fixture.dryRun(policy: .robust)
    var firings: [Firing] = []
    for first in stride(from: 0, to: fixes.count, by: step) {
      firings += try engine.process(Array(fixes[first..<min(first + step, fixes.count)]))
    }
    #expect(firings.count == 11)
    #expect(firings.contains { $0.kind == .enter && $0.confirmedAt == time(260) })
    #expect(firings.map(\.wentOffAt) == firings.map(\.wentOffAt).sorted())
  }

  @Test("One message of a phone that watches regions itself is enough")
  func messages() throws {
    let home = EngineFixture.home
    let far = Geodesic.destination(from: home, azimuth: 0, metres: 9_000)
    let inside = Geodesic.destination(from: home, azimuth: 0, metres: 40)
    func ownTracks(_ type: String, _ at: Coordinate, _ seconds: Double, _ accuracy: Int) -> String {
      let epoch = Int(time(seconds).secondsSince1970)
      return
        #"{"_type":"\#(type)","event":"enter","wtst":1,"lat":\#(at.latitude),"lon":\#(at.longitude),"acc":\#(accuracy),"tst":\#(epoch)}"#
    }
    let messages = [
      [ownTracks("location", far, 0, 20), ownTracks("transition", inside, 7_200, 30)],
      [
        ownTracks("location", far, 0, 20),
        #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(inside.longitude),\#(inside.latitude)]},"properties":{"action":"visit","timestamp":"2026-05-02T08:20:00Z","arrival_date":"2026-05-02T08:10:00Z","departure_date":null,"horizontal_accuracy":65}}]}"#,
      ],
    ]
    for (number, messages) in messages.enumerated() {
      let reader = MessageReader(devices: fixture.devices)
      let engine = try fixture.dryRun(policy: .robust)
      var firings: [Firing] = []
      for message in messages {
        firings += try engine.process(reader.read(message.utf8, of: .given("phone \(number)")).fixes)
      }
      #expect(firings.map(\.kind) == [.enter], "\(number)")
    }
  }
}
