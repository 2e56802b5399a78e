import FencepostGeocoding
import FencepostGeodesy
import FencepostPhrases

/// A coordinate on the command line, in any form that ``Geocoding/CoordinateText`` reads.
enum CoordinatePhrase {
  static func coordinate(_ text: String) throws(WordError) -> Coordinate {
    switch CoordinateText.read(text) {
    case .coordinate(let coordinate): return coordinate
    case .outOfRange:
      throw WordError(
        "coordinate", text, try: "latitude (-90 to 90) first, then longitude (-180 to 180)")
    case .none:
      throw WordError(
        "coordinate", text, try: "LATITUDE,LONGITUDE in degrees, such as 52.5208,13.4094, or a link of a map")
    }
  }
}
