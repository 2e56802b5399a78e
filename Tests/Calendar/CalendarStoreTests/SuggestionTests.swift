import FencepostCalendarModel
import FencepostDatabase
import Testing

@testable import FencepostCalendarStore

@Suite("Suggestions that a booking may be about")
struct SuggestionTests {
  private func suggestion(
    _ id: String, kind: String = "flight", key: String? = "", day: Int = 4,
    state: Suggestion.State = .proposed, replaces: String? = nil
  ) -> Suggestion {
    var suggestion = Suggestion(
      id: Identifier(rawValue: id), kind: kind, title: id, content: "{}", found: .epoch)
    suggestion.key = key
    suggestion.start = .floating(CivilDateTime(year: 2026, month: 5, day: day, hour: 9))
    suggestion.state = state
    suggestion.replaces = replaces.map(Identifier.init(rawValue:))
    return suggestion
  }

  private let day = CivilDay(year: 2026, month: 5, day: 4)

  @Test("are those with its number, and those near its day that have no other number, the latest first")
  func lookup() throws {
    let store = try CalendarStore()
    try store.write { writer in
      for one in [
        suggestion("number", key: "abc123", day: 28), suggestion("other number", key: "xyz"),
        suggestion("no number"), suggestion("far", day: 9), suggestion("near", day: 6),
        suggestion("other kind", kind: "hotel", key: "abc123"), suggestion("unknown", key: nil, day: 28),
        suggestion("old", key: "abc123", state: .superseded),
        suggestion("updated", key: "abc123", state: .accepted),
        suggestion("update", key: "abc123", replaces: "updated"),
      ] { try writer.save(one) }
    }
    func found(_ key: String?, _ day: CivilDay?) throws -> [String] {
      try store.read { try $0.suggestions(kind: "flight", key: key, near: day) }.map(\.id.rawValue)
    }
    #expect(try found("abc123", day) == ["update", "unknown", "near", "no number", "number"])
    #expect(try found("abc123", nil) == ["update", "unknown", "number"])
    #expect(try found(nil, day) == ["update", "unknown", "near", "no number", "other number"])
    #expect(try store.read { try $0.update(of: Identifier(rawValue: "updated")) }?.id.rawValue == "update")
    #expect(try store.read { try $0.update(of: Identifier(rawValue: "update")) } == nil)
  }

  @Test("are found by indices, not by a look at all")
  func plan() throws {
    let store = try CalendarStore()
    let steps = try store.read { reader in
      try reader.connection.all(SQL("EXPLAIN QUERY PLAN " + SuggestionColumns.like)) { row in
        (row.int(), row.int(), row.int(), row.text()).3
      }
    }
    #expect(!steps.isEmpty)
    #expect(!steps.contains { $0.hasPrefix("SCAN suggestions") || $0 == "SCAN s" }, "\(steps)")
  }
}
