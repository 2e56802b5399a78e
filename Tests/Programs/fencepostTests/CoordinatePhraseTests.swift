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
}
