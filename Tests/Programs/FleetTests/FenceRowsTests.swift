import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import Testing

@testable import FencepostFleet

@Suite("Fences from a database")
struct FenceRowsTests {
  private static let square =
    #"{"type":"Polygon","coordinates":[[[13,52],[13.1,52],[13.1,52.1],[13,52.1],[13,52]]]}"#
  private static let point = #"{"type":"Point","coordinates":[13,52]}"#

  @Test("are reminders with the rows' identifiers, names, shapes and events")
  func items() throws {
    let table = FenceRows(rows: [
      ["a", "Depot", Self.point, "250", nil], ["b", nil, Self.square, nil, "enter"],
      ["c", " ", Self.point, nil, "LEAVE"],
    ])
    #expect(table.problems.isEmpty)
    #expect(table.items.map(\.id.rawValue) == ["a", "b", "c"])
    #expect(table.items.map(\.title) == ["Depot", "b", "c"])
    #expect(
      table.items.map { $0.alarms.map(\.id.rawValue) } == [["a#enter", "a#leave"], ["b#enter"], ["c#leave"]])
    #expect(
      table.items.map { $0.alarms.compactMap(\.proximity?.event) } == [[.enter, .leave], [.enter], [.leave]])
    let places = table.items.compactMap { $0.alarms.first?.proximity?.location }
    #expect(places.map(\.radius) == [250, 0, 0])
    #expect(places[0].coordinate == Coordinate(latitude: 52, longitude: 13))
    #expect(places[1].outline.map(\.exterior.count) == [4])
  }

  @Test(
    "leave rows out that are no fences",
    arguments: [
      ([nil, "A", point, nil, nil], "without an id"),
      (["", "A", point, nil, nil], "without an id"),
      (["1", "A", nil, nil, nil], "no shape"),
      (["1", "A", "POINT(13 52)", nil, nil], "no shape"),
      (["1", "A", #"{"type":"Point","coordinates":[]}"#, nil, nil], "empty"),
      (["1", "A", #"{"type":"Point","coordinates":[389000,5807000]}"#, nil, nil], "not on Earth"),
      (["1", "A", #"{"type":"LineString","coordinates":[[13,52],[14,52]]}"#, nil, nil], "not LineString"),
      (["1", "A", #"{"type":"Polygon","coordinates":[]}"#, nil, nil], "empty"),
      (
        [
          "1", "A", #"{"type":"MultiPolygon","coordinates":[[[[13,99],[14,52],[15,52],[13,99]]]]}"#, nil, nil,
        ],
        "not on Earth"
      ),
      (["1", "A", point, "0", nil], "radius 0"), (["1", "A", point, "-5", nil], "radius -5"),
      (["1", "A", point, "NaN", nil], "radius NaN"), (["1", "A", point, "Infinity", nil], "radius Infinity"),
      (["1", "A", point, nil, "often"], "unknown event 'often'"),
    ] as [([String?], String)])
  func problems(row: [String?], problem: String) throws {
    let table = FenceRows(rows: [row, ["2", "B", Self.point, nil, nil], ["2", "C", Self.point, nil, nil]])
    #expect(table.items.map(\.title) == ["B"])
    #expect(table.problems.count == 2)
    #expect(try #require(table.problems.first).contains(problem))
    #expect(try #require(table.problems.last).contains("the same id"))
  }

  @Test("stay untouched in a partition as long as their rows do")
  func generations() throws {
    func published(_ rows: [[String?]]) throws -> CalendarStore {
      let copy = try CalendarStore()
      var publication = FencePublication()
      try publication.copy(try FenceRows(rows: rows).store(), into: copy)
      #expect(publication.fences == rows.count * 2 && publication.timed == 0 && publication.limited == 0)
      return copy
    }
    let partition = try CalendarStore()
    let (depot, yard) = (["1", "Depot", Self.point, "250", nil], ["2", "Yard", Self.square, nil, nil])
    try partition.follow(published([depot, yard])) { _ in }
    let before = try partition.read { try $0.lastChange() }
    try partition.follow(published([depot, yard])) { _ in }
    #expect(try partition.read { try $0.lastChange() } == before)
    try partition.follow(published([["1", "Depot", Self.point, "100", nil]])) { _ in }
    #expect(try partition.read { try $0.lastChange() } > before)
    #expect(try partition.read { try $0.items().map { $0.structuredLocation?.radius } } == [100])
  }

  @Test(
    "have an address",
    arguments: [
      ("postgresql://ann@host:5433/fleet?table=zones", "postgresql://host:5433/fleet"),
      ("postgres://host/fleet?table=gis.zones&sslmode=require", "postgresql://host/fleet"),
      ("postgresql:///?service=fleet&query=SELECT%201", "postgresql:///"),
      (
        "postgresql://a:5432,b:5432/fleet?table=zones&channel=c&geometry=g",
        "postgresql://a:5432,b:5432/fleet"
      ),
    ])
  func addresses(text: String, shown: String) throws {
    #expect(try FenceDatabase(text).description == shown)
  }

  @Test(
    "have no other address",
    arguments: [
      "postgresql://host/fleet", "postgresql://host/fleet?table=", "postgresql://host/fleet?table=a.b.c",
      "postgresql://host/fleet?table=a&query=b", "mysql://host/fleet?table=a", "host?table=a",
      "postgresql://ann:s3cret@host/fleet?table=a", "postgresql://host/fleet?table=a&password=s3cret",
    ])
  func wrongAddresses(text: String) {
    let error = #expect(throws: (any Error).self) { try FenceDatabase(text) }
    #expect(error.map { !"\($0)".contains("s3cret") } ?? false)
  }
}
