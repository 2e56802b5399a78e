import FencepostCalendarModel
import FencepostGeodesy
import FencepostSpatiotemporal
import Testing

@testable import FencepostInterchange

@Suite("Places as files")
struct PlaceExportTests {
  private var bakery: StructuredLocation {
    var place = StructuredLocation(
      title: "Bäcker <&> Söhne", coordinate: Coordinate(latitude: 52.5, longitude: 13.4), radius: 80)
    place.address = "Main Street 1"
    return place
  }
  private let meadow = StructuredLocation(
    title: "Meadow", coordinate: Coordinate(latitude: 51.05, longitude: 13.745),
    outline: [
      Polygon(exterior: [
        Coordinate(latitude: 51.05, longitude: 13.742), Coordinate(latitude: 51.05, longitude: 13.748),
        Coordinate(latitude: 51.054, longitude: 13.746),
      ])
    ])

  @Test("A place of a GPX file comes back with its name and radius")
  func gpx() throws {
    let read = try PlaceFile(Array(PlaceExport.gpx([bakery]).utf8))
    #expect(read.places.map(\.title) == [bakery.title])
    #expect(read.places.first?.coordinate == bakery.coordinate && read.places.first?.radius == 80)
  }

  @Test("GeoJSON has outlines too")
  func geoJSON() throws {
    let read = try PlaceFile(Array(PlaceExport.geoJSON([bakery, meadow]).utf8))
    #expect(read.places.map(\.title) == [bakery.title, "Meadow"])
    #expect(read.places.first?.radius == 80)
    #expect(read.places.last?.outline.first?.exterior.count == meadow.outline.first?.exterior.count)
  }

  @Test("Characters that XML does not allow are left out")
  func controls() throws {
    var odd = bakery
    odd.title = "A\u{1}B"
    #expect(try PlaceFile(Array(PlaceExport.gpx([odd]).utf8)).places.map(\.title) == ["AB"])
  }
}
