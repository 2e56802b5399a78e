import CalendarModel
import Glibc

/// Values that many rows say alike, so that each is made once, and its storage shared: names of zones, rules.
///
/// A connection's own. Memory: 128 values of at most 128 bytes each.
final class CommonValues {
  private var zones = Recent<TimeZoneID>()
  private var rules = Recent<RecurrenceRule>()

  /// The zone whose name `bytes` are.
  func zone(_ bytes: UnsafeRawBufferPointer) -> TimeZoneID {
    if let zone = zones[bytes] { return zone }
    let zone = TimeZoneID(rawValue: String(decoding: bytes, as: UTF8.self))
    zones[bytes] = zone
    return zone
  }

  /// The rule that `bytes` say; `nil` where they say none.
  func rule(_ bytes: UnsafeRawBufferPointer) -> RecurrenceRule? {
    if let rule = rules[bytes] { return rule }
    let rule = RecurrenceRule(stored: bytes)
    rules[bytes] = rule
    return rule
  }
}

/// Values by bytes: the one set last for each of 64 sums of these.
private struct Recent<Value> {
  private var slots: [(bytes: [UInt8], value: Value)?] = Array(repeating: nil, count: 64)
  private static var mostBytes: Int { 128 }

  subscript(bytes: UnsafeRawBufferPointer) -> Value? {
    get {
      guard let slot = slots[Self.slot(of: bytes)], slot.bytes.count == bytes.count,
        let start = bytes.baseAddress, memcmp(slot.bytes, start, bytes.count) == 0
      else { return nil }
      return slot.value
    }
    set {
      guard let newValue, bytes.count <= Self.mostBytes else { return }
      slots[Self.slot(of: bytes)] = (Array(bytes), newValue)
    }
  }

  private static func slot(of bytes: UnsafeRawBufferPointer) -> Int {
    var sum: UInt64 = 0
    for byte in bytes.prefix(mostBytes) { sum = sum &* 31 &+ UInt64(byte) }
    return Int((sum &* 0x9E37_79B9_7F4A_7C15) >> 58)
  }
}
