import Algorithms
import JSON
internal import Spatiotemporal

/// OwnTracks' JSON, one message a line, or the recorder's `.rec` lines, which put the time of arrival and the topic
/// before it; or an array of messages, or the `data` of the recorder's own API. (https://owntracks.org/booklet/tech/json/)
///
/// Messages of type `location` are fixes, and so are those of type `transition`, which say where a phone was when it
/// crossed a boundary that it watches itself: `tst` is when, `vel` is kilometres an hour. What the phone concluded, from
/// `event`, `inrids`, `inregions` and `t`, goes with the fix as its verdict, with the region that `rid` or `wtst` names; and so
/// does whether it moves, from `motionactivities`. (`m` is how often it reports, not motion.) The device is the last two
/// parts of the topic (`user/device`), else the tracker id `tid`.
enum OwnTracks {
  /// A decoder of such lines.
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

  /// Whether `line` is such a line.
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

  /// Whether `message` is one whose content is encrypted.
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

  /// What the message says that the scanner is at.
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
        // When the waypoint was made. The transitions that the daemon publishes have none, and are not positions.
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

  /// What a message says of regions and visits, field by field.
  private struct Conclusion {
    var isTransition = false
    var event: JSONText?
    var trigger: JSONText?
    var region: JSONText?
    var stamp: Int64?
    /// The region that it is in: one of those that the phone was given, where there is such a one.
    private var inside: WaypointKey?
    /// The same by name: older apps give no keys.
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
