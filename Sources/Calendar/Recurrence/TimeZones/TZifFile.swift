import FencepostCalendarModel

/// A parsed compiled time zone file (TZif, RFC 8536).
///
/// Safe for any bytes: a malformed file gives `nil` and never traps, and the number of bytes limits all sizes.
struct TZifFile {
  var types: [ZoneRules.LocalTimeType]
  var transitions: [ZoneRules.Transition]
  var footer: POSIXTimeZone?

  /// Zones are at most 14 hours from UTC. RFC 8536 asks readers to accept ±26 hours.
  private static let offsets = -93_599...93_599

  private struct Header {
    static let size = 44
    var version: UInt8
    var isUTCount, isStandardCount, leapCount, timeCount, typeCount, characterCount: Int

    init?(_ bytes: ArraySlice<UInt8>) {
      guard bytes.count >= Self.size, bytes.starts(with: Array("TZif".utf8)) else { return nil }
      let base = bytes.startIndex
      version = bytes[base + 4]
      func count(_ index: Int) -> Int { Int(TZifFile.integer32(bytes, at: base + 20 + index * 4)) }
      isUTCount = count(0)
      isStandardCount = count(1)
      leapCount = count(2)
      timeCount = count(3)
      typeCount = count(4)
      characterCount = count(5)
      guard
        [isUTCount, isStandardCount, leapCount, timeCount, typeCount, characterCount].allSatisfy({
          (0...65_536).contains($0)
        })
      else { return nil }
    }

    /// The size of the following block, if times take `timeSize` bytes.
    func blockSize(timeSize: Int) -> Int {
      timeCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4)
        + isStandardCount + isUTCount
    }
  }

  init?(_ bytes: [UInt8]) {
    guard let first = Header(bytes[...]) else { return nil }
    var header = first
    var start = Header.size
    var timeSize = 4
    if first.version >= UInt8(ascii: "2") {
      // The first block has 32-bit times for old readers. The second one has the same data and more.
      let second = Header.size + first.blockSize(timeSize: 4)
      guard second <= bytes.count, let next = Header(bytes[second...]) else { return nil }
      header = next
      start = second + Header.size
      timeSize = 8
    }
    let end = start + header.blockSize(timeSize: timeSize)
    // Times with leap seconds ("right" files) are not POSIX times.
    guard end <= bytes.count, header.typeCount > 0, header.typeCount <= 256, header.leapCount == 0 else {
      return nil
    }
    let indices = start + header.timeCount * timeSize
    let typeStart = indices + header.timeCount
    let names = typeStart + header.typeCount * 6

    types = []
    for index in 0..<header.typeCount {
      let at = typeStart + index * 6
      let offset = Int(Self.integer32(bytes[...], at: at))
      let name = Int(bytes[at + 5])
      guard Self.offsets.contains(offset), name < max(1, header.characterCount) else { return nil }
      let text = bytes[(names + name)..<(names + header.characterCount)].prefix { $0 != 0 }.prefix(32)
      types.append(
        ZoneRules.LocalTimeType(
          offset: offset, isDaylight: bytes[at + 4] != 0, abbreviation: String(decoding: text, as: UTF8.self))
      )
    }

    transitions = []
    transitions.reserveCapacity(header.timeCount)
    var previous = Int64.min
    for index in 0..<header.timeCount {
      let at = start + index * timeSize
      let raw = timeSize == 8 ? Self.integer64(bytes, at: at) : Int64(Self.integer32(bytes[...], at: at))
      let type = Int(bytes[indices + index])
      guard type < types.count, index == 0 || raw > previous else { return nil }
      previous = raw
      let seconds = ZoneRules.clamped(raw)
      // Several may lie before the representable time; only the last one counts.
      if transitions.last?.seconds == seconds { transitions.removeLast() }
      transitions.append(ZoneRules.Transition(seconds: seconds, type: type))
    }

    if timeSize == 8, end < bytes.count, bytes[end] == UInt8(ascii: "\n") {
      let text = bytes[(end + 1)...].prefix { $0 != UInt8(ascii: "\n") }
      if !text.isEmpty {
        guard text.count < 256, let rule = POSIXTimeZone(text: String(decoding: text, as: UTF8.self)) else {
          return nil
        }
        footer = rule
      }
    }
  }

  /// The rules of the zone `id`.
  func rules(id: TimeZoneID) -> ZoneRules {
    ZoneRules(id: id, types: types, transitions: transitions, footer: footer)
  }

  private static func integer32(_ bytes: ArraySlice<UInt8>, at index: Int) -> Int32 {
    var value: UInt32 = 0
    for offset in 0..<4 { value = value << 8 | UInt32(bytes[index + offset]) }
    return Int32(bitPattern: value)
  }

  private static func integer64(_ bytes: [UInt8], at index: Int) -> Int64 {
    var value: UInt64 = 0
    for offset in 0..<8 { value = value << 8 | UInt64(bytes[index + offset]) }
    return Int64(bitPattern: value)
  }
}
