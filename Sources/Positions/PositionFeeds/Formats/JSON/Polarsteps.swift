import FencepostJSON
internal import FencepostSpatiotemporal

/// Polarsteps' export of a trip, `locations.json`: objects with `lat`, `lon` and `time`, in seconds since
/// 1970 or RFC 3339. The list is in `locations` or at the top level.
enum Polarsteps {
  /// A decoder of positions.
  static func makeDecoder() -> JSONDocumentDecoder {
    JSONDocumentDecoder(lists: ["locations"]) { scanner, _, write in position(&scanner).map(write) }
  }

  private static func position(_ scanner: inout JSONScanner) -> JSONReport? {
    guard scanner.enterObject() else { return nil }
    var report = JSONReport()
    while let key = scanner.nextKey() {
      if key == "lat" {
        report.latitude = scanner.number()
      } else if key == "lon" || key == "lng" {
        report.longitude = scanner.number()
      } else if key == "time" {
        guard let text = scanner.scalar() else { continue }
        report.hasTime = true
        report.time = text.moment()
      } else {
        scanner.skipValue()
      }
    }
    return scanner.isBroken ? nil : report
  }
}
