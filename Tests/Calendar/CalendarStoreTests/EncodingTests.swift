import FencepostCalendarModel
import FencepostDatabase
import FencepostGeodesy
import FencepostTestSupport
import Testing

@testable import FencepostCalendarStore

@Suite("Values in columns")
struct EncodingTests {
  @Test(
    "Times are readable",
    arguments: [
      (CalendarTime.date(CivilDay(year: 2026, month: 5, day: 1)), "2026-05-01"),
      (.floating(CivilDateTime(year: 2026, month: 5, day: 1, hour: 8, minute: 30)), "2026-05-01T08:30:00"),
      (.utc(CivilDateTime(year: 2026, month: 5, day: 1, hour: 8)), "2026-05-01T08:00:00Z"),
      (
        .zoned(CivilDateTime(year: 1, month: 2, day: 3), TimeZoneID(rawValue: "Europe/Berlin")),
        "0001-02-03T00:00:00[Europe/Berlin]"
      ),
      (
        .zoned(CivilDateTime(year: -44, month: 3, day: 15), TimeZoneID(rawValue: "")),
        "-0044-03-15T00:00:00[]"
      ),
      (.date(CivilDay(year: 12_345, month: 12, day: 31)), "12345-12-31"),
    ])
  func times(time: CalendarTime, text: String) {
    #expect(time.stored == text)
    #expect(CalendarTime(stored: text) == time)
  }

  @Test(
    "Invalid times are rejected",
    arguments: [
      "", "2026", "2026-13-01", "2026-02-30", "2026-05-01T", "2026-05-01T08:30", "2026-05-01T08:30:00X",
      "2026-05-01T08:30:00[Europe", "2026-05-01T08:30:00Z ", "99999999999999999999-01-01", "2026-05-1é",
    ])
  func noTime(text: String) {
    #expect(CalendarTime(stored: text) == nil)
  }

  @Test("Rules read back unchanged", arguments: 0..<4 as Range<UInt64>)
  func rules(seed: UInt64) {
    var model = RandomModel(seed: seed)
    for _ in 0..<200 {
      let rule = model.rule()
      #expect(RecurrenceRule(stored: rule.stored) == rule, "seed \(seed): \(rule.stored)")
    }
  }

  @Test(
    "Invalid rules are rejected",
    arguments: ["", "DAILY", "FREQ=SOMETIMES", "FREQ=DAILY;", "FREQ=DAILY;COUNT=x", "FREQ=DAILY;BYDAY=XX"])
  func noRule(text: String) {
    #expect(RecurrenceRule(stored: text) == nil)
  }

  @Test("Lists are JSON", arguments: [[], ["a"], ["", "\"\\\n\u{1}", "🧀,"], ["[", "]"]])
  func lists(list: [String]) throws {
    let stored = StringList.stored(list)
    #expect(stored.map { Self.list($0) } ?? [] == list)
    // SQLite's JSON reader agrees.
    let read = try CalendarStore().read { reader throws in
      try reader.connection.all(SQL("SELECT value FROM json_each(coalesce(?, '[]'))")) {
        $0.add(stored)
      } read: {
        $0.text()
      }
    }
    #expect(read == list)
  }

  @Test("Invalid lists are rejected", arguments: ["", "[", "[]", "[\"a\"", "[\"a\",]", "[\"\\u00\"]", "{}"])
  func noList(text: String) {
    #expect(Self.list(text) == nil)
  }

  static func list(_ text: String) -> [String]? {
    Array(text.utf8).withUnsafeBytes { StringList.list(stored: $0) }
  }

  @Test("A geometry that is cut or has wrong counts is rejected", arguments: 0..<4 as Range<UInt64>)
  func brokenGeometry(seed: UInt64) {
    var model = RandomModel(seed: seed)
    let ring = (0..<5).map { _ in model.coordinate() }
    let blob = GeometryBlob.outline([Polygon(exterior: ring, holes: [ring])])
    #expect(blob.withUnsafeBytes(GeometryBlob.outline(from:)) == [Polygon(exterior: ring, holes: [ring])])
    for count in 1..<blob.count - 1 {
      #expect(blob.prefix(count).withUnsafeBytes(GeometryBlob.outline(from:))?.isEmpty ?? true)
    }
    for _ in 0..<500 {
      var broken = blob
      broken[model.int(0...blob.count - 1)] = UInt8(model.int(0...255))
      // Anything but a crash is fine.
      _ = broken.withUnsafeBytes(GeometryBlob.outline(from:))
    }
  }
}
