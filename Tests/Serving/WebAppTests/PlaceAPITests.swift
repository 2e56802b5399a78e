import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostJSON
import FencepostTestSupport
import Testing

@testable import FencepostWebApp

@Suite("Places over the API")
struct PlaceAPITests {
  private let fixture: WebAppFixture

  /// A place, a reminder that waits there, and one that waits at another place.
  init() throws {
    fixture = try WebAppFixture()
    _ = try fixture.json("PUT", "/places/Office", #"{"latitude":52.4,"longitude":13.06,"radius":150}"#)
    for (title, place) in [("Badge", "Office"), ("Bread", "Bakery")] {
      _ = try fixture.json(
        "POST", "/items",
        #"""
        {"title":"\#(title)","alarms":[{"proximity":"enter",
         "place":{"title":"\#(place)","latitude":52.4,"longitude":13.06,"radius":150}}]}
        """#)
    }
  }

  private func place(of title: String) throws -> StructuredLocation? {
    try fixture.store.read { try $0.items(matching: title, limit: 1) }.first?.alarms.first?.proximity?
      .location
  }

  @Test("A place that moves takes its alarms along, and one undo takes both back")
  func move() throws {
    let shown = try fixture.json("GET", "/places")["places"]?.list
    #expect(shown?.map { $0["alarms"]?.integer } == [1])
    let before = try place(of: "Badge")
    let moved = try fixture.json(
      "PUT", "/places/Office", #"{"latitude":52.5,"longitude":13.1,"radius":200}"#)
    #expect(moved["alarms_moved"]?.integer == 1)
    #expect(try place(of: "Badge")?.coordinate == Coordinate(latitude: 52.5, longitude: 13.1))
    #expect(try place(of: "Badge")?.radius == 200)
    #expect(
      try place(of: "Bread")
        == StructuredLocation(
          title: "Bakery", coordinate: Coordinate(latitude: 52.4, longitude: 13.06), radius: 150))
    #expect(try fixture.ask("POST", "/undo", "{}").hasPrefix("200"))
    #expect(try place(of: "Badge") == before)
    #expect(try fixture.store.read { try $0.namedPlace("Office") }?.radius == 150)
  }

  @Test("A place gets another name in one step, unless another place has it")
  func rename() throws {
    let body = #"{"title":"Work","latitude":52.4,"longitude":13.06,"radius":150}"#
    let renamed = try fixture.json("PUT", "/places/Office", body)
    #expect(renamed["title"]?.text == "Work" && renamed["alarms_moved"]?.integer == 1)
    #expect(try place(of: "Badge")?.title == "Work")
    #expect(try fixture.store.read { try $0.namedPlaces().map(\.title) } == ["Work"])
    _ = try fixture.json("PUT", "/places/Home", #"{"latitude":52,"longitude":13}"#)
    #expect(try fixture.ask("PUT", "/places/Home", body).hasPrefix("409"))
    #expect(
      try fixture.ask("PUT", "/places/Home", #"{"title":" ","latitude":5,"longitude":1}"#).hasPrefix("400"))
  }
}
