import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostGeodesy
import FencepostJSON
import FencepostTestSupport
import FencepostWebServer
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

  @Test("Places of maps are found after the own ones, with whose data they are, and no line means them")
  func maps() throws {
    let place = StoredMapPlace(
      key: "n1", name: "Officina", kind: "amenity=pharmacy",
      coordinate: Coordinate(latitude: 52.41, longitude: 13), radius: 200, address: "Main Street 5",
      openingHours: "24/7", words: "pharmacy Apotheke")
    try fixture.store.write { writer in
      let map = try writer.beginMap("town.osm.pbf", at: fixture.now)
      try writer.add([place], toMap: map)
      try writer.setMap(map, isComplete: true)
    }
    let found = try fixture.json("GET", "/places/find?text=offic")
    #expect(found["found"]?.list?.map { $0["from"]?.text } == ["place", "map"])
    #expect(found["attribution"]?.text == "© OpenStreetMap contributors")
    let pharmacy = try #require(try fixture.json("GET", "/places/find?text=apotheke")["found"]?.list?.first)
    #expect(pharmacy["kind"]?.text == "amenity=pharmacy" && pharmacy["opening_hours"]?.text == "24/7")
    #expect(pharmacy["address"]?.text == "Main Street 5" && pharmacy["radius"]?.number == 230)
    #expect(try fixture.json("GET", "/places/find?text=nowhere")["attribution"]?.isNull == true)
    // A line means one's own places only: which of many pharmacies it would be, nobody knows.
    let item = try fixture.json("POST", "/items", #"{"text":"Stamps @Officina"}"#)
    #expect(item["alarms"]?.list?.contains { $0["place"] != nil } != true)
    let (user, password) = try fixture.app.clients.add("guest", rights: [.read], lists: [])
    let asked = try fixture.ask(
      "GET", "/places/find?text=apotheke", headers: [WebAppFixture.basic(user, password)])
    #expect(asked.contains(#""found":[]"#))
  }
}
