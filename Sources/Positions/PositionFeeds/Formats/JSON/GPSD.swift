import FencepostAlgorithms
import FencepostJSON
internal import FencepostSpatiotemporal

/// gpsd's reports to its clients, one JSON object per line. (https://gpsd.io/gpsd_json.html)
///
/// Objects of class `TPV` are fixes if their mode is 2 or 3. `eph` is the accuracy, else `epx` and `epy` give
/// it. gpsd does not document the confidence, so the value stays as it is. Altitude is above the geoid. Raw
/// sentences between the objects, as gpspipe can write them, are skipped.
enum GPSD {
  /// A decoder of gpsd's lines.
  static func makeDecoder() -> JSONLinesDecoder { JSONLinesDecoder(read: read) }

  /// Whether `line` is a line of gpsd.
  static func recognises(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = JSONScanner(line)
    guard scanner.beginObject(), let key = scanner.nextKey(), key == "class" else { return false }
    return scanner.string() != nil
  }

  /// Whether `line`, a line of gpsd, only describes the device.
  static func describesDevice(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    var scanner = JSONScanner(line)
    guard scanner.beginObject(), scanner.nextKey() != nil else { return false }
    return scanner.string().map { $0 == "DEVICE" || $0 == "DEVICES" } ?? false
  }

  private static func read(_ line: UnsafeBufferPointer<UInt8>) -> JSONLinesDecoder.Outcome {
    if let first = line.first, first == ASCII.dollar || first == 0x21 || first == ASCII.hash { return .other }
    var scanner = JSONScanner(line)
    guard scanner.beginObject() else { return .malformed }
    var report = JSONReport()
    var isFix = false
    var errors: (east: Double?, north: Double?)
    var ellipsoidal: Double?
    while let key = scanner.nextKey() {
      if key == "class" {
        isFix = scanner.string().map { $0 == "TPV" } ?? false
        if !isFix { return .other }
      } else if key == "mode" {
        report.hasNoFix = (scanner.number() ?? 0) < 2
      } else if key == "time" {
        report.hasTime = true
        report.time = scanner.string()?.timestamp
      } else if key == "lat" {
        report.latitude = scanner.number()
      } else if key == "lon" {
        report.longitude = scanner.number()
      } else if key == "altMSL" {
        report.altitude = scanner.number()
      } else if key == "alt" {
        ellipsoidal = scanner.number()
      } else if key == "eph" {
        report.accuracy = scanner.number()
      } else if key == "epx" {
        errors.east = scanner.number()
      } else if key == "epy" {
        errors.north = scanner.number()
      } else if key == "speed" {
        report.speed = scanner.number()
      } else if key == "track" {
        report.course = scanner.number()
      } else {
        scanner.skipValue()
      }
    }
    guard !scanner.isBroken, scanner.isAtEnd() else { return .malformed }
    guard isFix else { return .other }
    report.altitude = report.altitude ?? ellipsoidal
    if report.accuracy == nil, let east = errors.east, let north = errors.north {
      report.accuracy = (east * east + north * north).squareRoot()
    }
    return .report(report)
  }
}
