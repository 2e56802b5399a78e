import FencepostCalendarModel
import FencepostDatabase
import FencepostRecurrence
import FencepostTestSupport
import Testing

@testable import FencepostCalendarStore

@Suite("Images of events")
struct TimedEventTests {
  /// The faults of the table: missing or surplus rows, and images that differ from the item's own tables.
  static func faults(in store: CalendarStore) throws -> [String] {
    try store.read { reader in
      var faults = try reader.connection.all(
        SQL(
          """
          SELECT i.id || ' has no row' FROM items i LEFT JOIN timed_events t
            ON t.span = i.span AND t.first_start_at = i.first_start_at AND t.item = i.row
              AND t.last_end_at IS i.last_end_at AND t.calendar = i.calendar AND t.uid = i.uid
          WHERE NOT i.is_reminder AND i.first_start_at IS NOT NULL AND t.item IS NULL
          UNION ALL
          SELECT t.item || ' is no event' FROM timed_events t LEFT JOIN items i ON i.row = t.item
          WHERE i.row IS NULL OR i.is_reminder
          UNION ALL
          SELECT count(*) - count(DISTINCT item) || ' rows too many' FROM timed_events
          HAVING count(*) <> count(DISTINCT item)
          """)
      ) { $0.text() }
      let events = try reader.events(from: .distantPast, until: .distantFuture)
      let known = Dictionary(uniqueKeysWithValues: try reader.items().map { ($0.id, $0) })
      for event in events where event != known[event.id] {
        faults.append("\(event.id) is not what it was saved as")
      }
      return faults
    }
  }

  /// The numbers of events with and without an image.
  static func images(in store: CalendarStore) throws -> (kept: Int, missing: Int) {
    try store.read { reader in
      try reader.connection.first(SQL("SELECT count(image), count(*) - count(image) FROM timed_events")) {
        ($0.int(), $0.int())
      } ?? (0, 0)
    }
  }

  @Test(
    "equal the items' tables, through any changes and their undo", arguments: 0..<6 as Range<UInt64>
  )
  func changes(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let own = try CalendarStore(path: path, undoLabel: UndoLabel("test", at: .epoch))
    let other = try CalendarStore(path: path)
    let lists = try own.write { writer in
      [try writer.defaultCalendar(for: .events).id, try writer.defaultCalendar(for: .reminders).id]
    }
    var items: [CalendarItem] = []
    for round in 0..<25 {
      let store = model.chance(3) ? other : own
      switch items.isEmpty ? 0 : model.int(0...4) {
      case 0, 1:
        let added = (0..<model.int(1...6)).map { _ in model.item(in: lists[model.int(0...1)]) }
        try store.write { try $0.saveAll(added) }
        items += added
      case 2:
        // A completely different item with the same identifier, or only its calendar.
        let index = model.int(0...items.count - 1)
        var changed = items[index]
        if model.chance(2) {
          changed = model.item(in: lists[0])
          changed.id = items[index].id
        } else {
          changed.calendar = changed.calendar == lists[0] ? lists[1] : lists[0]
        }
        items[index] = changed
        try store.write { try $0.save(changed) }
      case 3:
        let gone = items.remove(at: model.int(0...items.count - 1))
        try store.write { _ = try $0.remove(gone.id) }
      default:
        _ = try? own.write { try model.chance(2) ? $0.undo() : $0.redo() }
        items = try own.read { try $0.items() }
      }
      #expect(try Self.faults(in: own) == [], "seed \(seed), round \(round)")
      #expect(try Self.faults(in: other) == [], "seed \(seed), round \(round)")
    }
    #expect(try Self.images(in: own).kept > 0)
  }

  @Test("have what undo gives back to an event whose own row stayed as it was")
  func partsAlone() throws {
    let store = try CalendarStore()
    var event = try store.write { writer in
      let calendar = try writer.defaultCalendar(for: .events)
      let start = CivilDateTime(year: 2026, month: 5, day: 1)
      var event = CalendarItem(
        calendar: calendar.id, title: "Fair",
        details: .event(EventDetails(start: .utc(start), end: .utc(start))))
      event.attendees = [Participant(url: "mailto:a@example.com"), Participant(url: "mailto:b@example.com")]
      try writer.save(event)
      return event
    }
    event.attendees.reverse()
    try store.write(undoableAs: UndoLabel("reverse", at: .epoch)) { [event] in try $0.save(event) }
    #expect(try Self.images(in: store) == (1, 0))
    for _ in 0..<2 {
      _ = try store.write { try $0.undo() }
      #expect(try Self.faults(in: store) == [])
      _ = try store.write { try $0.redo() }
      #expect(try Self.faults(in: store) == [])
    }
    #expect(try Self.images(in: store) == (1, 0))
  }

  @Test("are deleted by any manual change of their item, and restored")
  func byHand() throws {
    let store = try CalendarStore()
    var model = RandomModel(seed: 7)
    try store.write { writer in
      let calendar = try writer.defaultCalendar(for: .events)
      for _ in 0..<60 {
        var item = model.item(in: calendar.id)
        if item.isEvent { item.recurrence = item.recurrence ?? Recurrence(rules: [RecurrenceRule(.daily)]) }
        try writer.save(item)
      }
    }
    // A few are too large.
    let missing = try Self.images(in: store).missing
    #expect(try Self.images(in: store).kept > missing)
    for change in [
      "UPDATE items SET title = title || '!'", "UPDATE alarms SET message = 'Louder'", "DELETE FROM alarms",
      "UPDATE recurrence_rules SET rule = 'FREQ=YEARLY'", "DELETE FROM recurrence_dates",
      "UPDATE structured_locations SET title = 'Elsewhere'", "DELETE FROM participants",
      "UPDATE timed_events SET image = x'11'",
      "UPDATE timed_events SET image = substr(image, 1, length(image) - 1)",
      "UPDATE timed_events SET image = substr(image, 1, length(image) / 2)",
    ] {
      try store.write { try $0.connection.execute(change) }
      #expect(try Self.faults(in: store) == [], "\(change)")
      try store.write { writer in
        try writer.connection.execute("UPDATE timed_events SET image = NULL")
        try writer.connection.fillImages()
      }
      #expect(try Self.faults(in: store) == [], "\(change)")
      #expect(try Self.images(in: store).missing <= missing, "\(change)")
    }
  }

  @Test("that are too large are not saved")
  func large() throws {
    let store = try CalendarStore()
    var model = RandomModel(seed: 3)
    try store.write { writer in
      var event = model.item(in: try writer.defaultCalendar(for: .events).id)
      event.details = .event(
        EventDetails(
          start: .utc(CivilDateTime(year: 2026, month: 5, day: 1)),
          end: .utc(CivilDateTime(year: 2026, month: 5, day: 1, hour: 1))))
      event.notes = String(repeating: "long ", count: 1_000)
      try writer.save(event)
    }
    #expect(try Self.images(in: store) == (0, 1))
    #expect(try Self.faults(in: store) == [])
  }
}
