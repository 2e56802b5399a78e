internal import FencepostGeodesy
import FencepostJSON
internal import FencepostSpatiotemporal

/// The timeline that Google's phones keep since 2024. Android's `Timeline.json` has segments in
/// `semanticSegments` and raw positions in `rawSignals`. The `location-history.json` of iOS is an array of
/// segments.
///
/// A visit is a fix at its begin and one at its end. A journey (`activity`) is a fix at either end. A
/// `timelinePath` is its points; iOS writes their times as minutes since the segment's start.
///
/// Segments are sorted by start and overlap: the points of a path of two hours come before the visits within
/// them. So the reports of a segment wait until a later segment starts, at most ``maximumWaiting`` of them.
/// Android's raw positions come last in the file and repeat its last weeks. They are from the same device, so
/// positions that the segments cover count as late.
enum GoogleTimeline {
  /// The maximum number of reports that wait.
  static let maximumWaiting = 10_000

  /// A decoder of segments and raw positions.
  static func makeDecoder() -> JSONDocumentDecoder {
    let waiting = WaitingReports(maximum: maximumWaiting)
    return JSONDocumentDecoder(lists: ["semanticSegments", "rawSignals"]) { scanner, list, write in
      if list == 1 {
        waiting.release(through: .distantFuture, write)
        signal(&scanner, write)
      } else {
        segment(&scanner, waiting, write)
      }
    } conclude: { write in
      waiting.release(through: .distantFuture, write)
    }
  }

  // MARK: Segments

  /// Reads a segment. Its times may come after values that need them.
  private static func segment(
    _ scanner: inout JSONScanner, _ waiting: WaitingReports, _ write: (JSONReport) -> Void
  ) {
    guard scanner.enterObject() else { return }
    var start = JSONReport()
    var end = JSONReport()
    var path: JSONScanner?
    var isFix = false
    while let key = scanner.nextKey() {
      if key == "startTime" {
        time(&scanner, &start)
      } else if key == "endTime" {
        time(&scanner, &end)
      } else if key == "timelinePath" {
        path = scanner
        scanner.skipValue()
      } else if key == "visit" {
        isFix = true
        visit(&scanner, &start)
        (end.latitude, end.longitude) = (start.latitude, start.longitude)
        (start.verdict, end.verdict) = (PhoneVerdict(.visit), PhoneVerdict(.departure))
      } else if key == "activity" {
        isFix = true
        activity(&scanner, &start, &end)
      } else {
        scanner.skipValue()
      }
    }
    guard !scanner.isBroken else { return }
    if let time = start.time { waiting.release(through: time, write) }
    func wait(_ report: JSONReport) {
      // Report a value without a fix at once, while its line is known.
      guard let time = report.time, report.coordinate?.isValid == true else { return write(report) }
      waiting.add(report, at: time, write)
    }
    // An end without a place is not a fix, unless the segment has nothing else: then it is rejected.
    if isFix, !start.isNowhere || end.isNowhere && path == nil { wait(start) }
    if var path { points(&path, since: start.time, wait) }
    if isFix, !end.isNowhere { wait(end) }
  }

  private static func time(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    report.hasTime = true
    report.time = scanner.string()?.timestamp
  }

  /// Reads `{"topCandidate": {"placeLocation": …}}`.
  private static func visit(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      guard key == "topCandidate" else {
        scanner.skipValue()
        continue
      }
      guard scanner.enterObject() else { continue }
      while let key = scanner.nextKey() {
        if key == "placeLocation" { place(&scanner, &report) } else { scanner.skipValue() }
      }
    }
  }

  private static func activity(
    _ scanner: inout JSONScanner, _ start: inout JSONReport, _ end: inout JSONReport
  ) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      if key == "start" {
        place(&scanner, &start)
      } else if key == "end" {
        place(&scanner, &end)
      } else {
        scanner.skipValue()
      }
    }
  }

  /// Reads a place: a string (iOS), or an object with `latLng` (Android).
  private static func place(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    guard scanner.beginObject() else { return GooglePlace.read(scanner.string(), into: &report) }
    while let key = scanner.nextKey() {
      if key == "latLng" { GooglePlace.read(scanner.string(), into: &report) } else { scanner.skipValue() }
    }
  }

  private static func points(
    _ scanner: inout JSONScanner, since start: Instant?, _ write: (JSONReport) -> Void
  ) {
    guard scanner.enterArray() else { return }
    while scanner.nextElement() {
      var report = JSONReport()
      guard scanner.enterObject() else { continue }
      while let key = scanner.nextKey() {
        if key == "point" {
          GooglePlace.read(scanner.string(), into: &report)
        } else if key == "time" {
          time(&scanner, &report)
        } else if key == "durationMinutesOffsetFromStartTime" {
          report.hasTime = true
          if let minutes = scanner.number() { report.time = start?.adding(seconds: minutes * 60) }
        } else {
          scanner.skipValue()
        }
      }
      write(report)
    }
  }

  // MARK: Raw signals

  /// Reads `{"position": …}`. Other signals are not positions.
  private static func signal(_ scanner: inout JSONScanner, _ write: (JSONReport) -> Void) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      guard key == "position" else {
        scanner.skipValue()
        continue
      }
      guard scanner.enterObject() else { continue }
      var report = JSONReport()
      while let key = scanner.nextKey() {
        if key == "LatLng" || key == "latLng" {
          GooglePlace.read(scanner.string(), into: &report)
        } else if key == "timestamp" {
          time(&scanner, &report)
        } else if key == "accuracyMeters" {
          report.accuracy = scanner.number()
        } else if key == "altitudeMeters" {
          report.altitude = scanner.number()
        } else if key == "speedMetersPerSecond" {
          report.speed = scanner.number()
        } else {
          scanner.skipValue()
        }
      }
      write(report)
    }
  }
}
