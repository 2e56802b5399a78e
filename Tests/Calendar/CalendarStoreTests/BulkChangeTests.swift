import FencepostCalendarModel
import FencepostDatabase
import FencepostGeodesy
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostCalendarStore

@Suite("Large changes in steps")
struct BulkChangeTests {
  let directory: TemporaryDirectory
  let path: String
  let store: CalendarStore
  let list: ItemCalendar

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("calendar.sqlite")
    store = try CalendarStore(path: path, undoLabel: UndoLabel("import", at: .epoch))
    list = try CalendarStore(path: path).write { try $0.defaultCalendar(for: .reminders) }
  }

  private func items(_ count: Int, seed: UInt64 = 1) -> [CalendarItem] {
    var model = RandomModel(seed: seed)
    return (0..<count).map { _ in model.item(in: list.id) }
  }

  /// All data that a reader can see, as texts.
  private func view(_ store: CalendarStore) throws -> [String] {
    try store.read { reader in
      var seen = try reader.items().map { "item \($0.id) \($0.title)" }
      seen += try reader.items(in: list.id).map { "in \($0.id)" }
      seen += try reader.reminders().map { "reminder \($0.id)" }
      seen += try reader.incompleteReminders().map { "open \($0.id)" }
      seen += try reader.completedReminders().map { "done \($0.id)" }
      seen += try reader.events(from: .distantPast, until: .distantFuture).map { "event \($0.id)" }
      seen += try reader.itemTitles(in: list.id).map { "title \($0.title)" }
      seen += try reader.items(matching: "e").map { "match \($0.id)" }
      for item in items(40) + items(40, seed: 2) {
        if let found = try reader.item(item.id) { seen.append("id \(found.id)") }
        seen += try reader.items(uid: item.uid).map { "uid \($0.id)" }
        seen += try reader.items(idPrefix: String(item.id.rawValue.prefix(8))).map { "prefix \($0.id)" }
        seen += try reader.fences(of: item.id).map { "fence \($0.number)" }
      }
      try reader.forEachFence { seen.append("any fence \($0.number)") }
      for latitude in stride(from: -80.0, to: 80, by: 20) {
        for longitude in stride(from: -170.0, to: 170, by: 20) {
          seen += try reader.places(
            near: Coordinate(latitude: latitude, longitude: longitude), within: 2_000_000,
            includesSilenced: true
          ).map { "place \($0.item.id)" }
        }
      }
      seen.append("count \(try reader.itemCount()) \(try reader.counts(of: list.id))")
      seen += try reader.changes(after: 0).map { "change \($0.id) \($0.kind)" }
      seen.append("latest fence \(try reader.latestFenceNumber())")
      return seen
    }
  }

  @Test(
    "The effects of a change are hidden before its end and visible after it")
  func visibility() throws {
    let old = items(20)
    try CalendarStore(path: path).write { try $0.saveAll(old) }
    let before = try view(store)
    let new = items(40, seed: 2)
    let change = try store.beginBulkChange()
    for half in [new[..<20], new[20...]] { try change.step { try $0.saveAll(half) } }
    var changed = old[0]
    changed.title = "Changed"
    try change.step { writer in
      #expect(try writer.reader.item(new[3].id) == new[3])
      var again = new[3]
      again.title = "Twice"
      try writer.save(again)
      try writer.save(changed)
      #expect(try writer.remove(old[1].id))
      #expect(try writer.remove(new[39].id))
      #expect(try !writer.add(old[2]))
    }
    #expect(try view(store) == before)
    #expect(try view(CalendarStore(path: path)) == before)
    #expect(throws: StoreError(path: path, reason: .locked)) {
      try CalendarStore(path: path, timeout: 0).beginBulkChange()
    }
    // Others write meanwhile, and their changes are visible.
    let mine = items(1, seed: 3)[0]
    try CalendarStore(path: path).write { try $0.save(mine) }
    #expect(try store.read { try $0.item(mine.id) } == mine)
    try change.finish { try $0.set("done", for: "note") }
    let all = try store.read { try $0.items() }
    #expect(all.count == 20 - 1 + 40 - 1 + 1)
    #expect(try store.read { try $0.item(changed.id) } == changed)
    #expect(try store.read { try $0.item(new[3].id)?.title } == "Twice")
    #expect(try store.read { try $0.setting("note") } == "done")
    let logged = try store.read { try $0.changes(after: 0) }.filter { $0.kind == .inserted }.map(\.id)
    #expect(Set(logged).isSuperset(of: new.dropLast().map(\.id.rawValue)))
    #expect(Set(logged).count == logged.count)
    #expect(try store.read { try $0.connection.hasBulkChanges } == false)
  }

  @Test("Its places are in the spatial index, as if they were saved at once")
  func spatialIndex() throws {
    var items = items(40)
    let change = try store.beginBulkChange()
    #expect(throws: CancellationError.self) {
      try change.step { writer in
        try writer.saveAll(items)
        throw CancellationError()
      }
    }
    try change.steps(items) { try $1.save($0) }
    try change.step { writer in
      try writer.save(items[3])
      try writer.remove(items[4].id)
    }
    try change.finish { _ in }
    items.remove(at: 4)
    let other = try CalendarStore()
    try other.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      for var item in items {
        item.calendar = list.id
        try writer.save(item)
      }
    }
    func boxes(_ store: CalendarStore) throws -> [String] {
      try store.write { writer in
        #expect(try writer.connection.all(spatialIndexCheck) { $0.int() } == [1])
        return try writer.connection.all(
          SQL(
            """
            SELECT i.uid || hex(e.extent) FROM location_extents e JOIN structured_locations l ON l.row = e.location
            JOIN items i ON i.row = l.item ORDER BY 1
            """)
        ) { $0.text() }
      }
    }
    #expect(try boxes(store) == boxes(other))
    #expect(try !boxes(store).isEmpty)
  }

  @Test("It is undone and redone as one")
  func undo() throws {
    let old = items(20)
    try CalendarStore(path: path).write { try $0.saveAll(old) }
    let change = try store.beginBulkChange()
    try change.step { writer in
      try writer.save(
        ItemCalendar(id: .init(rawValue: "made"), source: list.source, title: "Made", entities: .reminders))
    }
    let new = items(40, seed: 2)
    try change.step { try $0.saveAll(new) }
    try change.step { _ = try $0.remove(old[0].id) }
    try change.finish { _ in }
    // Use a store without a label: a step with a label would end redo.
    let other = try CalendarStore(path: path)
    try other.write { _ = try $0.undo() }
    #expect(Set(try store.read { try $0.items() }.map(\.id)) == Set(old.map(\.id)))
    #expect(try store.read { try $0.calendar(.init(rawValue: "made")) } == nil)
    try other.write { _ = try $0.redo() }
    #expect(
      Set(try store.read { try $0.items() }.map(\.id)) == Set((old.dropFirst() + new).map(\.id)))
  }

  /// A run with 1,000 items in a list that it created.
  private func largeRun() throws -> (old: Set<String>, new: Set<String>) {
    let old = items(20)
    try CalendarStore(path: path).write { try $0.saveAll(old) }
    let change = try store.beginBulkChange()
    try change.step { writer in
      try writer.save(
        ItemCalendar(id: .init(rawValue: "made"), source: list.source, title: "Made", entities: .reminders))
    }
    var model = items(1, seed: 2)[0]
    model.calendar = .init(rawValue: "made")
    let new = (0..<1_000).map { index in
      var item = model
      item.uid = "new \(index)"
      item.id = .init(rawValue: item.uid)
      item.alarms = []
      item.recurrence = nil
      item.detachment = nil
      return item
    }
    try change.step { try $0.saveAll(new) }
    try change.finish { _ in }
    return (Set(old.map(\.id.rawValue)), Set((old + new).map(\.id.rawValue)))
  }

  private func ids(_ store: CalendarStore) throws -> Set<String> {
    Set(try store.read { try $0.items() }.map(\.id.rawValue))
  }

  @Test("A large change that was partly undone at a kill can be undone further or redone")
  func undoneInPart() throws {
    let (old, new) = try largeRun()
    let other = try CalendarStore(path: path)
    for undone in [false, true] {
      var images: [String] = []
      _ = try other.flip(undone: undone) {
        images.append(directory.path("image \(undone) \(images.count).sqlite"))
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(atPath: path + suffix, toPath: images[images.count - 1] + suffix)
        }
      }
      #expect(try ids(other) == (undone ? new : old))
      // After the last step it is complete.
      #expect(images.count >= 4)
      for (index, image) in images.enumerated() {
        let isWhole = index == images.count - 1
        for goesOn in [true, false] where !isWhole {
          let copy = directory.path("copy.sqlite")
          for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: copy + suffix)
            if suffix != "-shm" {
              try FileManager.default.copyItem(atPath: image + suffix, toPath: copy + suffix)
            }
          }
          let left = try CalendarStore(path: copy)
          let steps = try left.read { try $0.undoSteps() }
          #expect(steps.count == 1 && steps[0].isPartial)
          // Another command leaves it unchanged.
          let label = UndoLabel("add", at: .epoch)
          try CalendarStore(path: copy, undoLabel: label).write { try $0.save(items(1, seed: 9)[0]) }
          #expect(try left.undo().step == label)
          _ = try undone == goesOn ? left.redo() : left.undo()
          #expect(try ids(left) == (undone == goesOn ? new : old), "\(undone) \(index) \(goesOn)")
          #expect(try left.read { try $0.undoSteps() }.last?.isPartial == false)
        }
      }
    }
  }

  @Test(
    "Undo of a large change finds conflicts first, and a later conflict reverts it"
  )
  func undoInTheWay() throws {
    let (_, new) = try largeRun()
    let other = try CalendarStore(path: path)
    var foreign = items(1, seed: 5)[0]
    foreign.calendar = .init(rawValue: "made")
    func add() throws { try other.write { [foreign] in try $0.save(foreign) } }
    var count = 0
    #expect(throws: UndoError.self) {
      try other.flip(undone: false) {
        if count == 1 { try add() }
        count += 1
      }
    }
    let all = new.union([foreign.id.rawValue])
    #expect(try ids(other) == all && count > 1)
    #expect(try other.read { try $0.undoSteps() }.first?.isPartial == false)
    // Now the check finds it at once.
    #expect(throws: UndoError.self) { try other.flip(undone: false) { Issue.record("a step was undone") } }
    #expect(try ids(other) == all)
  }

  @Test(
    "A rolled back change keeps a list that others use by now, with its items")
  func usedList() throws {
    let change = try store.beginBulkChange()
    let made = ItemCalendar(
      id: .init(rawValue: "made"), source: list.source, title: "Made", entities: .reminders)
    try change.step { writer in
      try writer.save(made)
      try writer.saveAll(items(5))
    }
    let other = try CalendarStore(path: path)
    let mine = CalendarItem(calendar: made.id, title: "Mine", details: .reminder(ReminderDetails()))
    try other.write { try $0.save(mine) }
    change.giveUp()
    #expect(try other.read { try $0.items() } == [mine])
    #expect(try other.read { try $0.calendar(made.id) } == made)
    #expect(try other.read { try $0.connection.hasBulkChanges } == false)
  }

  @Test("Local changes before a large change are still known after it")
  func received() throws {
    var item = items(1)[0]
    item.arrived = .epoch
    let old = item
    try store.write { try $0.save(old) }
    #expect(try store.read { try $0.received(old.id) } == nil)
    var here = old
    here.title = "Changed here"
    try store.write { try $0.save(here) }
    var there = old
    there.sequence += 1
    var merged = here
    merged.sequence += 1
    let change = try store.beginBulkChange()
    try change.step { try $0.save(merged, received: there) }
    try change.finish { _ in }
    #expect(try store.read { try $0.item(old.id) } == merged)
    there.calendar = Identifier(rawValue: "")
    #expect(try store.read { try $0.received(old.id) } == there)
    try store.write { _ = try $0.remove(old.id) }
    #expect(
      try store.read { try $0.connection.all(SQL("SELECT 1 FROM received_items")) { $0.int() } }.isEmpty)
  }

  @Test(
    "A change that was given up or left behind leaves no trace", arguments: [true, false])
  func takenBack(isGivenUp: Bool) throws {
    let old = items(20)
    try CalendarStore(path: path).write { try $0.saveAll(old) }
    let before = try view(store)
    let rows = try numbers()
    let image = directory.path("image.sqlite")
    let change = try store.beginBulkChange()
    try change.step { writer in
      try writer.save(
        ItemCalendar(id: .init(rawValue: "made"), source: list.source, title: "Made", entities: .reminders))
      try writer.saveAll(items(40, seed: 2))
      try writer.remove(old[0].id)
    }
    // The files as a killed process leaves them.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: image + suffix)
    }
    let left: CalendarStore
    if isGivenUp {
      change.giveUp()
      left = store
      #expect(throws: (any Error).self) { try store.write { _ = try $0.undo() } }
    } else {
      left = try CalendarStore(path: image)
    }
    let after = try view(left).filter { !$0.hasPrefix("change made") && !$0.hasPrefix("latest") }
    #expect(after == before.filter { !$0.hasPrefix("latest") })
    #expect(try left.read { try $0.calendar(.init(rawValue: "made")) } == nil)
    #expect(try left.read { try $0.connection.hasBulkChanges } == false)
    #expect(try left.read { try $0.connection.all(SQL("SELECT 1 FROM bulk_updates")) { $0.int() } } == [])
    try left.write { try $0.save(items(1, seed: 4)[0]) }
    if isGivenUp { #expect(try numbers() == rows + 1) }
    withExtendedLifetime(change) {}
  }

  @Test(
    "The spatial index has every place: of others at once, of the change at its end",
    arguments: [true, false])
  func places(isGivenUp: Bool) throws {
    let other = try CalendarStore(path: path)
    try other.write { try $0.saveAll(items(20)) }
    func extents() throws -> (all: [Int64], indexed: [Int64]) {
      try other.read { reader in
        try (
          reader.connection.all(SQL("SELECT row FROM location_extents ORDER BY row")) { $0.int64() },
          reader.connection.all(SQL("SELECT pkid FROM idx_location_extents_extent ORDER BY pkid")) {
            $0.int64()
          }
        )
      }
    }
    let before = try extents()
    #expect(before.all == before.indexed && !before.all.isEmpty)
    let change = try store.beginBulkChange()
    let new = items(40, seed: 2)
    try change.step { try $0.saveAll(Array(new[..<20])) }
    try other.write { try $0.saveAll(items(20, seed: 3)) }
    let between = try extents()
    #expect(between.indexed.count < between.all.count && between.indexed.count > before.indexed.count)
    // One of the change's own items is saved twice.
    try change.step { try $0.saveAll(Array(new[19...])) }
    if isGivenUp { change.giveUp() } else { try change.finish { _ in } }
    let after = try extents()
    #expect(after.all == after.indexed)
    #expect(isGivenUp ? after.all == between.indexed : after.all.count > between.all.count)
  }

  private func numbers() throws -> Int64 {
    try store.read {
      try $0.connection.first(SQL("SELECT seq FROM sqlite_sequence WHERE name = 'items'")) { $0.int64() } ?? 0
    }
  }

  @Test("The next program that opens the store completes a decided change")
  func carriedThrough() throws {
    let old = items(20)
    try CalendarStore(path: path).write { try $0.saveAll(old) }
    let change = try store.beginBulkChange()
    let new = items(40, seed: 2)
    let image = directory.path("image.sqlite")
    try change.step { writer in
      try writer.saveAll(new)
      for item in old { try writer.remove(item.id) }
    }
    try store.write(labelled: nil) { writer in
      // The first effect of the decision; then the process is killed.
      try writer.connection.execute("UPDATE bulk_changes SET is_hidden = FALSE, is_decided = TRUE")
    }
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: image + suffix)
    }
    let next = try CalendarStore(path: image)
    #expect(Set(try next.read { try $0.items() }.map(\.id)) == Set(new.map(\.id)))
    let kinds = try next.read { try $0.changes(after: 0) }.map(\.kind)
    #expect(kinds.filter { $0 == .removed }.count == 20)
    #expect(kinds.filter { $0 == .inserted }.count >= 60)
    try next.write { _ = try $0.undo() }
    #expect(Set(try next.read { try $0.items() }.map(\.id)) == Set(old.map(\.id)))
    withExtendedLifetime(change) {}
  }

  @Test(
    "Concurrent changes stay, unless the change is authoritative",
    arguments: [false, true])
  func conflict(isAuthoritative: Bool) throws {
    var model = RandomModel(seed: 7)
    var item = model.item(in: list.id)
    item.sequence = 1
    item.alarms = [Alarm(trigger: .absolute(.epoch))]
    let other = try CalendarStore(path: path)
    try other.write { [item] in try $0.save(item) }
    let change = try store.beginBulkChange(isAuthoritative: isAuthoritative)
    var theirs = item
    theirs.title = "Theirs"
    try change.step { [theirs] in try $0.save(theirs) }
    var ours = item
    ours.title = "Ours"
    ours.sequence = 2
    ours.alarms[0].acknowledged = Instant(seconds: 5)
    try other.write { [ours] in try $0.save(ours) }
    try change.finish { _ in }
    let now = try #require(try store.read { try $0.item(item.id) })
    #expect(now.title == (isAuthoritative ? "Theirs" : "Ours"))
    #expect(now.alarms[0].acknowledged == Instant(seconds: 5))
  }
}
