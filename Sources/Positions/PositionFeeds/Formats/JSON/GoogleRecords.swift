import FencepostJSON
internal import FencepostSpatiotemporal

/// `Records.json` of Google Takeout: each position that the phones of an account reported, until 2024.
///
/// Coordinates are in 10⁻⁷ degrees; the time is `timestamp`, or `timestampMs` in older exports. The device is
/// `deviceTag`.
enum GoogleRecords {
  /// A decoder of positions.
  static func makeDecoder() -> JSONDocumentDecoder {
    JSONDocumentDecoder(lists: ["locations"]) { scanner, _, write in
      position(&scanner).map(write)
    }
  }

  private static func position(_ scanner: inout JSONScanner) -> JSONReport? {
    guard scanner.enterObject() else { return nil }
    var report = JSONReport()
    while let key = scanner.nextKey() {
      if key == "latitudeE7" {
        report.latitude = GooglePlace.degrees(e7: &scanner)
      } else if key == "longitudeE7" {
        report.longitude = GooglePlace.degrees(e7: &scanner)
      } else if key == "timestamp" {
        report.hasTime = true
        report.time = scanner.string()?.timestamp
      } else if key == "timestampMs" {
        report.hasTime = true
        report.time = scanner.number().flatMap { Instant(secondsSince1970: $0 / 1000) }
      } else if key == "accuracy" {
        report.accuracy = scanner.number()
      } else if key == "altitude" {
        report.altitude = scanner.number()
      } else if key == "velocity" {
        report.speed = scanner.number()
      } else if key == "heading" {
        report.course = scanner.number()
      } else if key == "deviceTag" {
        report.device = scanner.scalar()
      } else {
        scanner.skipValue()
      }
    }
    return scanner.isBroken ? nil : report
  }
}
