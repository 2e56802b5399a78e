import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDatabase
import FencepostTestSupport
import Testing

@Suite("Sources, calendars, settings and the change log")
struct AccountTests {
  @Test("Sources and calendars read back as saved")
  func roundTrip() throws {
    let store = try CalendarStore()
    let source = Source(kind: .calDAV, title: "Work", isDelegate: true)
    let calendar = ItemCalendar(
      source: source.id, kind: .subscription, title: "Team",
      color: Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4), entities: [.events],
      allowsContentModifications: false, isSubscribed: true, isImmutable: true, availabilities: [.busy])
    var plain = ItemCalendar(source: source.id, title: "Plain", entities: .reminders)
    try store.write { writer in
      try writer.save(source)
      try writer.save(calendar)
      try writer.save(plain)
    }
    try store.read { reader throws in
      #expect(try reader.sources() == [source])
      #expect(try reader.source(source.id) == source)
      #expect(try reader.calendars() == [calendar, plain])
      #expect(try reader.calendars(for: .reminders) == [plain])
      #expect(try reader.calendars(of: source.id) == [calendar, plain])
      #expect(try reader.calendars(titled: "Team") == [calendar])
    }
    plain.title = "Plainer"
    try store.write { [plain] in try $0.save(plain) }
    #expect(try store.read { try $0.calendar(plain.id) } == plain)
    let lost = ItemCalendar(source: .random(), title: "Lost", entities: .events)
    #expect(throws: StoreError(path: ":memory:", reason: .notFound("source \(lost.source)"))) {
      try store.write { try $0.save(lost) }
    }
  }

  @Test("A store creates its default calendar and list once, at first use")
  func defaults() throws {
    let store = try CalendarStore()
    #expect(try store.read { try $0.defaultCalendar(for: .reminders) } == nil)
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let calendar = try store.write { try $0.defaultCalendar(for: .events) }
    #expect(list.entities == .reminders)
    #expect(calendar.entities == .events)
    #expect(list.source == calendar.source)
    #expect(try store.write { try $0.defaultCalendar(for: .reminders) } == list)
    #expect(try store.read { try $0.sources() }.count == 1)

    let other = ItemCalendar(source: list.source, title: "Other", entities: .reminders)
    try store.write { writer in
      try writer.save(other)
      try writer.setDefaultCalendar(other.id, for: .reminders)
    }
    #expect(try store.read { try $0.defaultCalendar(for: .reminders) } == other)
    // The choice has no effect after the list is removed.
    try store.write { try $0.remove(other.id) }
    #expect(try store.read { try $0.defaultCalendar(for: .reminders) } == list)
  }

  @Test("Removing a source removes its content, and the log has it")
  func removal() throws {
    let store = try CalendarStore()
    var model = RandomModel(seed: 6)
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let items = (0..<3).map { _ in model.item(in: list.id) }
    try store.write { try $0.saveAll(items) }
    let before = try store.read { try $0.lastChange() }
    #expect(try store.write { try $0.remove(list.source) })
    #expect(try !store.write { try $0.remove(list.source) })
    #expect(try store.read { try $0.itemCount() } == 0)
    #expect(try store.read { try $0.calendars() } == [])
    let changes = try store.read { try $0.changes(after: before) }
    #expect(changes.allSatisfy { $0.kind == .removed })
    #expect(Set(changes.map(\.transaction)).count == 1)
    #expect(
      changes.map(\.id).sorted()
        == (items.map(\.id.rawValue) + [list.id.rawValue, list.source.rawValue]).sorted())
  }

  @Test("The log has additions and changes")
  func log() throws {
    let store = try CalendarStore()
    var model = RandomModel(seed: 7)
    #expect(try store.read { try $0.lastChange() } == 0)
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let item = model.item(in: list.id)
    let start = try store.read { try $0.lastChange() }
    try store.write { try $0.save(item) }
    try store.write { writer in
      try writer.save(item)
      try writer.set("value", for: "key")
    }
    let changes = try store.read { try $0.changes(after: start) }
    #expect(changes.map(\.kind) == [.inserted, .updated, .updated])
    #expect(changes.map(\.entity) == [.item, .item, .setting])
    #expect(changes.map(\.transaction) == [start + 1, start + 2, start + 2])
    #expect(changes.last?.sequence == (try store.read { try $0.lastChange() }))
    try store.write { try $0.setQuietly("value", for: "key") }
    #expect(try store.read { try $0.lastChange() } == changes[2].sequence)
  }

  @Test("Settings and access decisions")
  func settings() throws {
    let store = try CalendarStore()
    var decision = AccessDecision(app: "app", entity: 1, status: 4, decided: Instant(seconds: 5))
    (decision.wanted, decision.refused) = (3, 4)
    (decision.lists, decision.readsOnly) = ([Identifier(rawValue: "work")], true)
    try store.write { writer in
      try writer.set("open", for: "access-policy")
      try writer.set("closed", for: "access-policy")
      try writer.save(decision)
    }
    try store.read { reader throws in
      #expect(try reader.setting("access-policy") == "closed")
      #expect(try reader.setting("other") == nil)
      #expect(try reader.accessDecision(app: "app", entity: 1) == decision)
      #expect(try reader.accessDecision(app: "app", entity: 0) == nil)
      #expect(try reader.accessDecisions() == [decision])
    }
    try store.write { writer in
      try writer.set(nil, for: "access-policy")
      try writer.removeAccessDecisions(app: "app")
    }
    #expect(try store.read { try $0.setting("access-policy") } == nil)
    #expect(try store.read { try $0.accessDecisions() } == [])
  }

  @Test("Zones from files", arguments: 0..<3 as Range<UInt64>)
  func timeZones(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let store = try CalendarStore()
    let zones = (0..<3).map { index in
      TimeZoneDefinition(
        id: TimeZoneID(rawValue: "Zone \(index)"),
        observances: (0..<2).map { number in
          TimeZoneDefinition.Observance(
            isDaylight: number == 1, start: model.time().civil, offsetFrom: 3600, offsetTo: -7200,
            name: number == 0 ? nil : "CEST", rules: [model.rule(), model.rule()],
            dates: [model.time().civil])
        }, text: model.text())
    }
    try store.write { writer in for zone in zones + zones { try writer.save(zone) } }
    #expect(try store.read { try $0.timeZoneDefinitions() } == zones, "seed \(seed)")
    #expect(try store.read { try $0.timeZoneDefinition(zones[1].id) } == zones[1])
    #expect(try store.read { try $0.timeZoneDefinition(.utc) } == nil)
  }

  @Test(
    "A list's settings for alarms read back as saved",
    arguments: [
      ListAlarms(), ListAlarms(standard: .none), ListAlarms(standard: .offset(.zero), allDaySecond: 0),
      ListAlarms(standard: .offset(CalendarDuration(days: -1, seconds: -900)), ringsWhenDue: false),
      ListAlarms(allDaySecond: 86_399),
    ])
  func listAlarms(_ alarms: ListAlarms) throws {
    let store = try CalendarStore()
    let list = try store.write { writer in
      var list = try writer.defaultCalendar(for: .reminders)
      list.alarms = alarms
      try writer.save(list)
      return list
    }
    try store.read { reader throws in
      #expect(try reader.calendar(list.id)?.alarms == alarms)
      #expect(try reader.listAlarms() == (alarms == ListAlarms() ? [:] : [list.id: alarms]))
    }
  }
}
