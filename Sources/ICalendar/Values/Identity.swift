import CalendarModel

/// Identifiers that follow from a file alone, so that reading the same file again gives the same ones: what
/// was acknowledged or has gone off is still known then.
enum Identity {
  /// An item's: its UID, and for a detached occurrence which one it is.
  static func item(uid: String, occurrence: CalendarTime?) -> Identifier<CalendarItem> {
    .init(rawValue: occurrence.map { "\(uid)/\(TimeValue.text($0))" } ?? uid)
  }

  /// That of the alarm at `index` of an item whose alarm has no UID of its own.
  static func alarm(_ index: Int, of item: CalendarItem) -> Identifier<Alarm> {
    .init(rawValue: "\(Identity.item(uid: item.uid, occurrence: item.detachment?.occurrence))#\(index)")
  }

  /// A UID for an item that has none, from its text: FNV-1a in two lanes.
  static func uid(of bytes: [UInt8]) -> String {
    var lanes: (UInt64, UInt64) = (0xCBF2_9CE4_8422_2325, 0x9E37_79B9_7F4A_7C15)
    for byte in bytes {
      lanes.0 = (lanes.0 ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
      lanes.1 = (lanes.1 ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }
    return "X-FENCEPOST-" + String(lanes.0, radix: 16) + String(lanes.1, radix: 16)
  }

  /// DTSTAMP of an item that kept none: without a METHOD it means the same as LAST-MODIFIED (RFC 5545,
  /// section 3.8.7.2), so that no clock is asked.
  static func stamp(of item: CalendarItem) -> Instant {
    let stamp = item.lastModified ?? item.created ?? .epoch
    return Instant(seconds: stamp.wholeSeconds)
  }
}
