import FencepostJSON
internal import FencepostSpatiotemporal

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
