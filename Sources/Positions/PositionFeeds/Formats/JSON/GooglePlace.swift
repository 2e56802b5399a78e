import FencepostAlgorithms
import FencepostJSON

/// Parses coordinates as Google's exports write them.
enum GooglePlace {
  /// Degrees from the next value, an integer in 10⁻⁷ degrees.
  static func degrees(e7 scanner: inout JSONScanner) -> Double? {
    scanner.scalar()?.withBytes { TraceAngle.degrees($0.span, scale: 1e-7, decimalComma: false) }
  }

  /// Parses the coordinate in `text`, such as `50.05°, 14.34°` or `geo:50.05,14.34`, into `report`.
  static func read(_ text: JSONText?, into report: inout JSONReport) {
    guard let (latitude, longitude) = text?.withBytes(pair) else { return }
    (report.latitude, report.longitude) = (latitude, longitude)
  }

  private static func pair(_ text: UnsafeBufferPointer<UInt8>) -> (latitude: Double?, longitude: Double?)? {
    var text = text
    if text.starts(with: "geo:".utf8) { text = UnsafeBufferPointer(rebasing: text.dropFirst(4)) }
    guard let comma = ASCII.index(of: ASCII.comma, in: text, from: 0) else { return nil }
    return (degrees(text[..<comma]), degrees(text[(comma + 1)...]))
  }

  private static func degrees(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
    let text = UnsafeBufferPointer(rebasing: text).span
    return TraceAngle.degrees(text.extracting(ASCII.trimmed(text)), scale: 1, decimalComma: false)
  }
}
