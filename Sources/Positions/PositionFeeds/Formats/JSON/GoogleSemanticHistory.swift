import FencepostJSON
internal import FencepostSpatiotemporal

/// Google Takeout's Semantic Location History, one file per month, until 2024: visits and journeys between them.
///
/// A visit is a fix at its begin and one at its end, both at its place. A journey is a fix at either end, with the
/// points of its `simplifiedRawPath` between. Its `waypointPath` has no times; its first or last point replaces a
/// missing place at that end.
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
    while let key = scanner.nextKey() {
      if key == "startLocation" {
        place(&scanner, &start)
      } else if key == "endLocation" {
        place(&scanner, &end)
      } else if key == "location" {
        place(&scanner, &start)
        (end.latitude, end.longitude) = (start.latitude, start.longitude)
        (start.verdict, end.verdict) = (PhoneVerdict(.visit), PhoneVerdict(.departure))
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
