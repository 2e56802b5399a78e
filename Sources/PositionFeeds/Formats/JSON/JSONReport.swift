internal import Geodesy
import JSON
internal import Spatiotemporal

/// What a JSON object says of a position.
struct JSONReport {
  var latitude: Double?
  var longitude: Double?
  var time: Instant?
  /// Whether a time is there, be it a wrong one.
  var hasTime = false
  /// Whether it says that there is no position.
  var hasNoFix = false
  var accuracy: Double?
  var altitude: Double?
  var speed: Double?
  var course: Double?
  /// The name of the device, which lies in the record.
  var device: JSONText?
  /// Whether the way from the position before is not known.
  var startsSegment = false
  /// What the device itself made of where it is.
  var verdict: PhoneVerdict?

  /// Whether it says nothing of a place.
  var isNowhere: Bool { latitude == nil && longitude == nil }

  /// Where it is, be it in range or not; `nil` where it does not say.
  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

/// Makes fixes of what JSON objects say.
struct JSONReportWriter {
  private var devices = TraceDevices()
  /// Whether nothing became a fix yet.
  private(set) var isEmpty = true

  /// Puts the fix that `report` makes into `sink`, or why it makes none.
  mutating func write(_ report: JSONReport, line: Int, _ sink: FixSink) {
    if report.hasNoFix { return sink.reject(.noFix, line: line) }
    guard let coordinate = report.coordinate, coordinate.isValid else {
      return sink.reject(.badCoordinate, line: line)
    }
    guard let time = report.time else { return sink.reject(report.hasTime ? .badTime : .noTime, line: line) }
    let found = devices.find(report.device?.written, sink) { name in
      JSONText(name, hasEscapes: report.device?.hasEscapes ?? false).string
    }
    guard let device = found else {
      return sink.reject(.tooManyDevices, line: line)
    }
    isEmpty = false
    sink.fixes.append(
      Fix(
        device: device.number, time: time, coordinate: coordinate,
        horizontalAccuracy: Measurement.accuracy(report.accuracy), altitude: report.altitude,
        speed: Measurement.speed(report.speed), course: Measurement.course(report.course),
        startsSegment: device.isNew || report.startsSegment, verdict: report.verdict))
  }
}
