import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import Testing

/// The engine keeps the alarms of fences at hand. What others change in the store counts all the same.
@Suite("Alarms at hand")
struct FenceAlarmTests {
  @Test("A reminder that is completed between two steps stays silent, without the engine starting over")
  func completed() throws {
    for isDryRun in [true, false] {
      let fixture = try EngineFixture()
      let item = try fixture.reminder("In", EngineFixture.alarm(.enter))
      let engine = try isDryRun ? fixture.dryRun() : fixture.engine()
      let fixes = ProximityTests.pass(fixture) + ProximityTests.pass(fixture, from: 100)
      let middle = fixes.count / 2
      #expect(EngineFixture.short(try engine.process(Array(fixes[..<middle]))) == ["enter In 20"])
      var completed = item
      completed.reminder?.complete(at: EngineFixture.start)
      try fixture.store.write { [completed] in try $0.save(completed) }
      #expect(try engine.process(Array(fixes[middle...])).isEmpty)
    }
  }

  @Test("An alarm that is changed between two steps goes off as it says now")
  func changed() throws {
    let fixture = try EngineFixture()
    let item = try fixture.reminder("In", EngineFixture.alarm(.enter))
    let engine = try fixture.dryRun()
    let fixes = ProximityTests.pass(fixture) + ProximityTests.pass(fixture, from: 100)
    let middle = fixes.count / 2
    #expect(EngineFixture.short(try engine.process(Array(fixes[..<middle]))) == ["enter In 20"])
    var changed = item
    changed.alarms[0].proximity?.event = .leave
    try fixture.store.write { [changed] in try $0.save(changed) }
    let later = try engine.process(Array(fixes[middle...]))
    #expect(EngineFixture.short(later) == ["leave In 140"])
  }

  @Test("A dry run tells a firing once, however often it is kept")
  func onceInADryRun() throws {
    let fixture = try EngineFixture()
    let schedule = AlarmSchedule(resolver: fixture.resolver)
    var journal = try DryRunJournal(store: fixture.store, schedule: schedule, start: EngineFixture.start)
    func firing(
      _ second: Double = 0, _ kind: Firing.Kind = .absolute, alarm: String = "a", item: String = "i"
    )
      -> Firing
    {
      Firing(
        kind: kind, time: EngineFixture.start.adding(seconds: second), alarm: Identifier(rawValue: alarm),
        item: Identifier(rawValue: item))
    }
    let others = [firing(1), firing(alarm: "b"), firing(item: "j"), firing(0, .relative)]
    var step = EngineStep()
    step.firings = [firing()] + others + [firing()]
    #expect(journal.commit(step) == [firing()] + others)
    #expect(journal.commit(step).isEmpty)
    // Alarms of a store are told apart by their numbers.
    let firings = [1, 1, 2].map { number in
      Firing(
        kind: .enter, time: EngineFixture.start,
        of: AlarmSubject(alarm: Identifier(rawValue: "a"), item: Identifier(rawValue: "i"), fence: number))
    }
    step.firings = firings
    #expect(journal.commit(step).map(\.subject.fence) == [1, 2])
  }
}
