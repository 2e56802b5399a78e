internal import CalendarModel

/// Google Takeout's Semantic Location History, a file a month, until 2024: visits and ways between them.
///
/// A visit is a fix when it began and one when it ended, both at its place. A way is a fix at either end, and those of
/// its `simplifiedRawPath` between; its `waypointPath` has no times.
enum GoogleSemanticHistory {
  /// A decoder of visits and ways.
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

  /// Reads a visit or a way.
  private static func segment(_ scanner: inout JSONScanner, _ write: (JSONReport) -> Void) {
    guard scanner.enterObject() else { return }
    var start = JSONReport()
    var end = JSONReport()
    var path: JSONScanner?
    while let key = scanner.nextKey() {
      if key == "startLocation" {
        place(&scanner, &start)
      } else if key == "endLocation" {
        place(&scanner, &end)
      } else if key == "location" {
        place(&scanner, &start)
        (end.latitude, end.longitude) = (start.latitude, start.longitude)
      } else if key == "duration" {
        duration(&scanner, &start, &end)
      } else if key == "simplifiedRawPath" {
        path = scanner
        scanner.skipValue()
      } else {
        scanner.skipValue()
      }
    }
    guard !scanner.isBroken else { return }
    write(start)
    if var path { points(&path, write) }
    write(end)
  }

  /// Reads `{"latitudeE7": …, "longitudeE7": …}` with whatever else.
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
    report.time = scanner.scalar().flatMap { TraceTime.moment($0.span, scale: 0, decimalComma: false) }
  }

  /// Reads `{"points": [{"latE7": …, "lngE7": …, "timestamp": …}]}`.
  private static func points(_ scanner: inout JSONScanner, _ write: (JSONReport) -> Void) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      guard key == "points", scanner.enterArray() else {
        if !(key == "points") { scanner.skipValue() }
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
