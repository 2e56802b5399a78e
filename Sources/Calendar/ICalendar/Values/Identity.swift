import FencepostCalendarModel

/// Identifiers that depend only on the file. Reading the same file again gives the same ones, so
/// acknowledgements and firings stay valid.
enum Identity {
  /// The identifier of an item: its UID, plus the occurrence of a detached item.
  static func item(uid: String, occurrence: CalendarTime?) -> Identifier<CalendarItem> {
    .init(rawValue: occurrence.map { "\(uid)/\(TimeValue.text($0))" } ?? uid)
  }

  /// The identifier of an item's alarm without a UID, from its index.
  static func alarm(_ index: Int, of item: CalendarItem) -> Identifier<Alarm> {
    .init(rawValue: "\(Identity.item(uid: item.uid, occurrence: item.detachment?.occurrence))#\(index)")
  }

  /// A UID for an item without one, from its text: FNV-1a in two lanes.
  static func uid(of bytes: [UInt8]) -> String {
    var lanes: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)
    for byte in bytes {
      lanes.0 = (lanes.0 ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      lanes.1 = (lanes.1 ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return "X-FENCEPOST-" + String(lanes.0, radix: 16) + String(lanes.1, radix: 16)
  }

  /// DTSTAMP of an item without a kept one. Without a METHOD it means the same as LAST-MODIFIED (RFC 5545,
  /// section 3.8.7.2), so it needs no clock.
  static func stamp(of item: CalendarItem) -> Instant {
    let stamp = item.lastModified ?? item.created ?? .epoch
    return Instant(seconds: stamp.wholeSeconds)
  }
}

/// Values without a meaning, for grammars that require a value.
enum Sentinel {
  /// The TRIGGER of alarms without a time. RFC 5545 requires one, and Apple writes this.
  static let time = CalendarTime.utc(
    CivilDateTime(year: 1976, month: 4, day: 1, hour: 0, minute: 55, second: 45))

  /// Marks a whole-day event without DTEND, which ends with that day (RFC 5545, section 3.6.1).
  static let noEnd = "DTEND:"

  /// The UID of an alarm's VLOCATION, which RFC 9073 requires.
  static func placeUID(of alarm: Alarm) -> String { "\(alarm.id.rawValue)/place" }
}

/// A DTEND with a time beside a DTSTART without one, or the other way round. The item's end has the form of
/// its start; the line is kept with the times that were read, and is written as it was while they hold.
enum ConvertedEnd {
  private static let mark = "DTEND;X-FENCEPOST-READ="

  static func isKept(_ line: String) -> Bool { line.hasPrefix(mark) }

  /// The line to keep.
  static func kept(_ line: ContentLine, start: CalendarTime, end: CalendarTime) -> String {
    "\(mark)\(times(start, end))\(line.text.dropFirst("DTEND".count))"
  }

  /// The file's line, if an event has the times that were read from it.
  static func line(of event: EventDetails, in kept: [String]) -> String? {
    guard let line = kept.first(where: isKept) else { return nil }
    let prefix = mark + times(event.start, event.end)
    return line.hasPrefix(prefix) ? "DTEND" + line.dropFirst(prefix.count) : nil
  }

  private static func times(_ start: CalendarTime, _ end: CalendarTime) -> String {
    "\(TimeValue.text(start))/\(TimeValue.text(end))"
  }
}
