import FencepostCalendarModel
import FencepostDatabase
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import FencepostCalendarStore

@Suite("Undo")
struct UndoTests {
  /// A store in a file that several programs have open.
  private final class Bench {
    let directory: TemporaryDirectory
    /// The store of an app or the daemon, whose changes can't be undone.
    let app: CalendarStore
    var list: ItemCalendar
    private var time: Int64 = 0

    init() throws {
      directory = try TemporaryDirectory()
      app = try CalendarStore(path: directory.path("calendar.sqlite"))
      list = try app.write { try $0.defaultCalendar(for: .reminders) }
    }

    /// A run of a command.
    func run(_ command: String, _ body: (borrowing StoreWriter) throws -> Void) throws {
      time += 1_000_000
      let store = try CalendarStore(
        path: app.path, access: .existing,
        undoLabel: UndoLabel(command, at: Instant(microseconds: time)))
      try store.write(body)
    }

    @discardableResult
    func undo() throws -> [UndoEffect] { try app.write { try $0.undo().effects } }

    @discardableResult
    func redo() throws -> [UndoEffect] { try app.write { try $0.redo().effects } }

    func state() throws -> State {
      try app.read { reader in
        State(
          items: try reader.items(), calendars: try reader.calendars(), places: try reader.namedPlaces(),
          fences: try reader.items().flatMap { try reader.fences(of: $0.id).map(\.number) })
      }
    }

    func reminder(_ title: String) -> CalendarItem {
      CalendarItem(calendar: list.id, title: title, details: .reminder(.init()))
    }

    /// The number of rows in the journal.
    func rows() throws -> Int? {
      try app.read { try $0.connection.first(SQL("SELECT count(*) FROM undo_steps"), read: { $0.int() }) }
    }
  }

  private struct State: Equatable {
    var items: [CalendarItem]
    var calendars: [ItemCalendar]
    var places: [StructuredLocation]
    var fences: [Int64]
  }

  @Test("Random changes are undone step by step, and redone", arguments: 0..<12 as Range<UInt64>)
  func property(seed: UInt64) throws {
    let bench = try Bench()
    var model = RandomModel(seed: seed)
    var states = [try bench.state()]
    for step in 0..<8 {
      try bench.run("step \(step)") { writer in
        let items = try writer.reader.items()
        switch model.int(0...5) {
        case 0, 1:
          try writer.saveAll((0..<model.int(1...4)).map { _ in model.item(in: bench.list.id) })
        case 2:
          guard var item = items.randomElement(using: &model.random) else { return }
          let other = model.item(in: item.calendar)
          item.title = other.title
          item.details = other.details
          item.alarms = Array(item.alarms.dropFirst()) + other.alarms
          item.recurrence = other.recurrence
          item.structuredLocation = other.structuredLocation
          item.attendees = other.attendees
          try writer.save(item)
        case 3:
          for item in items.prefix(model.int(1...3)) { try writer.remove(item.id) }
        case 4:
          let list = ItemCalendar(source: bench.list.source, title: "List \(step)", entities: .reminders)
          try writer.save(list)
          try writer.save(model.item(in: list.id))
          if var moved = items.last {
            moved.calendar = list.id
            try writer.save(moved)
          }
        default:
          if let list = try writer.reader.calendars().last, list.id != bench.list.id {
            try writer.remove(list.id)
          }
          try writer.saveNamedPlace(StructuredLocation(title: "P\(step % 3)", coordinate: model.coordinate()))
        }
      }
      let state = try bench.state()
      // A step without changes does not count.
      if state != states.last { states.append(state) }
    }
    for round in 0..<2 {
      for before in states.dropLast().reversed() {
        try bench.undo()
        #expect(try bench.state() == before, "seed \(seed), round \(round)")
      }
      #expect(throws: UndoError.nothingToUndo) { try bench.undo() }
      for after in states.dropFirst() {
        try bench.redo()
        #expect(try bench.state() == after, "seed \(seed), round \(round)")
      }
      #expect(throws: UndoError.nothingToRedo) { try bench.redo() }
    }
    let spatial = try bench.app.write {
      try $0.connection.all(spatialIndexCheck) { $0.int() }
    }
    #expect(spatial == [1])
  }

  @Test("Undo reports its effects, and logs them for other programs")
  func effects() throws {
    let bench = try Bench()
    let bread = bench.reminder("Bread")
    try bench.run("add bread") { try $0.save(bread) }
    var steps = try bench.app.read { try $0.undoSteps() }
    #expect(steps.map(\.label.command) == ["add bread"])
    #expect(steps.map { [$0.added, $0.changed, $0.removed] } == [[1, 0, 0]])
    let before = try bench.app.read { try $0.lastChange() }
    #expect(
      try bench.undo() == [UndoEffect(entity: .item, id: bread.id.rawValue, kind: .removed, title: "Bread")])
    let logged = try bench.app.read { try $0.changes(after: before) }
    #expect(logged.map(\.kind) == [.removed] && logged.map(\.id) == [bread.id.rawValue])
    steps = try bench.app.read { try $0.undoSteps() }
    #expect(steps.map(\.isUndone) == [true] && steps.map(\.added) == [1])
    #expect(try bench.redo().map(\.kind) == [.inserted])
  }

  @Test("A new change replaces what could be redone")
  func branching() throws {
    let bench = try Bench()
    try bench.run("one") { try $0.save(bench.reminder("1")) }
    try bench.undo()
    try bench.run("two") { try $0.save(bench.reminder("2")) }
    #expect(throws: UndoError.nothingToRedo) { try bench.redo() }
    #expect(try bench.app.read { try $0.undoSteps() }.map(\.label.command) == ["two"])
  }

  @Test("The steps of a large undone run are deleted a few at a time, and no part of it can be redone")
  func droppingInSteps() throws {
    let bench = try Bench()
    let count = 2 * UndoLimits.deletions + 4
    let large = try CalendarStore(
      path: bench.app.path, undoLabel: UndoLabel("large", at: Instant(microseconds: 0)))
    for index in 0..<count { try large.write { try $0.save(bench.reminder("\(index)")) } }
    try bench.undo()
    #expect(try bench.rows() == count)

    // The journal stays whole at each point where the process may end.
    try bench.run("one") { try $0.save(bench.reminder("one")) }
    #expect(try bench.rows() == count + 1 - UndoLimits.deletions)
    let reopened = try CalendarStore(path: bench.app.path)
    #expect(try reopened.read { try $0.undoSteps() }.map(\.label.command) == ["one"])
    #expect(throws: UndoError.nothingToRedo) { try bench.redo() }
    #expect(throws: UndoError.nothingToRedo) { try reopened.redo() }

    try bench.run("two") { try $0.save(bench.reminder("two")) }
    #expect(try bench.rows() == count + 2 - 2 * UndoLimits.deletions)
    try bench.undo()
    try bench.undo()
    #expect(try bench.state().items == [])
    #expect(throws: UndoError.nothingToUndo) { try bench.undo() }
    try bench.redo()
    #expect(try bench.state().items.map(\.title) == ["one"])
    try bench.run("three") { try $0.save(bench.reminder("three")) }
    #expect(try bench.app.read { try $0.undoSteps() }.map(\.label.command) == ["three", "one"])
    #expect(try bench.rows() == 2)
  }

  @Test("Runs that are too old are deleted a few at a time too")
  func agingInSteps() throws {
    let bench = try Bench()
    for index in 0..<UndoLimits.deletions + 3 {
      try bench.run("step \(index)") { try $0.save(bench.reminder("\(index)")) }
    }
    let later = Instant(microseconds: 0).adding(seconds: 100 * 86_400)
    #expect(try bench.app.write { try $0.trimChanges(at: later) } == false)
    #expect(try bench.rows() == 3)
    #expect(throws: UndoError.nothingToUndo) { try bench.undo() }
    #expect(try bench.app.write { try $0.trimChanges(at: later) })
    #expect(try bench.rows() == 0)
  }

  @Test("Many items that left calendars are forgotten in several transactions")
  func forgettingInSteps() throws {
    let bench = try Bench()
    let count = 2 * ChangeLog.objects + 5
    try bench.app.write { writer in
      try writer.connection.execute(
        """
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO departed_items (sequence, calendar, uid) SELECT -1, 1, i FROM n
        """)
    }
    let now = Instant(microseconds: 0)
    var left: [Int?] = []
    var isComplete = false
    while !isComplete, left.count < 5 {
      isComplete = try bench.app.write { try $0.trimChanges(at: now) }
      left.append(
        try bench.app.read {
          try $0.connection.first(SQL("SELECT count(*) FROM departed_items")) { $0.int() }
        })
    }
    #expect(left == [ChangeLog.objects + 5, 5, 0])
  }

  @Test("A long log is trimmed in several transactions")
  func trimmingInSteps() throws {
    let bench = try Bench()
    let excess = ChangeLog.removals * 2 + 7
    try bench.app.write { writer in
      for _ in 0..<ChangeLog.kept + excess { try writer.log(.updated, .setting, "some") }
    }
    let last = try bench.app.read { try $0.lastChange() }
    var firsts: [Int64] = []
    var isComplete = false
    while !isComplete, firsts.count < 10 {
      isComplete = try bench.app.write { try $0.trimChanges(at: Instant(microseconds: 0)) }
      try firsts.append(#require(try bench.app.read { try $0.changes(after: 0, limit: 1) }.first?.sequence))
    }
    #expect(firsts.count == 3)
    #expect(zip(firsts, firsts.dropFirst()).allSatisfy { $1 - $0 <= ChangeLog.removals + 1 })
    #expect(firsts.last == last - ChangeLog.kept + 1)
  }

  @Test("The transactions of one run are one step")
  func severalTransactions() throws {
    let bench = try Bench()
    let store = try CalendarStore(
      path: bench.app.path, undoLabel: UndoLabel("import a.ics b.ics", at: Instant(microseconds: 0)))
    var item = bench.reminder("First")
    try store.write { try $0.save(item) }
    item.title = "Second"
    try store.write { try $0.save(item) }
    try store.write { try $0.save(bench.reminder("Third")) }
    let after = try bench.state()
    #expect(try bench.app.read { try $0.undoSteps() }.count == 1)
    try bench.undo()
    #expect(try bench.state().items == [])
    try bench.redo()
    #expect(try bench.state() == after)
  }

  @Test("Undo keeps later changes of other programs")
  func foreign() throws {
    let bench = try Bench()
    var bread = bench.reminder("Bread")
    try bench.run("add bread") { try $0.save(bread) }
    try bench.run("add milk") { try $0.save(bench.reminder("Milk")) }
    bread.notes = "Rye"
    try bench.app.write { try $0.save(bread) }
    // Nothing has changed Milk since.
    try bench.undo()
    #expect(throws: UndoError.changedSince("add bread", what: ["Bread"])) { try bench.undo() }
    #expect(try bench.state().items == [bread])
  }

  @Test("An undo that meets a foreign row changes nothing, even if its error is ignored")
  func foreignRow() throws {
    let bench = try Bench()
    var items = [bench.reminder("Bread"), bench.reminder("Milk")]
    try bench.run("add") { writer in for item in items { try writer.save(item) } }
    for index in items.indices { items[index].title += " today" }
    try bench.run("edit") { writer in for item in items { try writer.save(item) } }
    // The log does not name this change.
    try SQLiteFile.run("UPDATE items SET title = 'Tea' WHERE title = 'Milk today'", at: bench.app.path)
    #expect(throws: UndoError.changedSince("edit", what: [])) { try bench.undo() }
    #expect(throws: StoreError.self) { try bench.app.write { _ = try? $0.undo() } }
    #expect(Set(try bench.app.read { try $0.items() }.map(\.title)) == ["Bread today", "Tea"])
  }

  @Test("Removed items return although others have added something since")
  func rowsInUse() throws {
    let bench = try Bench()
    let place = StructuredLocation(
      title: "Place", coordinate: Coordinate(latitude: 52.5, longitude: 13.4), radius: 100)
    func named(_ title: String) -> StructuredLocation {
      var place = place
      place.title = title
      return place
    }
    func reminder(_ title: String) -> CalendarItem {
      var item = bench.reminder(title)
      item.alarms = [Alarm(proximity: ProximityTrigger(.enter, at: place))]
      return item
    }
    let gone = reminder("Gone")
    let list = ItemCalendar(source: bench.list.source, title: "Gone", entities: .reminders)
    try bench.run("add") { writer in
      try writer.save(gone)
      try writer.save(list)
      try writer.saveNamedPlace(named("Gone"))
    }
    try bench.run("remove") { writer in
      try writer.remove(gone.id)
      try writer.remove(list.id)
      _ = try writer.removeNamedPlace("Gone")
    }
    let others = [reminder("A"), reminder("B")]
    try bench.app.write { writer in
      try writer.saveAll(others)
      try writer.save(ItemCalendar(source: bench.list.source, title: "New", entities: .reminders))
      try writer.saveNamedPlace(named("New"))
    }
    try bench.undo()
    #expect(Set(try bench.state().items) == Set(others + [gone]))
    #expect(try bench.state().calendars.contains(list))
    #expect(try bench.state().places.count == 2)
  }

  @Test("A list with items of others stays")
  func listInUse() throws {
    let bench = try Bench()
    let list = ItemCalendar(source: bench.list.source, title: "New", entities: .reminders)
    try bench.run("lists add New") { try $0.save(list) }
    var item = bench.reminder("Theirs")
    item.calendar = list.id
    try bench.app.write { try $0.save(item) }
    #expect(throws: UndoError.inUse("lists add New", list: "New")) { try bench.undo() }
    #expect(try bench.state().calendars.contains(list))
  }

  @Test("The engine's own data is not a change, and a failed step is not kept")
  func nothing() throws {
    let bench = try Bench()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try bench.run("fails") { writer in
        try writer.save(bench.reminder("x"))
        throw Stop()
      }
    }
    try bench.run("nothing") { _ in }
    #expect(throws: UndoError.nothingToUndo) { try bench.undo() }
  }

  @Test("A subscription returns with its calendar, and undo removes it after any number of refreshes")
  func subscriptions() throws {
    let bench = try Bench()
    let list = ItemCalendar(
      source: bench.list.source, title: "Holidays", entities: .events, isSubscribed: true)
    var subscription = Subscription(
      calendar: list.id, address: "https://example.org/h.ics", next: Instant(microseconds: 5))
    try bench.run("subscribe") { writer in
      try writer.save(list)
      try writer.save(subscription)
    }
    subscription.checked = Instant(microseconds: 7)
    let looked = subscription
    try bench.app.write { try $0.save(looked) }
    try bench.run("unsubscribe") { try $0.remove(list.id) }
    #expect(try bench.app.read { try $0.subscriptions() } == [])
    try bench.undo()
    #expect(try bench.app.read { try $0.subscriptions() } == [subscription])
    try bench.undo()
    #expect(try bench.app.read { try $0.subscriptions() } == [])
    #expect(try !bench.state().calendars.contains(list))
  }

  @Test("The oldest runs are dropped")
  func limits() throws {
    let bench = try Bench()
    for index in 0..<(UndoLimits.runs + 5) {
      try bench.run("step \(index)") { try $0.save(bench.reminder("\(index)")) }
    }
    let steps = try bench.app.read { try $0.undoSteps(limit: 1000) }
    #expect(steps.count == UndoLimits.runs)
    #expect(steps.last?.label.command == "step 5")
  }
}

@Suite("Named places")
struct NamedPlaceTests {
  @Test("are found by name in any case, changed and removed")
  func life() throws {
    let store = try CalendarStore()
    let office = StructuredLocation(
      title: "Büro", coordinate: Coordinate(latitude: 52.5, longitude: 13.4), radius: 150)
    try store.write { try $0.saveNamedPlace(office) }
    #expect(try store.read { try $0.namedPlace("BÜRO") } == office)
    var moved = office
    moved.coordinate = Coordinate(latitude: 48, longitude: 11)
    try store.write { try $0.saveNamedPlace(moved) }
    #expect(try store.read { try $0.namedPlaces() } == [moved])
    #expect(try store.write { try $0.removeNamedPlace("Büro") })
    #expect(try !store.write { try $0.removeNamedPlace("Büro") })
  }
}
