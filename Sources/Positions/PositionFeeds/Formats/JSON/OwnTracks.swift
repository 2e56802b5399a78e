import FencepostAlgorithms
import FencepostJSON
internal import FencepostSpatiotemporal

/// OwnTracks' JSON messages: one per line; in the recorder's `.rec` lines, with the time of arrival and the
/// topic before the message; in an array; or in `data` of the recorder's API.
/// (https://owntracks.org/booklet/tech/json/)
///
/// Messages of type `location` are fixes. Those of type `transition` are too: they have the phone's place
/// when it crossed a boundary that it watches. `tst` is the time, `vel` is in kilometres per hour. `event`,
/// `inrids`, `inregions` and `t` give the fix's verdict, with the region in `rid` or `wtst`.
/// `motionactivities` says whether the phone moves. (`m` is how often it reports, not motion.) The device is
/// the last two parts of the topic (`user/device`), else the tracker id `tid`.
enum OwnTracks {
  /// A decoder of OwnTracks' lines.
  static func makeDecoder() -> JSONLinesDecoder {
    JSONLinesDecoder { line in
      guard let start = ASCII.index(of: 0x7B, in: line, from: 0) else { return .malformed }
      var scanner = JSONScanner(line, from: start)
      return message(&scanner)
    }
  }

  /// A decoder of messages in an array.
  static func makeDocumentDecoder() -> JSONDocumentDecoder {
    JSONDocumentDecoder(lists: ["data", "locations"]) { scanner, _, write in
      if case .report(let report) = message(&scanner) { write(report) }
    }
  }

  /// Whether `line` is a line of OwnTracks.
  static func recognises(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = ASCII.index(of: 0x7B, in: line, from: 0) else { return false }
    var scanner = JSONScanner(line, from: start)
    guard scanner.beginObject() else { return false }
    var isMessage = false
    while let key = scanner.nextKey() {
      if key == "_type" { isMessage = scanner.string() != nil } else { scanner.skipValue() }
    }
    return isMessage && !scanner.isBroken
  }

  /// Whether `message` is encrypted.
  static func isEncrypted(_ message: [UInt8]) -> Bool {
    message.withUnsafeBufferPointer { bytes in
      var scanner = JSONScanner(bytes)
      guard scanner.beginObject() else { return false }
      while let key = scanner.nextKey() {
        if key == "_type" { return scanner.string().map { $0 == "encrypted" } ?? false }
        scanner.skipValue()
      }
      return false
    }
  }

  /// Reads the message at the scanner.
  private static func message(_ scanner: inout JSONScanner) -> JSONLinesDecoder.Outcome {
    guard scanner.beginObject() else { return .malformed }
    var report = JSONReport()
    var isPosition = false
    var isOurs = false
    var conclusion = Conclusion()
    while let key = scanner.nextKey() {
      if key == "_type" {
        let type = scanner.string()
        conclusion.isTransition = type.map { $0 == "transition" } ?? false
        isPosition = conclusion.isTransition || type.map { $0 == "location" } ?? false
      } else if key == "wtst" {
        // The time at which the waypoint was created. The daemon's own transitions have 0, and are not
        // positions.
        let stamp = scanner.number()
        isOurs = stamp == 0
        conclusion.stamp = stamp.flatMap { Int64(exactly: $0.rounded()) }
      } else if key == "event" {
        conclusion.event = scanner.string()
      } else if key == "t" {
        conclusion.trigger = scanner.string()
      } else if key == "rid" {
        conclusion.region = scanner.string()
      } else if key == "inrids" {
        conclusion.readRegions(&scanner)
      } else if key == "inregions" {
        conclusion.readNames(&scanner)
      } else if key == "motionactivities" {
        report.isStill = scanner.readIsStill()
      } else if key == "lat" {
        report.latitude = scanner.number()
      } else if key == "lon" {
        report.longitude = scanner.number()
      } else if key == "tst" {
        report.hasTime = true
        report.time = scanner.number().flatMap { Instant(secondsSince1970: $0) }
      } else if key == "acc" {
        report.accuracy = scanner.number()
      } else if key == "alt" {
        report.altitude = scanner.number()
      } else if key == "vel" {
        report.speed = scanner.number().map { $0 / 3.6 }
      } else if key == "cog" {
        report.course = scanner.number()
      } else if key == "batt" {
        report.battery = scanner.number()
      } else if key == "tid" {
        let tracker = scanner.string()
        report.device = report.device ?? tracker
      } else if key == "topic" {
        // `user/device` of `base/user/device[/…]`.
        let device = scanner.string()?.parts(1, through: 2, separator: ASCII.slash)
        report.device = device ?? report.device
      } else {
        scanner.skipValue()
      }
    }
    guard !scanner.isBroken, scanner.isAtEnd() else { return .malformed }
    guard isPosition, !isOurs else { return .other }
    report.verdict = conclusion.verdict
    return .report(report)
  }

  /// The fields of a message about regions and visits.
  private struct Conclusion {
    var isTransition = false
    var event: JSONText?
    var trigger: JSONText?
    var region: JSONText?
    var stamp: Int64?
    /// A region that the device is in, preferably one that has this store's key.
    private var inside: WaypointKey?
    /// The same by name, for older apps without keys.
    private var insideByName: WaypointKey?

    var verdict: PhoneVerdict? {
      if isTransition {
        guard let event else { return nil }
        let key = region.map { WaypointKey(text: $0.string) } ?? stamp.map { WaypointKey(stamp: $0) }
        return event == "enter"
          ? PhoneVerdict(.enter, of: key) : event == "leave" ? PhoneVerdict(.leave, of: key) : nil
      }
      if let trigger {
        if trigger == "v" { return PhoneVerdict(.visit) }
        if trigger == "c" || trigger == "C" || trigger == "b" { return PhoneVerdict(.wakened) }
      }
      return (inside ?? insideByName).map { PhoneVerdict(.inside, of: $0) }
    }

    mutating func readNames(_ scanner: inout JSONScanner) {
      guard scanner.enterArray() else { return }
      while scanner.nextElement() {
        guard let name = scanner.string() else { continue }
        insideByName = insideByName ?? WaypointKey(name: name.string)
      }
    }

    mutating func readRegions(_ scanner: inout JSONScanner) {
      guard scanner.enterArray() else { return }
      while scanner.nextElement() {
        guard let text = scanner.string() else { continue }
        let key = WaypointKey(text: text.string)
        if inside?.fence == nil { inside = key }
      }
    }
  }
}
