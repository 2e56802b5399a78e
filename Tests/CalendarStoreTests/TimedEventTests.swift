import CalendarModel
import Recurrence
import TestSupport
import Testing

@testable import CalendarStore

@Suite("Images of events")
struct TimedEventTests {
  /// What is wrong with the table: rows that are missing or too many, and images that say something else than the
  /// item's own tables.
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

  /// How many events have an image, and how many have none.
  static func images(in store: CalendarStore) throws -> (kept: Int, missing: Int) {
    try store.read { reader in
      try reader.connection.first(SQL("SELECT count(image), count(*) - count(image) FROM timed_events")) {
        ($0.int(), $0.int())
      } ?? (0, 0)
    }
  }

  @Test(
    "are what the items' tables say, through any changes and their undoing", arguments: 0..<6 as Range<UInt64>
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
        // Another item altogether under the same identifier, or its calendar alone.
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

  @Test("go with whatever changes their item by hand, and are made anew")
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

  @Test("that would be large are not kept")
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

  @Test("of events out of a store of the version before are made when it is opened")
  func migration() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    var model = RandomModel(seed: 11)
    var images = (kept: 0, missing: 0)
    let before = try #require(Migration.all.firstIndex { $0.name == "timed-events" })
    do {
      let store = try CalendarStore(path: path)
      try store.write { writer in
        let calendar = try writer.defaultCalendar(for: .events)
        try writer.saveAll((0..<50).map { _ in model.item(in: calendar.id) })
      }
      images = try Self.images(in: store)
      try store.write { writer in
        // As the version before has it.
        let triggers = try writer.connection.all(
          SQL("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'timed_events%'")
        ) { $0.text() }
        for trigger in triggers { try writer.connection.execute("DROP TRIGGER \(trigger)") }
        try writer.connection.execute(
          """
          DROP TABLE timed_events;
          ALTER TABLE items DROP COLUMN arrived_at;
          DROP INDEX firings_put_off;
          DROP INDEX items_parent;
          DROP TABLE received_items;
          DROP TABLE clients;
          DROP TABLE web_sessions;
          DROP TABLE preserved_components;
          DROP TABLE bulk_changes;
          DROP TABLE bulk_updates;
          DROP TABLE suggestions;
          DROP TABLE seen_suggestions;
          DROP TABLE scanned_mails;
          DROP TABLE trusted_senders;
          CREATE INDEX items_bounds ON items (span, first_start_at, last_end_at, is_reminder)
            WHERE first_start_at IS NOT NULL;
          DELETE FROM migrations
            WHERE rowid >= (SELECT rowid FROM migrations WHERE name = 'timed-events');
          DELETE FROM sqlite_sequence WHERE name NOT IN ('alarms', 'changes');
          PRAGMA user_version = \(before);
          """)
        let added = [
          "calendars": ["default_alarm", "all_day_second", "rings_when_due"],
          "firings": [
            "item_start", "item_end", "item_location", "item_notes", "item_url", "snoozed_kind",
            "snoozed_key", "snoozed_at", "snoozed_place", "snoozed_device", "put_off_to", "earliest_at",
            "latest_at", "source",
          ],
          "alarms": ["includes_passing"],
        ]
        for (table, columns) in added {
          for column in columns {
            try writer.connection.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
          }
        }
      }
    }
    let store = try CalendarStore(path: path)
    #expect(try Self.faults(in: store) == [])
    #expect(try Self.images(in: store) == images)
    #expect(images.kept > 0)
  }
}
