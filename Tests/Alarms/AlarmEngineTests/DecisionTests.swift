import FencepostAlarmEngine
import FencepostAlarmTestSupport
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeofencing
import FencepostRecurrence
import FencepostTestSupport
import Glibc
import Testing

/// What the engine records of its decisions, as they happen.
@Suite("Recorded decisions")
struct DecisionTests {
  let fixture: LiveAlarmFixture

  init() throws { fixture = try LiveAlarmFixture() }

  /// Feeds one position after the other, at its own time.
  private func play(
    _ fixes: [(seconds: Double, metres: Double)], to engine: LiveAlarmEngine, device: String = "phone"
  ) throws {
    for (seconds, metres) in fixes {
      fixture.clock.set(LiveAlarmFixture.start.adding(seconds: seconds))
      _ = try engine.process([fixture.fix(seconds, metres, device: device)], at: fixture.clock.now)
    }
  }

  private func decisions(_ item: String = "Milk") throws -> [AlarmDecision] {
    try fixture.store.read { reader in
      try reader.decisions(about: .item(.init(rawValue: item)), in: .distantPast..<Instant.distantFuture)
    }
  }

  private func observations(_ kind: EngineObservation.Kind) throws -> [EngineObservation] {
    try fixture.store.read { try $0.observations(in: .distantPast..<Instant.distantFuture) }
      .filter { $0.kind == kind }
  }

  /// In short form: `outside 20-90 nearest 38 at 60 crossed fired`.
  private func short(_ decision: AlarmDecision) -> String {
    func seconds(_ time: Instant) -> String {
      "\(Int(time.seconds(since: LiveAlarmFixture.start).rounded()))"
    }
    var words = [decision.isInside ? "inside" : "outside"]
    words.append("\(seconds(decision.from))-\(seconds(decision.until))")
    if let nearest = decision.nearest {
      words.append("nearest \(Int(nearest.metres.rounded())) at \(seconds(nearest.time))")
    }
    if let ending = decision.ending { words.append(ending.rawValue) }
    if let outcome = decision.outcome { words.append(outcome.text) }
    return words.joined(separator: " ")
  }

  @Test("An approach is one record, with the nearest distance and its time, whatever the number of fixes")
  func approach() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine()
    // From 3 km to 138 m, which is 38 m from the edge, and away again.
    try play([(0, 3_000), (20, 900), (40, 400), (60, 138), (80, 300), (100, 600)], to: engine)
    #expect(try decisions().map(short) == ["outside 20-60 nearest 38 at 60"])
    try play([(120, 3_000)], to: engine)
    #expect(try decisions().map(short) == ["outside 20-100 nearest 38 at 60 went_away"])
    let decision = try #require(try decisions().first)
    #expect(decision.device == "phone" && decision.place == "Place" && decision.event == "enter")
    #expect(decision.nearest?.accuracy == 5)
    // The next approach is another record.
    try play([(200, 500), (220, 3_000)], to: engine)
    #expect(try decisions().map(short).last == "outside 200-200 nearest 400 at 200 went_away")
  }

  @Test("A pretended phone leaves no records")
  func trial() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine()
    let phone = Trial.devicePrefix + "a"
    try play([(0, 3_000), (20, 900), (40, 138), (60, 0), (80, 0), (7_200, 3_000)], to: engine, device: phone)
    #expect(try decisions().isEmpty)
    #expect(try observations(.silence).isEmpty)
  }

  @Test("A visit is an approach with a crossing, and a stay; a place that was never near has no record")
  func visit() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    try fixture.reminder("Far", LiveAlarmFixture.alarm(.enter, at: 20_000))
    let engine = try fixture.engine()
    try play([(0, 900), (60, 0), (120, 0.5), (180, 900), (240, 5_000)], to: engine)
    #expect(
      try decisions().map(short) == [
        "outside 0-60 nearest -100 at 60 crossed fired", "inside 60-180 nearest 800 at 180 crossed",
      ])
    let firing = try #require(try fixture.store.read { try $0.firings() }.first)
    #expect(try decisions().first?.firing == firing.firing.key)
    #expect(try decisions("Far").isEmpty)
  }

  @Test("The reason for silence is recorded, and stays after an edit, a move and a completion")
  func suppressed() throws {
    var alarm = LiveAlarmFixture.alarm(.enter)
    alarm.proximity?.devices = ["watch"]
    var item = try fixture.reminder("Milk", alarm)
    let engine = try fixture.engine()
    try play([(0, 900), (60, 0)], to: engine)
    let before = try decisions()
    #expect(before.map(short).first == "outside 0-60 nearest -100 at 60 crossed other_device")
    item.title = "Oat milk"
    item.alarms[0].proximity?.location.title = "Elsewhere"
    item.alarms[0].proximity?.location.coordinate =
      LiveAlarmFixture.alarm(.enter, at: 9_000)
      .proximity?.location.coordinate
    try fixture.store.write { [item] in try $0.save(item) }
    try play([(120, 1)], to: engine)
    item.reminder?.isCompleted = true
    try fixture.store.write { [item] in try $0.save(item) }
    try play([(180, 2)], to: engine)
    let after = try decisions()
    #expect(after.first == before.first)
    #expect(after.map(\.place).allSatisfy { $0 == "Place" })
    #expect(after.map(short).last?.hasSuffix("moved") == true, "\(after.map(short))")
  }

  @Test("Completing a reminder ends its record")
  func completed() throws {
    var item = try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine()
    try play([(0, 900)], to: engine)
    item.reminder?.isCompleted = true
    try fixture.store.write { [item] in try $0.save(item) }
    try play([(60, 0)], to: engine)
    #expect(try decisions().map(short) == ["outside 0-0 nearest 800 at 0 silenced"])
  }

  @Test("Silence of a device, and the time that the engine ran, are recorded")
  func silence() throws {
    let engine = try fixture.engine()
    try play([(0, 3_000), (60, 3_001), (4_000, 3_002)], to: engine)
    let silences = try observations(.silence)
    #expect(silences.map(\.from) == [LiveAlarmFixture.start.adding(seconds: 60)])
    #expect(silences.map(\.until) == [LiveAlarmFixture.start.adding(seconds: 4_000)])
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 4_100))
    try engine.finish(at: fixture.clock.now)
    let runs = try observations(.run)
    #expect(runs.map(\.from) == [LiveAlarmFixture.start])
    #expect(runs.map(\.until) == [fixture.clock.now])
  }

  @Test("Ignored positions are counted by reason, and those set aside say what ended it")
  func ignored() throws {
    let engine = try LiveAlarmEngine(
      store: fixture.store, policy: .robust(.init()), resolver: fixture.resolver, devices: fixture.devices,
      grace: 60, channels: { _ in [] }, now: fixture.clock.now)
    var coarse = fixture.fix(90, 3_000)
    coarse.horizontalAccuracy = 5_000
    try play((0..<6).map { (Double($0) * 10, 3_000 + Double($0)) }, to: engine)
    fixture.clock.set(LiveAlarmFixture.start.adding(seconds: 90))
    for seconds in [90.0, 95, 100] {
      coarse.time = LiveAlarmFixture.start.adding(seconds: seconds)
      _ = try engine.process([coarse], at: fixture.clock.now)
    }
    // A jump of 100 km, and back.
    try play([(110, 100_000), (120, 3_010), (130, 3_011)], to: engine)
    let ignored = try observations(.ignored)
    #expect(ignored.map(\.reason) == ["imprecise", "impossible_speed"])
    #expect(ignored.map(\.count) == [3, 1])
    #expect(ignored.first?.accuracy == 5_000)
    #expect(ignored.map(\.ending) == [nil, "dismissed"])
  }

  @Test("A doubt is recorded with the judgement that ended it")
  func doubt() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try LiveAlarmEngine(
      store: fixture.store, policy: .robust(.init()), resolver: fixture.resolver, devices: fixture.devices,
      grace: 60, channels: { _ in [] }, now: fixture.clock.now)
    let way = [500.0, 450, 400, 350, 300, 250, 200, 150, 98, 150, 200, 250, 300, 350]
    try play(way.enumerated().map { (Double($0.offset) * 10, $0.element) }, to: engine)
    let decision = try #require(try decisions().first)
    #expect(decision.doubts == 1 && decision.doubt == "dismissed", "\(decision)")
    #expect(decision.outcome == nil && decision.crossing == nil)
    #expect(abs((decision.nearest?.metres ?? 0) + 2) < 1)
  }

  @Test("A step that failed is recorded once, with the repetition")
  func failure() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine()
    try play([(0, 900)], to: engine)
    let (path, away) = (fixture.store.path, fixture.directory.path("away.sqlite"))
    #expect(rename(path, away) == 0)
    #expect(throws: (any Error).self) { try play([(60, 0)], to: engine) }
    #expect(rename(away, path) == 0)
    try play([(120, 1)], to: engine)
    #expect(try decisions().compactMap(\.outcome) == [.fired])
  }

  @Test("Old records are erased, and those of a device with it")
  func erased() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try fixture.engine()
    try play([(0, 900), (60, 5_000)], to: engine)
    try play([(100, 900), (1_000, 0)], to: engine, device: "watch")
    try engine.removeRecords(before: LiveAlarmFixture.start.adding(seconds: 61))
    #expect(Set(try decisions().map(\.device)) == ["watch"])
    try fixture.store.write { try $0.forgetDevices(named: "watch") }
    #expect(try decisions().isEmpty)
    #expect(try observations(.silence).isEmpty && observations(.run).count == 1)
  }

  @Test("Nothing is recorded if it is off")
  func off() throws {
    try fixture.reminder("Milk", LiveAlarmFixture.alarm(.enter))
    let engine = try LiveAlarmEngine(
      store: fixture.store, policy: .exact, resolver: fixture.resolver, devices: fixture.devices, grace: 60,
      recordsDecisions: false, channels: { _ in [] }, now: fixture.clock.now)
    try play([(0, 900), (60, 0)], to: engine)
    #expect(try decisions().isEmpty && observations(.run).isEmpty)
    #expect(try fixture.store.read { try $0.firings() }.count == 1)
  }
}
