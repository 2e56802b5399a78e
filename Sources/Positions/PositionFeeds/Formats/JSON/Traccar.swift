import FencepostJSON
internal import FencepostSpatiotemporal

/// The positions of Traccar's API, an array of objects. (https://www.traccar.org/api-reference/)
///
/// `fixTime` is the time at the device, `speed` is in knots. The device is the number `deviceId`. A position
/// that is not `valid` is `no_fix`.
enum Traccar {
  /// A decoder of positions.
  static func makeDecoder() -> JSONDocumentDecoder {
    JSONDocumentDecoder(lists: ["positions", "data"]) { scanner, _, write in
      position(&scanner).map(write)
    }
  }

  private static func position(_ scanner: inout JSONScanner) -> JSONReport? {
    guard scanner.enterObject() else { return nil }
    var report = JSONReport()
    var deviceTime: JSONText?
    var fixTime: JSONText?
    while let key = scanner.nextKey() {
      if key == "fixTime" {
        fixTime = scanner.string()
      } else if key == "deviceTime" {
        deviceTime = scanner.string()
      } else if key == "latitude" {
        report.latitude = scanner.number()
      } else if key == "longitude" {
        report.longitude = scanner.number()
      } else if key == "altitude" {
        report.altitude = scanner.number()
      } else if key == "speed" {
        report.speed = scanner.number().map { $0 * Measurement.knot }
      } else if key == "course" {
        report.course = scanner.number()
      } else if key == "accuracy" {
        report.accuracy = scanner.number()
      } else if key == "deviceId" {
        report.device = scanner.scalar()
      } else if key == "attributes" {
        report.battery = scanner.number(of: "batteryLevel")
      } else if key == "valid" {
        report.hasNoFix = scanner.scalar().map { $0 == "false" } ?? false
      } else {
        scanner.skipValue()
      }
    }
    guard !scanner.isBroken else { return nil }
    if let time = fixTime ?? deviceTime {
      report.hasTime = true
      report.time = time.timestamp
    }
    return report
  }
}

/// The messages of Traccar Client, objects with a device and its location.
/// (https://www.traccar.org/osmand/, "JSON")
///
/// Speed is in metres per second. A speed or course below 0 is unknown. A log of such messages is a trace.
enum TraccarClient {
  /// A decoder of messages.
  static func makeDecoder() -> JSONDocumentDecoder {
    JSONDocumentDecoder(lists: []) { scanner, _, write in message(&scanner).map(write) }
  }

  private static func message(_ scanner: inout JSONScanner) -> JSONReport? {
    guard scanner.enterObject() else { return nil }
    var report = JSONReport()
    while let key = scanner.nextKey() {
      if key == "device_id" {
        report.device = scanner.scalar()
      } else if key == "location" {
        location(&scanner, &report)
      } else {
        scanner.skipValue()
      }
    }
    return scanner.isBroken ? nil : report
  }

  private static func location(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      if key == "timestamp" {
        guard let text = scanner.scalar() else { continue }
        report.hasTime = true
        report.time = text.moment()
      } else if key == "coords" {
        coordinates(&scanner, &report)
      } else if key == "battery" {
        report.battery = scanner.number(of: "level").map { $0 * 100 }
      } else {
        scanner.skipValue()
      }
    }
  }

  private static func coordinates(_ scanner: inout JSONScanner, _ report: inout JSONReport) {
    guard scanner.enterObject() else { return }
    while let key = scanner.nextKey() {
      if key == "latitude" {
        report.latitude = scanner.number()
      } else if key == "longitude" {
        report.longitude = scanner.number()
      } else if key == "accuracy" {
        report.accuracy = scanner.number()
      } else if key == "altitude" {
        report.altitude = scanner.number()
      } else if key == "speed" {
        report.speed = scanner.number()
      } else if key == "heading" {
        report.course = scanner.number()
      } else {
        scanner.skipValue()
      }
    }
  }
}
