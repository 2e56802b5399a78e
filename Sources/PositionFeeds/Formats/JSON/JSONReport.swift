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
  /// Whether it says that the device does not move.
  var isStill = false

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
        startsSegment: device.isNew || report.startsSegment, verdict: report.verdict,
        isStill: report.isStill))
  }
}

extension JSONScanner {
  /// Reads what a phone's motion sensors say, a word or a list of them: true where it does not move. A phone that is both
  /// stationary and driving lies in a car that moves.
  mutating func readIsStill() -> Bool {
    var words = self
    guard words.enterArray() else { return string()?.isStill ?? false }
    defer { self = words }
    var isStill = false
    var moves = false
    while words.nextElement() {
      guard let word = words.string() else { continue }
      if word.isStill { isStill = true } else if !(word == "unknown") { moves = true }
    }
    return isStill && !moves
  }
}

extension JSONText {
  fileprivate var isStill: Bool { withBytes { Measurement.isStill($0.span) } }
}
