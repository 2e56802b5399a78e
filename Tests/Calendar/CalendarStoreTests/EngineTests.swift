import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDatabase
import FencepostGeodesy
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("The engine's data")
struct EngineTests {
  let store: CalendarStore
  let item: CalendarItem
  let list: ItemCalendar

  init() throws {
    store = try CalendarStore()
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    var item = CalendarItem(calendar: list.id, title: "Milk", details: .reminder(ReminderDetails()))
    item.alarms = [
      Alarm(trigger: .absolute(Instant(seconds: 100)), message: "Now!"),
      Alarm(proximity: ProximityTrigger(.enter, at: StructuredLocation(title: "Shop"))),
    ]
    try store.write { [item] in try $0.save(item) }
    self.list = list
    self.item = item
  }

  private func due(_ second: Int64, repetition: Int = 0) -> DueTime {
    DueTime(
      kind: .absolute, time: Instant(seconds: second), alarm: item.alarms[0].id, item: item.id,
      occurrence: .date(CivilDay(dayNumber: Int(second))), repetition: repetition)
  }

  private func stay(_ second: Int64, _ device: String) -> DueTime {
    DueTime(
      kind: .dwell, time: Instant(seconds: second), alarm: item.alarms[1].id, item: item.id, device: device)
  }

  private func firing(_ second: Int64) -> Firing {
    Firing(
      kind: .absolute, time: Instant(seconds: second), alarm: item.alarms[0].id, item: item.id,
      occurrence: .utc(CivilDateTime(secondsSinceEpoch: second)), isLate: true, folded: 3)
  }

  private func crossing(_ second: Int64) -> Firing {
    let place = StructuredLocation(
      title: "Shop", coordinate: Coordinate(latitude: 1, longitude: 2), radius: 50,
      outline: [Polygon(exterior: [Coordinate(latitude: 1, longitude: 2)])], address: "Street 1",
      preservedParameters: ["A=b"])
    return Firing(
      kind: .enter, time: Instant(seconds: second), confirmedAt: Instant(seconds: second + 10),
      alarm: item.alarms[1].id, item: item.id, place: place,
      crossing: Firing.Crossing(
        device: "phone", position: Coordinate(latitude: 3, longitude: 4), accuracy: nil,
        isInterpolated: true))
  }

  @Test("Zero is a number, not a missing one")
  func zero() throws {
    let place = StructuredLocation(
      title: "Null Island", coordinate: Coordinate(latitude: 0, longitude: 0), radius: 50)
    let firing = Firing(
      kind: .enter, time: Instant(seconds: 1), alarm: item.alarms[1].id, item: item.id, place: place,
      crossing: Firing.Crossing(
        device: "phone", position: Coordinate(latitude: 0, longitude: 0), accuracy: 0, isInterpolated: false))
    try store.write { writer in
      var step = LedgerStep()
      step.firings = [firing]
      try writer.record(step)
    }
    let read = try store.read { try $0.lastFiring(alarm: item.alarms[1].id, item: item.id) }?.firing
    #expect(read == firing)
  }

  @Test("Each series with a time-based alarm comes once, for any number of series")
  func timedSeries() throws {
    let items = (0..<2_500).map { number in
      var item = CalendarItem(calendar: list.id, title: "\(number)", details: .reminder(ReminderDetails()))
      item.alarms = (0...(number % 3)).map { Alarm(trigger: .absolute(Instant(seconds: Int64($0)))) }
      return item
    }
    try store.write { writer in
      try writer.saveAll(items)
      // Another alarm of the first item, far from its others.
      var first = items[1]
      first.alarms.append(Alarm(trigger: .absolute(Instant(seconds: 9))))
      try writer.save(first)
    }
    let resolver = TimeResolver(floating: TimeZoneID(rawValue: "UTC"))
    var found: [Identifier<CalendarItem>] = []
    try store.read { reader in
      try reader.forEachTimedSeries(resolver: resolver) { found += $0.items.map(\.id) }
    }
    #expect(found.count == 2_501)
    #expect(Set(found) == Set(items.map(\.id) + [item.id]))
  }

  @Test("Each open reminder with a due time and no alarm comes once")
  func dueSeries() throws {
    let due = { (number: Int) in
      CalendarTime.utc(CivilDateTime(secondsSinceEpoch: Int64(number % 7) * 86_400))
    }
    var items = (0..<2_500).map { number in
      CalendarItem(
        calendar: list.id, title: "\(number)", details: .reminder(ReminderDetails(due: due(number))))
    }
    items[3].reminder?.complete(at: .epoch)
    items[4].reminder?.isCancelled = true
    items[5].reminder?.due = nil
    items[6].alarms = [Alarm(trigger: .absolute(.epoch))]
    var detached = CalendarItem(
      calendar: list.id, uid: items[7].uid, title: "One", details: .reminder(ReminderDetails(due: due(2))))
    detached.detachment = .init(occurrence: due(0))
    try store.write { [items, detached] writer in
      try writer.saveAll(items)
      try writer.save(detached)
    }
    var found: [String] = []
    try store.read { reader in
      try reader.forEachTimedSeries(resolver: TimeResolver(floating: .utc)) {
        found.append($0.items[0].uid)
      }
    }
    let expected = Set(items.map(\.uid)).subtracting(items[3...5].map(\.uid)).union([item.uid])
    #expect(found.count == expected.count && Set(found) == expected)
  }

  @Test("An implied alarm has due times")
  func impliedDueTimes() throws {
    let reminder = CalendarItem(
      calendar: list.id, uid: "u", title: "Milk", details: .reminder(ReminderDetails()))
    let due = DueTime(
      kind: .relative, time: Instant(seconds: 5), alarm: reminder.impliedAlarmID, item: reminder.id)
    try store.write { writer in
      try writer.save(reminder)
      try writer.replaceDueTimes(of: reminder.id, with: [due])
    }
    #expect(try store.read { try $0.dueTimes(of: reminder.id) } == [due])
    var step = LedgerStep()
    step.disarmed = [LedgerStep.Disarmed(item: reminder.id, alarm: .init(rawValue: "v#due"))]
    try store.write { [step] in _ = try $0.record(step) }
    #expect(try store.read { try $0.dueTimes(of: reminder.id) } == [due])
    step.disarmed = [LedgerStep.Disarmed(item: reminder.id, alarm: due.alarm)]
    step.armed = [DueTime(kind: .relative, time: Instant(seconds: 9), alarm: due.alarm, item: due.item)]
    try store.write { [step] in _ = try $0.record(step) }
    #expect(try store.read { try $0.dueTimes(of: reminder.id) } == step.armed)
  }

  @Test("Due times come in order, and are replaced together")
  func dueTimes() throws {
    try store.write {
      try $0.replaceDueTimes(of: item.id, with: [due(300), due(100), due(200, repetition: 1)])
    }
    try store.read { reader throws in
      #expect(try reader.dueTimes(until: Instant(seconds: 200)) == [due(100), due(200, repetition: 1)])
      #expect(try reader.dueTimes(until: Instant(seconds: 300), limit: 1) == [due(100)])
      #expect(
        try reader.dueTimes(after: Instant(seconds: 100), limit: 9) == [due(200, repetition: 1), due(300)])
    }
    try store.write { try $0.replaceDueTimes(of: item.id, with: [due(500)]) }
    #expect(try store.read { try $0.dueTimes(of: item.id) } == [due(500)])

    // Editing the item keeps them; removing the alarm or the item removes them.
    var edited = item
    edited.title = "Cheese"
    try store.write { [edited] in try $0.save(edited) }
    #expect(try store.read { try $0.dueTimes(of: item.id) } == [due(500)])
    edited.alarms.removeFirst()
    try store.write { [edited] in try $0.save(edited) }
    #expect(try store.read { try $0.dueTimes(of: item.id) } == [])
    let stranger = DueTime(kind: .relative, time: .epoch, alarm: .random(), item: item.id)
    #expect(throws: StoreError.self) {
      try store.write { try $0.replaceDueTimes(of: item.id, with: [stranger]) }
    }
    #expect(throws: StoreError.self) { try store.write { try $0.replaceDueTimes(of: .random(), with: []) } }
  }

  @Test("A step is saved as a whole, and a firing once")
  func record() throws {
    var step = LedgerStep()
    #expect(step.isEmpty)
    step.firings = [crossing(20), firing(10)]
    step.fenceStates = ["phone": [1, 2, 3], "watch": []]
    step.lastFixes = [
      "phone": Fix(
        time: .epoch, coordinate: Coordinate(latitude: 5, longitude: 6), speed: 7, battery: 55)
    ]
    try store.write { try $0.replaceDueTimes(of: item.id, with: [due(800)]) }
    step.disarmed = [LedgerStep.Disarmed(item: item.id, alarm: item.alarms[0].id)]
    let stranger = DueTime(kind: .relative, time: .epoch, alarm: .random(), item: .random())
    step.armed = [due(900), stay(400, "phone"), stay(500, "watch"), stranger]
    let new = try store.write { [step] in
      try $0.record(step, now: Instant(seconds: 50)) { $0.firing.kind == .enter ? ["desktop", "exec"] : [] }
    }
    #expect(new.map(\.firing) == step.firings)
    #expect(new[0].context?.itemTitle == "Milk")
    #expect(new[1].context?.message == "Now!")
    #expect(new[1].context?.list == list.id)

    step.firings.append(firing(30))
    step.armed = []
    step.disarmed = []
    // A position without the charge of the battery keeps the last known one.
    step.lastFixes["phone"]?.battery = nil
    let again = try store.write { [step] in try $0.record(step) { _ in ["desktop"] } }
    #expect(again.map(\.firing) == [firing(30)])

    try store.read { reader throws in
      // In the order in which they went off: the crossing was confirmed at 30.
      #expect(try reader.firings().map(\.firing) == [firing(10), crossing(20), firing(30)])
      #expect(try reader.firings(limit: 1).map(\.firing) == [firing(30)])
      #expect(try reader.firings(from: Instant(seconds: 10), until: Instant(seconds: 30)).count == 1)
      #expect(try reader.firing(key: crossing(20).key)?.firing == crossing(20))
      #expect(try reader.lastFiring(alarm: item.alarms[0].id, item: item.id)?.firing == firing(30))
      #expect(try reader.fenceState(of: "phone") == [1, 2, 3])
      #expect(try reader.fenceState(of: "watch") == [])
      #expect(try reader.fenceState(of: "tablet") == nil)
      #expect(try reader.fenceStates().map(\.device) == ["phone", "watch"])
      step.lastFixes["phone"]?.battery = 55
      #expect(try reader.devices().map(\.lastFix) == [step.lastFixes["phone"], nil])
      #expect(try reader.dueTimes(of: item.id) == [stay(400, "phone"), stay(500, "watch"), due(900)])
      #expect(try reader.pendingDeliveryCounts() == ["desktop": 2, "exec": 1])
    }
    try store.write { try $0.forgetDevices(named: "phone") }
    #expect(try store.read { try $0.devices() }.map(\.name) == ["watch"])
    try store.write { try $0.forgetDevices() }
    #expect(try store.read { try $0.devices() } == [])
    #expect(try store.read { try $0.fenceStates() }.isEmpty)
  }

  @Test("What changes of a device's silences is saved, and goes with the device")
  func silences() throws {
    var step = LedgerStep()
    step.fenceStates = ["phone": [1], "watch": [2]]
    let times = (0..<4).map { Instant(seconds: $0) }
    step.silences["phone"] = SilenceChanges(
      replacesAll: true,
      changed: [
        StoredSilence(number: 0, state: [7], late: [times[0]: [0], times[1]: [1], times[2]: [2]]),
        StoredSilence(number: 1, state: [8]),
      ])
    step.silences["watch"] = SilenceChanges(changed: [StoredSilence(number: 0, state: [9])])
    try store.write { [step] in try $0.record(step) }
    step.silences = [
      "phone": SilenceChanges(
        ended: [1, 5],
        changed: [
          StoredSilence(number: 0, settledThrough: times[1], late: [times[3]: [3]]),
          StoredSilence(number: 2, state: [10]),
        ])
    ]
    try store.write { [step] in try $0.record(step) }
    #expect(
      try store.read { try $0.silences(of: "phone") } == [
        StoredSilence(number: 0, state: [7], late: [times[2]: [2], times[3]: [3]]),
        StoredSilence(number: 2, state: [10]),
      ])
    step.silences = [
      "phone": SilenceChanges(replacesAll: true, changed: [StoredSilence(number: 0, state: [])])
    ]
    try store.write { [step] in try $0.record(step) }
    #expect(try store.read { try $0.silences(of: "phone") } == [StoredSilence(number: 0, state: [])])
    try store.write { try $0.forgetDevices(named: "phone") }
    #expect(try store.read { try $0.silences(of: "phone") }.isEmpty)
    #expect(try store.read { try $0.silences(of: "watch") }.count == 1)
  }

  @Test("A failed step saves nothing")
  func failedStep() throws {
    var step = LedgerStep()
    step.firings = [firing(10)]
    step.fenceStates = ["phone": [1]]
    #expect(throws: CancellationError.self) {
      try store.write { [step] in
        try $0.record(step)
        throw CancellationError()
      }
    }
    #expect(try store.read { try $0.firings() } == [])
    #expect(try store.read { try $0.fenceState(of: "phone") } == nil)
  }

  @Test("Ending a stay affects its device only, and a stay survives an edit of the item's other due times")
  func stays() throws {
    var step = LedgerStep()
    step.armed = [stay(400, "phone"), stay(500, "watch")]
    try store.write { [step] in try $0.record(step) }
    try store.write { try $0.replaceDueTimes(of: item.id, with: [due(100)]) }
    #expect(
      try store.read { try $0.dueTimes(of: item.id) } == [due(100), stay(400, "phone"), stay(500, "watch")])
    step.armed = []
    step.disarmed = [LedgerStep.Disarmed(item: item.id, alarm: item.alarms[1].id, device: "phone")]
    try store.write { [step] in try $0.record(step) }
    #expect(try store.read { try $0.dueTimes(of: item.id) } == [due(100), stay(500, "watch")])
  }

  @Test("The ledger keeps the firings of a removed item")
  func ledger() throws {
    var step = LedgerStep()
    step.firings = [firing(10)]
    try store.write { [step] in
      try $0.record(step)
      try $0.remove(item.id)
    }
    #expect(try store.read { try $0.firings() }.first?.context?.itemTitle == "Milk")
    step.firings = [firing(11)]
    let entries = try store.write { [step] in try $0.record(step) }
    #expect(entries.map(\.context) == [nil])
    #expect(try store.write { try $0.acknowledge(firing: firing(10).key, at: Instant(seconds: 12)) })
    #expect(try !store.write { try $0.acknowledge(firing: "none", at: .epoch) })
    #expect(try store.read { try $0.firing(key: firing(10).key) }?.acknowledged == Instant(seconds: 12))
    try store.write { try $0.removeFirings(before: Instant(seconds: 11)) }
    #expect(try store.read { try $0.firings() }.map(\.firing) == [firing(11)])
  }

  @Test("Old firings are removed in parts, except those of alarms that go off once")
  func oldFirings() throws {
    var once = item
    once.alarms[1].proximity?.frequency = .once
    var step = LedgerStep()
    step.firings = [firing(10), firing(11), crossing(12), firing(13), firing(30)]
    try store.write { [step, once] in
      try $0.save(once)
      _ = try $0.record(step) { _ in ["a"] }
    }
    var parts = 0
    try store.writeInSteps {
      parts += 1
      return try $0.removeFirings(before: Instant(seconds: 25), atMost: 2)
    }
    #expect(parts == 2)
    #expect(try store.read { try $0.firings() }.map(\.firing) == [crossing(12), firing(30)])
    #expect(try store.read { try $0.pendingDeliveries() }.count == 2)
  }

  @Test("Deliveries stay pending until a channel takes them or gives up")
  func deliveries() throws {
    var step = LedgerStep()
    step.firings = [firing(10), firing(20)]
    try store.write { [step] in _ = try $0.record(step, now: Instant(seconds: 20)) { _ in ["a", "b"] } }
    func pending(_ second: Int64, _ channel: String? = nil) throws -> [Delivery] {
      try store.read { try $0.pendingDeliveries(at: Instant(seconds: second), channel: channel) }
    }
    #expect(try pending(19).isEmpty)
    #expect(try pending(20).map(\.channel) == ["a", "b", "a", "b"])
    let ofA = try pending(20, "a")
    #expect(ofA.map(\.notice.firing?.firing) == [firing(10), firing(20)])
    #expect(ofA.map(\.notice.key) == [firing(10).key, firing(20).key])
    try store.write { writer in
      try writer.markDelivered(ofA[0], at: Instant(seconds: 21))
      try writer.markFailed(ofA[1], because: "no answer", nextAttempt: Instant(seconds: 60))
    }
    #expect(try pending(59, "a").isEmpty)
    let later = try #require(try pending(60, "a").first)
    #expect(later.number == ofA[1].number)
    #expect(later.attempts == 1)
    #expect(later.lastError == "no answer")
    try store.write { try $0.markFailed(later, because: "gone", nextAttempt: nil) }
    #expect(try pending(1_000, "a").isEmpty)
    #expect(try store.read { try $0.pendingDeliveryCounts() } == ["b": 2])
  }
}
