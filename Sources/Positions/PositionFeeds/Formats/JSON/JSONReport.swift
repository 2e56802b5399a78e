internal import FencepostGeodesy
import FencepostJSON
internal import FencepostSpatiotemporal

/// The values of a position in a JSON object.
struct JSONReport {
  var latitude: Double?
  var longitude: Double?
  var time: Instant?
  /// Whether a time is present, even an invalid one.
  var hasTime = false
  /// Whether it reports that there is no position.
  var hasNoFix = false
  var accuracy: Double?
  var altitude: Double?
  var speed: Double?
  var course: Double?
  /// The charge of the device's battery in percent.
  var battery: Double?
  /// The device's name, in the record's bytes.
  var device: JSONText?
  /// Whether the path from the position before is unknown.
  var startsSegment = false
  /// The device's own conclusion about its place.
  var verdict: PhoneVerdict?
  /// Whether it reports that the device does not move.
  var isStill = false

  /// Whether it has no place.
  var isNowhere: Bool { latitude == nil && longitude == nil }

  /// The position, in range or not, or `nil`.
  var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }
}

/// Converts reports to fixes.
struct JSONReportWriter {
  private var devices = TraceDevices()
  /// Whether no report has become a fix yet.
  private(set) var isEmpty = true

  /// Puts the fix of `report`, or the reason why there is none, into `sink`.
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
        isStill: report.isStill, battery: Measurement.battery(report.battery)))
  }
}

extension JSONScanner {
  /// Reads an object of which one number counts; `nil` without it.
  mutating func number(of name: StaticString) -> Double? {
    guard enterObject() else { return nil }
    var found: Double?
    while let key = nextKey() {
      if key == name { found = number() } else { skipValue() }
    }
    return found
  }

  /// Reads the activity from a phone's motion sensors, a word or a list of words. Returns whether the phone
  /// does not move. A phone that is both stationary and driving is in a moving car.
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
