import FencepostCalendarModel
import FencepostCalendarStore
import Testing

@testable import FencepostActions

@Suite("The order by hand")
struct ManualOrderTests {
  private let store: CalendarStore
  private let list: ItemCalendar
  private let now = Instant(seconds: 1_777_701_600)

  init() throws {
    store = try CalendarStore()
    list = try store.write { try $0.defaultCalendar(for: .reminders) }
  }

  /// Saves a reminder with a number, or with the moment of its creation only.
  @discardableResult
  private func add(
    _ title: String, _ order: Int64?, created: Int64 = 0, parent: String? = nil, line: String? = nil
  ) throws -> CalendarItem {
    var item = CalendarItem(
      id: Identifier(rawValue: title), calendar: list.id, title: title, details: .reminder(ReminderDetails()))
    item.created = Instant(seconds: 1_700_000_000 + created)
    item.parentUID = parent
    if let order { item.setManualOrder(order, at: .epoch) }
    if let line { item.preserved.properties.append(line) }
    try store.write { [item] in try $0.save(item) }
    return item
  }

  private func place(_ title: String, after previous: String?) throws {
    try store.write { writer in
      let item = try #require(try writer.reader.item(Identifier(rawValue: title)))
      _ = try writer.place(item, after: previous.map(Identifier.init(rawValue:)), at: now)
    }
  }

  private func all() throws -> [CalendarItem] {
    try store.read { try $0.items() }.sorted { $0.precedesManually($1) }
  }

  @Test(
    "A number is read in each form that programs write, and what is none counts as the creation",
    arguments: [
      ("X-APPLE-SORT-ORDER:792000000", 792_000_000), ("x-apple-sort-order;X-P=a:5", 5),
      ("X-APPLE-SORT-ORDER:-3", -3), ("X-APPLE-SORT-ORDER:1.5", 721_692_800),
      ("X-APPLE-SORT-ORDER:9223372036854775807", 721_692_800), ("X-APPLE-SORT-ORDER:", 721_692_800),
      ("X-APPLE-SORT-ORDERS:4", 721_692_800),
    ] as [(String, Int64)])
  func forms(_ line: String, _ order: Int64) throws {
    let item = try add("Milk", nil, line: line)
    #expect(item.manualOrder == order)
    var moved = item
    moved.setManualOrder(9, at: now)
    #expect(moved.manualOrder == 9 && moved.lastModified == now)
    let own = moved.preserved.properties.filter { $0.uppercased().hasPrefix("X-APPLE-SORT-ORDER") }
    #expect(own.count == (line.contains("ORDERS") ? 2 : 1))
  }

  @Test("New reminders come last, and one that moves changes itself alone where there is room")
  func room() throws {
    for (index, title) in ["a", "b", "c", "d"].enumerated() {
      try add(title, nil, created: Int64(index) * 100)
    }
    try place("d", after: "a")
    #expect(try all().map(\.title) == ["a", "d", "b", "c"])
    try place("c", after: nil)
    #expect(try all().map(\.title) == ["c", "a", "d", "b"])
    try place("c", after: "b")
    #expect(try all().map(\.title) == ["a", "d", "b", "c"])
    #expect(try all().filter { $0.lastModified == now }.map(\.title) == ["d", "c"])
    try add("e", nil, created: 1_000)
    #expect(try all().last?.title == "e")
  }

  @Test("Without room those behind move on, no more of them than needed")
  func noRoom() throws {
    for (title, order) in [("a", 1), ("b", 2), ("c", 3), ("d", 10)] as [(String, Int64)] {
      try add(title, order)
    }
    try place("d", after: "a")
    #expect(try all().map { "\($0.title)\($0.manualOrder)" } == ["a1", "d2", "b3", "c4"])
    // All have the same number.
    for title in ["a", "b", "c", "d"] { try add(title, 5, created: title == "b" ? 1 : 2) }
    #expect(try all().map(\.title) == ["b", "a", "c", "d"])
    try place("d", after: "b")
    #expect(try all().map(\.title) == ["b", "d", "a", "c"])
  }

  @Test("Only siblings follow each other: of one list, below the same reminder, and no events")
  func siblings() throws {
    let parent = try add("parent", 1)
    try add("one", 1, parent: parent.uid)
    try add("two", 2, parent: parent.uid)
    try place("two", after: nil)
    #expect(try all().filter { $0.parentUID != nil }.map(\.title) == ["two", "one"])
    #expect(throws: ActionError.noSibling(title: "one")) { try place("one", after: "parent") }
    #expect(throws: ActionError.noSibling(title: "one")) { try place("one", after: "one") }
    #expect(throws: ActionError.noSibling(title: "one")) { try place("one", after: "nobody") }
    let day = CalendarTime.date(CivilDay(year: 2026, month: 5, day: 2))
    let event = CalendarItem(
      id: Identifier(rawValue: "event"), calendar: list.id, title: "Party",
      details: .event(EventDetails(start: day, end: day)))
    try store.write { try $0.save(event) }
    #expect(throws: ActionError.notAReminder(title: "Party")) { try place("event", after: nil) }
  }

  @Test("Any series of moves gives the order that people made, whatever the numbers were", arguments: 1...20)
  func property(seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }
    for index in 0..<12 {
      let order: Int64? = random(3) == 0 ? nil : Int64(random(6)) - 3
      try add("i\(index)", order, created: Int64(random(4)))
    }
    var expected = try all().map(\.title)
    for _ in 0..<30 {
      let title = expected.remove(at: random(expected.count))
      let index = random(expected.count + 1)
      try place(title, after: index == 0 ? nil : expected[index - 1])
      expected.insert(title, at: index)
      #expect(try all().map(\.title) == expected)
    }
  }
}
