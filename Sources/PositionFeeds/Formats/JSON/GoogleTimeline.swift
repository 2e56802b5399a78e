internal import Geodesy
import JSON
internal import Spatiotemporal

/// The timeline that Google's phones keep themselves since 2024: `Timeline.json` of Android, whose segments stand in
/// `semanticSegments` and whose raw positions in `rawSignals`, and `location-history.json` of iOS, an array of segments.
///
/// A visit is a fix when it began and one when it ended; a way (`activity`) is a fix at either end; a `timelinePath` is
/// its points, whose times iOS writes as minutes since the segment's start.
///
/// Segments come by their starts, and overlap: the points of a path of two hours stand before the visits within those. So
/// what a segment says waits until the next one starts, at most ``maximumWaiting`` reports. Android's raw positions come
/// last in the file and repeat its last weeks: they are the same device, so that those which the segments cover come late.
enum GoogleTimeline {
  /// How many reports wait at most for those before them.
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

  /// Reads a segment. Its times may come after what they are needed for.
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
      // What gives no fix is told at once, with its line.
      guard let time = report.time, report.coordinate?.isValid == true else { return write(report) }
      waiting.add(report, at: time, write)
    }
    // An end that is nowhere is none, unless there is nothing else.
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

  /// Reads `{"position": …}`; what else a phone senses is no position.
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
