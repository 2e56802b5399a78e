import FencepostCalendarModel
import Testing

@Suite("Merging the changes of two concurrent writers")
struct MergingTests {
  private let first = Alarm(trigger: .relative(CalendarDuration(seconds: -600), to: .start))
  private let second = Alarm(trigger: .relative(.zero, to: .start))

  /// The merged alarms after `mine` and `theirs` changed the same original.
  private func merged(
    _ mine: (inout [Alarm]) -> Void, _ theirs: (inout [Alarm]) -> Void
  ) -> [Alarm] {
    var base = CalendarItem(calendar: .random(), title: "Tablet", details: .reminder(.init()))
    base.alarms = [first, second]
    var (edited, stored) = (base, base)
    mine(&edited.alarms)
    theirs(&stored.alarms)
    return edited.merging(stored, since: base).alarms
  }

  private func snooze(of alarm: Alarm) -> Alarm {
    var later = Alarm(trigger: .absolute(Instant(seconds: 9)))
    later.snoozeOf = alarm.id
    return later
  }

  @Test("A snooze survives the addition of another alarm")
  func snoozed() {
    let added = Alarm(trigger: .absolute(Instant(seconds: 5)))
    let later = snooze(of: first)
    var seen = first
    seen.acknowledged = Instant(seconds: 3)
    let alarms = merged({ $0.append(added) }, { $0 = [seen, second, later] })
    #expect(alarms == [seen, second, added, later])
  }

  @Test("A moved alarm keeps its acknowledgement")
  func moved() {
    var seen = first
    seen.acknowledged = Instant(seconds: 3)
    var expected = seen
    expected.trigger = .relative(CalendarDuration(seconds: -60), to: .start)
    let alarms = merged({ $0[0].trigger = expected.trigger }, { $0[0] = seen })
    #expect(alarms == [expected, second])
  }

  @Test("A removed alarm is gone with its snoozes, unless the other writer changed it")
  func removed() {
    let later = snooze(of: first)
    #expect(merged({ $0.removeFirst() }, { $0.append(later) }) == [second])
    #expect(merged({ $0[1].message = "Now" }, { $0.removeFirst() }).map(\.message) == ["Now"])
    #expect(merged({ $0[0].message = "Now" }, { $0.removeFirst() }).map(\.message) == ["Now", nil])
    #expect(merged({ _ in }, { $0 = [later] }) == [later])
  }

  @Test("If alarms share an identifier, those of the writer who changed them stay")
  func twins() {
    let alarms = merged({ $0 = [first, first] }, { $0.append(snooze(of: second)) })
    #expect(alarms == [first, first])
  }

  @Test("The progress of a reminder, and the contact of a birthday")
  func details() {
    let base = CalendarItem(calendar: .random(), title: "Tax", details: .reminder(.init()))
    var (mine, theirs) = (base, base)
    mine.title = "Taxes"
    theirs.reminder?.isInProcess = true
    mine.reminder?.isCancelled = true
    let merged = mine.merging(theirs, since: base)
    #expect(merged.title == "Taxes")
    #expect(merged.reminder?.isInProcess == true)
    #expect(merged.reminder?.isCancelled == true)
  }
}
