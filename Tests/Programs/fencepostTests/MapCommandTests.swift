import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Maps in the terminal")
struct MapCommandTests {
  @Test("A map is imported, its places are found by kind with their opening hours, and it goes again")
  func maps() throws {
    let fixture = try CommandFixture()
    let map = fixture.directory.path("town.osm.pbf")
    try Data(MapFileWriter.town.bytes()).write(to: URL(fileURLWithPath: map))
    #expect(fixture.run("places", "maps").diagnostics.contains("No maps yet"))
    let imported = fixture.run("places", "import", map)
    #expect(imported.lines == ["imported 7 places; find them with 'fencepost places search'"])
    #expect(imported.diagnostics.contains("© OpenStreetMap contributors"))
    #expect(imported.diagnostics.contains("1 have no position in this file"))
    let found = fixture.run("places", "search", "Apotheke")
    #expect(found.output.contains("Löwen-Apotheke") && found.output.contains("Mo-Fr 08:00-18:00"))
    #expect(found.diagnostics.contains("© OpenStreetMap contributors"))
    let json = fixture.run("places", "search", "pharmacy", "--json").output
    #expect(json.contains(#""from":"map","kind":"amenity=pharmacy","opening_hours":"Mo-Fr 08:00-18:00""#))
    #expect(fixture.run("places", "maps").output.contains("town.osm.pbf"))
    #expect(fixture.run("places", "maps", "other", "--remove").code == .failure)
    #expect(fixture.run("places", "maps", "--remove").code == .misuse)
    #expect(fixture.run("places", "maps", "town.osm.pbf", "--remove").lines == ["removed town.osm.pbf"])
    #expect(fixture.run("places", "search", "pharmacy").output == "")
  }

  @Test("A damaged map is refused with what to do, and nothing of it stays")
  func damaged() throws {
    let fixture = try CommandFixture()
    let map = fixture.directory.path("town.osm.pbf")
    let bytes = MapFileWriter.town.bytes()
    try Data(bytes.dropLast(40)).write(to: URL(fileURLWithPath: map))
    let refused = fixture.run("places", "import", map)
    #expect(refused.code == .failure && refused.diagnostics.contains("town.osm.pbf: byte "))
    #expect(refused.diagnostics.contains("download it again"))
    #expect(fixture.run("places", "maps").output == "")
  }
}
