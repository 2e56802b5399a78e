import FencepostAlgorithms

/// The kind of a file that is not a readable trace.
public struct ForeignContent: Sendable, Hashable, CustomStringConvertible {
  /// The kind, as the words after "is".
  public var what: String
  /// What to do about it; `nil` if there is no advice.
  public var advice: String?

  /// The kind and what to do.
  public var description: String {
    advice.map { "is \(what); \($0)" } ?? "is \(what), not a trace"
  }
}

// Common files that are not readable traces.

extension ForeignContent {
  /// Formats with a signature at the start.
  private static let magics: [(bytes: [UInt8], content: ForeignContent)] = [
    ([0xFF, 0xD8, 0xFF], ForeignContent(what: "a JPEG image")),
    ([0x89, 0x50, 0x4E, 0x47], ForeignContent(what: "a PNG image")),
    ([0x25, 0x50, 0x44, 0x46], ForeignContent(what: "a PDF document")),
    ([0x47, 0x49, 0x46, 0x38], ForeignContent(what: "a GIF image")),
    (
      [0x50, 0x4B, 0x03, 0x04],
      ForeignContent(what: "a ZIP archive in a compressed file", advice: "unpack it and name what is in it")
    ),
    ([0x50, 0x4B, 0x05, 0x06], ForeignContent(what: "an empty ZIP archive")),
    (
      [0x42, 0x5A, 0x68],
      ForeignContent(what: "compressed with bzip2", advice: "unpack it, or pipe it in: bzcat FILE | … -")
    ),
    (
      [0xFD, 0x37, 0x7A, 0x58, 0x5A],
      ForeignContent(what: "compressed with xz", advice: "unpack it, or pipe it in: xzcat FILE | … -")
    ),
    (
      [0x28, 0xB5, 0x2F, 0xFD],
      ForeignContent(what: "compressed with zstd", advice: "unpack it, or pipe it in: zstdcat FILE | … -")
    ),
    ([0x7F, 0x45, 0x4C, 0x46], ForeignContent(what: "a program")),
    (Array("SQLite format 3".utf8), ForeignContent(what: "an SQLite database")),
    (
      Array("BEGIN:VCALENDAR".utf8),
      ForeignContent(what: "an iCalendar file", advice: "name it with --reminders, or import it")
    ),
  ]

  /// Recognises `head` by its first bytes.
  static func known(byMagicOf head: UnsafeBufferPointer<UInt8>) -> ForeignContent? {
    if let found = magics.first(where: { head.starts(with: $0.bytes) }) { return found.content }
    return nil
  }

  /// Recognises `head` by its content. Called after all readable formats fail.
  static func known(byContentOf head: UnsafeBufferPointer<UInt8>) -> ForeignContent? {
    if let receiver = known(byFramesIn: head) { return receiver }
    switch head.first(where: { !ASCII.isBlank($0) }) {
    case 0x7B?, 0x5B?:  // { [
      return ForeignContent(
        what: "JSON of an unknown kind",
        advice: "convert it to GeoJSON with times in its features, or to CSV")
    default: break
    }
    return head.contains(0) ? ForeignContent(what: "binary data") : nil
  }

  /// Recognises a receiver's `head` by its content beside text.
  static func known(byBinaryIn head: UnsafeBufferPointer<UInt8>) -> ForeignContent? {
    if let receiver = known(byFramesIn: head) { return receiver }
    guard head.contains(where: { $0 < 0x20 && !ASCII.isBlank($0) }) else { return nil }
    return ForeignContent(
      what: "a receiver's binary data", advice: "convert it to NMEA 0183 with gpsdecode or gpsbabel first")
  }

  /// Recognises `head` by the frames of receivers in it.
  private static func known(byFramesIn head: UnsafeBufferPointer<UInt8>) -> ForeignContent? {
    // SiRF frames run from A0 A2 to B0 B3; a log holds one after the other.
    if contains([0xB0, 0xB3, 0xA0, 0xA2], head) {
      return ForeignContent(
        what: "SiRF binary",
        advice: "convert it to NMEA 0183 with gpsdecode or gpsbabel first, or let the receiver write NMEA")
    }
    if contains([0xB5, 0x62, 0x01], head) || contains([0xB5, 0x62, 0x0A], head) {
      return ForeignContent(
        what: "u-blox UBX binary", advice: "convert it to NMEA 0183 first, or let the receiver write NMEA")
    }
    return nil
  }

  /// An XML document with the first element `root`.
  static func otherXML(root: String?) -> ForeignContent {
    switch root?.lowercased() {
    case "html"?: ForeignContent(what: "a web page")
    case nil: ForeignContent(what: "XML without an element")
    default:
      ForeignContent(what: "XML, but not GPX, KML or TCX: its first element is <\((root ?? "").prefix(60))>")
    }
  }

  private static func contains(_ pattern: [UInt8], _ head: UnsafeBufferPointer<UInt8>) -> Bool {
    guard head.count >= pattern.count else { return false }
    return (0...head.count - pattern.count).contains {
      head[$0] == pattern[0] && head[$0...].starts(with: pattern)
    }
  }
}
