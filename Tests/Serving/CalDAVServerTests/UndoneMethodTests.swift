import FencepostCalDAV
import FencepostCalendarModel
import FencepostDatabase
import FencepostTestSupport
import FencepostXML
import Testing

@testable import FencepostCalendarStore

@Suite("Undo of what CalDAV clients do")
struct UndoneMethodTests {
  /// The tables whose rows are no contents: journals, and when a client was here.
  private static let journals: Set<String> = [
    "clients",
    "changes", "departed_items", "undo_steps", "undo_transactions", "dropped_undo_steps", "migrations",
    "forgotten_changes", "running_undo", "sqlite_sequence", "sqlite_stat1", "sqlite_stat4",
  ]

  /// All rows of all other tables, as SQL writes their values.
  private static func rows(of store: CalendarStore) throws -> [String: [String]] {
    try store.read { reader in
      let connection = reader.connection
      let tables = try connection.all(
        SQL(
          """
          SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
            AND name NOT LIKE 'idx_%' AND sql NOT LIKE '%geometry_columns%' AND name NOT LIKE '%spatial%'
          """), read: { $0.text() })
      var rows: [String: [String]] = [:]
      for table in tables where !journals.contains(table) {
        let values = try connection.first(
          SQL("SELECT group_concat('quote(' || name || ')', '||'' ''||') FROM pragma_table_info('\(table)')"),
          read: { $0.text() })
        rows[table] = try connection.all(SQL("SELECT \(values ?? "") FROM \(table) ORDER BY 1")) { $0.text() }
      }
      return rows
    }
  }

  private static func expect(
    _ found: [String: [String]], toBe wanted: [String: [String]], _ comment: String,
    at location: SourceLocation = #_sourceLocation
  ) {
    for (table, rows) in wanted where found[table] != rows {
      let (now, before) = (Set(found[table] ?? []), Set(rows))
      Issue.record(
        """
        \(comment): \(table) has \(now.subtracting(before)) instead of \(before.subtracting(now))
        """, sourceLocation: location)
    }
  }

  /// Does random things as a client.
  private final class Client {
    let fixture: CalDAVFixture
    var random: SeededRandom
    let lists: [ItemCalendar]
    private var made = 0

    init(seed: UInt64) throws {
      fixture = try CalDAVFixture()
      random = SeededRandom(seed: seed)
      let other = ItemCalendar(source: fixture.list.source, title: "Other", entities: .reminders)
      try fixture.store.write { try $0.save(other) }
      lists = [fixture.list, other]
      // The first request makes the server's key.
      _ = try fixture.propfind("/dav/", [])
    }

    private func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }
    private var name: String { pick(["a.ics", "b.ics", "c.ics", "x y.ics"]) }
    private var path: String { fixture.path(pick(lists), name) }

    private func object() -> String {
      let uid = pick(["a", "b", "c"])
      made += 1
      let parts = [
        "DUE:20260601T080000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nDESCRIPTION:x\nEND:VALARM\n",
        "DTSTART:20260601T080000Z\nDUE:20260601T080000Z\nRRULE:FREQ=DAILY\nX-KEPT:\(made)\n",
        "LOCATION:Shop\nX-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=100;X-TITLE=Shop:geo:52.5,13.4\n",
        "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\nX-APPLE-PROXIMITY:ARRIVE\n"
          + "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=100;X-TITLE=Home:geo:52.5,13.4\nEND:VALARM\n",
        "",
      ]
      let changed =
        "RECURRENCE-ID:20260602T080000Z\nDTSTART:20260602T100000Z\nDUE:20260602T100000Z\n"
      let part = pick(parts)
      let master = Sample.todo(uid, "Title \(made)", part)
      guard part.contains("RRULE"), Bool.random(using: &random) else { return Sample.calendar(master) }
      return Sample.calendar(master, Sample.todo(uid, "Changed \(made)", changed))
    }

    /// - Returns: What it did.
    func act() throws -> String {
      switch Int.random(in: 0...13, using: &random) {
      case 0...4:
        let path = path
        return "PUT \(path) \(try fixture.put(path, object()).status)"
      case 5: return try ask("DELETE", path)
      case 6...8: return try ask("MOVE", path, ["Destination: \(path)"])
      case 9: return try ask("COPY", path, ["Destination: \(path)", pick(["Overwrite: F", "Overwrite: T"])])
      case 10:
        let property = XMLElement(XMLName(namespace: "urn:x", "p"), text: "\(made)")
        return try ask("PROPPATCH", path, PropertyUpdate([pick([.set(property), .remove(property.name)])]))
      case 11:
        let (title, color) = (pick(["One", "Two"]), pick(["#112233", "#445566FF"]))
        return try ask(
          "PROPPATCH", fixture.path(pick(lists)),
          PropertyUpdate([
            .set(XMLElement(.dav("displayname"), text: title)),
            .set(XMLElement(.apple("calendar-color"), text: color)),
          ]))
      case 12:
        // Lists come and go with what is in them.
        let path = fixture.home + "made/"
        let made = try ask("MKCALENDAR", path)
        guard made.hasSuffix("201") else { return try ask("DELETE", path) }
        _ = try fixture.put(path + "z.ics", Sample.calendar(Sample.todo("z")))
        return made
      default:
        // A command of this machine.
        return try fixture.store.write(undoableAs: UndoLabel("edit", at: CalDAVFixture.now)) { writer in
          guard var item = try writer.reader.items().first else { return "nothing" }
          made += 1
          item.title = "Edited \(made)"
          try writer.save(item)
          return item.title
        }
      }
    }

    private func ask(_ method: String, _ path: String, _ headers: [String] = []) throws -> String {
      "\(method) \(path) \(headers) \(try fixture.ask(method, path, [], headers).status)"
    }

    private func ask(_ method: String, _ path: String, _ update: PropertyUpdate) throws -> String {
      "\(method) \(path) \(try fixture.ask(method, path, update.document).status)"
    }
  }

  @Test(
    "Undo and redo are inverse after each method, in the rows of all tables",
    arguments: 0..<12 as Range<UInt64>)
  func property(seed: UInt64) throws {
    let client = try Client(seed: seed)
    let store = client.fixture.store
    func steps() throws -> Int { try store.read { try $0.undoSteps().count } }
    var states = [try Self.rows(of: store)]
    var done: [String] = []
    for _ in 0..<25 {
      let what = try client.act()
      #expect(!what.hasSuffix(" 500") && !what.hasSuffix(" 503"), "seed \(seed): \(what)")
      // A method may be two steps here, and a refused one is none.
      while try steps() > done.count {
        done.append(what)
        states.append(try Self.rows(of: store))
      }
    }
    for round in 0..<2 {
      for index in done.indices.reversed() {
        let comment = "seed \(seed), round \(round), undo of \(done[index])"
        #expect(throws: Never.self, "\(comment)") { try store.undo() }
        if index == 0 || done[index - 1] != done[index] {
          Self.expect(try Self.rows(of: store), toBe: states[index], comment)
        }
      }
      for index in done.indices {
        let comment = "seed \(seed), round \(round), redo of \(done[index])"
        #expect(throws: Never.self, "\(comment)") { try store.redo() }
        if index == done.count - 1 || done[index + 1] != done[index] {
          Self.expect(try Self.rows(of: store), toBe: states[index + 1], comment)
        }
      }
    }
  }
}
