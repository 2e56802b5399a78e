import FencepostGeodesy
import FencepostPhrases
import Testing

@testable import fencepost

@Suite("Coordinates on the command line")
struct CoordinatePhraseTests {
  @Test(
    "Valid coordinates",
    arguments: [
      ("52.5,13.4", 52.5, 13.4), ("52.5, 13.4", 52.5, 13.4), ("-33.86,151.2", -33.86, 151.2),
      ("geo:52.5,13.4", 52.5, 13.4), ("geo:52.5,13.4,30;u=20", 52.5, 13.4), ("90,-180", 90, -180),
      ("52°30'N 13°24'E", 52.5, 13.4), ("https://www.openstreetmap.org/#map=16/52.5/13.4", 52.5, 13.4),
    ])
  func coordinates(text: String, latitude: Double, longitude: Double) throws {
    let coordinate = try CoordinatePhrase.coordinate(text)
    #expect(coordinate.latitude == latitude)
    #expect(coordinate.longitude == longitude)
  }

  @Test(
    "Invalid coordinates", arguments: ["", "52.5", "91,0", "0,181", "nan,0", "a,b", "1,2,3"])
  func noCoordinate(text: String) {
    #expect(throws: WordError.self) { try CoordinatePhrase.coordinate(text) }
  }

  @Test("Numbers in the wrong order are noticed if only the other order is near the user's places")
  func swapped() throws {
    let fixture = try CommandFixture()
    fixture.run("places", "add", "Home", "52.5,13.4")
    #expect(fixture.run("add", "Milk", "--arrive", "13.4,52.4").diagnostics.contains("did you mean that?"))
    #expect(fixture.run("places", "add", "Shop", "13.41,52.51").diagnostics.contains("52.51,13.41 is near"))
    // Far away in both orders, and near.
    for place in ["-33.86,151.2", "52.4,13.3"] {
      #expect(!fixture.run("add", "Milk", "--arrive", place).diagnostics.contains("did you mean"), "\(place)")
    }
  }
}
