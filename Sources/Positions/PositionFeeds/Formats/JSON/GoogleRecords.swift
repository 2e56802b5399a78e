import FencepostAlgorithms
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

/// Google Takeout's Semantic Location History, one file per month, until 2024: visits and journeys between
/// them.
///
/// A visit is a fix at its begin and one at its end, both at its place; without one, at the first of its
/// candidates. A journey is a fix at either end,
/// with the points of its `simplifiedRawPath` between. Its `waypointPath` has no times; its first or last
/// point replaces a missing place at that end.
enum GoogleSemanticHistory {
  /// A decoder of visits and journeys.
  static func makeDecoder() -> JSONDocumentDecoder {
    JSONDocumentDecoder(lists: ["timelineObjects"]) { scanner, _, write in
      guard scanner.enterObject() else { return }
      while let key = scanner.nextKey() {
        if key == "activitySegment" || key == "placeVisit" {
          segment(&scanner, write)
        } else {
          scanner.skipValue()
        }
      }
    }
  }

  /// Reads a visit or a journey.
  private static func segment(_ scanner: inout JSONScanner, _ write: (JSONReport) -> Void) {
    guard scanner.enterObject() else { return }
    var start = JSONReport()
    var end = JSONReport()
    var path: JSONScanner?
    var waypoints: JSONScanner?
    var candidates: JSONScanner?
    while let key = scanner.nextKey() {
      if key == "startLocation" {
        place(&scanner, &start)
      } else if key == "endLocation" {
        place(&scanner, &end)
      } else if key == "location" {
        place(&scanner, &start)
        (end.latitude, end.longitude) = (start.latitude, start.longitude)
        (start.verdict, end.verdict) = (PhoneVerdict(.visit), PhoneVerdict(.departure))
      } else if key == "otherCandidateLocations" {
        candidates = scanner
        scanner.skipValue()
      } else if key == "duration" {
        duration(&scanner, &start, &end)
      } else if key == "simplifiedRawPath" {
        path = scanner
        scanner.skipValue()
      } else if key == "waypointPath" {
        waypoints = scanner
        scanner.skipValue()
      } else {
        scanner.skipValue()
      }
    }
    guard !scanner.isBroken else { return }
    if start.isNowhere, end.isNowhere, var candidates, candidates.enterArray(), candidates.nextElement() {
      // The likeliest place comes first.
      place(&candidates, &start)
      (end.latitude, end.longitude) = (start.latitude, start.longitude)
      (start.verdict, end.verdict) = (PhoneVerdict(.visit), PhoneVerdict(.departure))
    }
    if start.isNowhere || end.isNowhere, var waypoints {
      var (first, last): (JSONReport?, JSONReport?)
      points(&waypoints, called: "waypoints") { point in
        first = first ?? point
        last = point
      }
      if start.isNowhere, let first { (start.latitude, start.longitude) = (first.latitude, first.longitude) }
      if end.isNowhere, let last { (end.latitude, end.longitude) = (last.latitude, last.longitude) }
    }
    // An end without a place is not a fix, unless the segment has nothing else: then it is rejected.
    if !start.isNowhere || end.isNowhere && path == nil { write(start) }
    if var path { points(&path, called: "points", write) }
    if !end.isNowhere { write(end) }
  }

  /// Reads `{"latitudeE7": …, "longitudeE7": …}`; other members are allowed.
  private static func place(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      if key == "latitudeE7" || key == "latE7" {
        report.latitude = GooglePlace.degrees(e7: &scanner)
      } else if key == "longitudeE7" || key == "lngE7" {
        report.longitude = GooglePlace.degrees(e7: &scanner)
      } else if key == "accuracyMeters" || key == "accuracyMetres" {
        report.accuracy = scanner.number()
      } else if key == "timestamp" || key == "timestampMs" {
        time(&scanner, &report)
      } else {
        scanner.skipValue()
      }
    }
  }

  private static func duration(
    _ scanner: inout JSONScanner, _ start: inout JSONReport, _ end: inout JSONReport
  ) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      if key == "startTimestamp" || key == "startTimestampMs" {
        time(&scanner, &start)
      } else if key == "endTimestamp" || key == "endTimestampMs" {
        time(&scanner, &end)
      } else {
        scanner.skipValue()
      }
    }
  }

  private static func time(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    report.hasTime = true
    report.time = scanner.scalar()?.moment()
  }

  /// Reads `{"points": [{"latE7": …, "lngE7": …, "timestamp": …}]}`, where `list` is `points`.
  private static func points(
    _ scanner: inout JSONScanner, called list: StaticString, _ write: (JSONReport) -> Void
  ) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      guard key == list, scanner.enterArray() else {
        if !(key == list) { scanner.skipValue() }
        continue
      }
      while scanner.nextElement() {
        var report = JSONReport()
        place(&scanner, &report)
        write(report)
      }
    }
  }
}

/// Parses coordinates as Google's exports write them.
enum GooglePlace {
  /// Degrees from the next value, an integer in 10⁻⁷ degrees.
  static func degrees(e7 scanner: inout JSONScanner) -> Double? {
    scanner.scalar()?.withBytes { TraceAngle.degrees($0.span, scale: 1e-7, decimalComma: false) }
  }

  /// Parses the coordinate in `text`, such as `50.05°, 14.34°` or `geo:50.05,14.34`, into `report`.
  static func read(_ text: JSONText?, into report: inout JSONReport) {
    guard let (latitude, longitude) = text?.withBytes(pair) else { return }
    (report.latitude, report.longitude) = (latitude, longitude)
  }

  private static func pair(_ text: UnsafeBufferPointer<UInt8>) -> (latitude: Double?, longitude: Double?)? {
    var text = text
    if text.starts(with: "geo:".utf8) { text = UnsafeBufferPointer(rebasing: text.dropFirst(4)) }
    guard let comma = ASCII.index(of: ASCII.comma, in: text, from: 0) else { return nil }
    return (degrees(text[..<comma]), degrees(text[(comma + 1)...]))
  }

  private static func degrees(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
    let text = UnsafeBufferPointer(rebasing: text).span
    return TraceAngle.degrees(text.extracting(ASCII.trimmed(text)), scale: 1, decimalComma: false)
  }
}
