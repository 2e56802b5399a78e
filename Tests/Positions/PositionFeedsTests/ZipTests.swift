import FencepostPositionFeeds
import FencepostSpatiotemporal
import FencepostTestSupport
import Foundation
import Testing

/// Writes ZIP archives for tests.
struct ZipFile {
  /// The way a member is written.
  enum Style: CaseIterable {
    case stored, deflated, storedWithDescriptor, deflatedWithDescriptor, deflatedWithLongDescriptor
  }

  private(set) var bytes: [UInt8] = []

  /// Adds a member.
  mutating func add(_ name: String, _ content: [UInt8], _ style: Style = .deflated, flags: UInt16 = 0) throws
  {
    let hasDescriptor = style != .stored && style != .deflated
    let isStored = style == .stored || style == .storedWithDescriptor
    // gzip's format is deflate between a header of 10 bytes and a checksum with the length.
    let packed = isStored ? content : Array(try gzip(content).dropFirst(10).dropLast(8))
    let sum = ZipFile.sum(content)
    let sizes = [UInt32(packed.count), UInt32(content.count)]
    var header: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0]
    header +=
      ZipFile.little(flags | (hasDescriptor ? 8 : 0)) + ZipFile.little(UInt16(isStored ? 0 : 8))
    // The ZIP64 field: the sizes after the member have 8 bytes.
    let extra: [UInt8] =
      style == .deflatedWithLongDescriptor ? [1, 0, 16, 0] + [UInt8](repeating: 0, count: 16) : []
    let unknown = [UInt8](repeating: 0, count: 4) + [UInt8](repeating: extra.isEmpty ? 0 : 0xFF, count: 8)
    header +=
      [0, 0, 0, 0] + (hasDescriptor ? unknown : ZipFile.little(sum) + sizes.flatMap(ZipFile.little))
    header += ZipFile.little(UInt16(name.utf8.count)) + ZipFile.little(UInt16(extra.count))
    bytes += header + Array(name.utf8) + extra + packed
    switch style {
    case .storedWithDescriptor, .deflatedWithDescriptor:
      bytes += [0x50, 0x4B, 7, 8] + ZipFile.little(sum) + sizes.flatMap(ZipFile.little)
    case .deflatedWithLongDescriptor:
      bytes += ZipFile.little(sum) + sizes.flatMap { ZipFile.little(UInt64($0)) }
    default: break
    }
  }

  /// Changes a byte of the archive.
  mutating func patch(_ index: Int, _ byte: UInt8) { bytes[index] = byte }

  /// The archive with the start of a directory after it.
  var closed: [UInt8] { bytes + [0x50, 0x4B, 1, 2] + [UInt8](repeating: 0, count: 60) }

  private static func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Value(8 * $0)) }
  }

  private static func sum(_ content: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in content {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  /// `content`, compressed by gzip(1).
  private func gzip(_ content: [UInt8]) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Data(content), to: "content")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "-n", path]
    try process.run()
    process.waitUntilExit()
    return Array(try Data(contentsOf: URL(fileURLWithPath: path + ".gz")))
  }
}

@Suite("ZIP archives")
struct ZipTests {
  private func csv(_ times: ClosedRange<Int>) -> [UInt8] {
    Array(("time,lat,lon\n" + times.map { "\($0),1,2\n" }.joined()).utf8)
  }

  @Test("One trace in each form of packing", arguments: ZipFile.Style.allCases)
  func styles(style: ZipFile.Style) throws {
    var zip = ZipFile()
    try zip.add("walk.csv", csv(1...20_000), style)
    let reading = try Reading(bytes: zip.closed, name: "walk.zip")
    #expect(reading.fixes.map(\.time.wholeSeconds) == Array(1...20_000))
    #expect(reading.devices == ["walk"])
    #expect(reading.report.name == "walk.zip")
    #expect(reading.report.isCompressed)
    #expect(reading.report.fixes == 20_000)
    #expect(reading.report.interruption == nil)
  }

  @Test("Several traces of several formats, with other files between them")
  func several() throws {
    var zip = ZipFile()
    try zip.add("Takeout/", [], .stored)
    try zip.add("Takeout/readme.txt", Array("Dear Sir".utf8), .deflatedWithDescriptor)
    try zip.add("Takeout/a.csv", csv(1...2), .deflatedWithDescriptor)
    try zip.add("__MACOSX/._a.csv", csv(5...6), .stored)
    try zip.add("Takeout/picture.jpg", [0xFF, 0xD8, 0xFF, 0xE0], .stored)
    try zip.add("Takeout/timeless.csv", Array("time,lat,lon\n,1,2\n".utf8))
    try zip.add("secret.csv", csv(7...8), .stored, flags: 1)
    try zip.add(
      "Takeout/b/a.gpx",
      Array("<gpx><trk><trkpt lat='1' lon='2'><time>1970-01-01T00:00:03Z</time></trkpt></trk></gpx>".utf8),
      .deflatedWithLongDescriptor)
    let registry = DeviceRegistry()
    let reader = try TraceReader(bytes: zip.closed, name: "takeout.zip", devices: registry)
    let fixes = try reader.rest()
    #expect(
      fixes.map { "\(registry.name(of: $0.device)) \($0.time.wholeSeconds)" } == [
        "takeout/a 1", "takeout/a 2", "takeout/a-2 3",
      ])
    #expect(
      reader.reports.map(\.name) == [
        "takeout.zip/Takeout/a.csv", "takeout.zip/Takeout/timeless.csv", "takeout.zip/secret.csv",
        "takeout.zip/Takeout/b/a.gpx",
      ])
    #expect(reader.reports.map(\.format) == [.csv, .csv, nil, .gpx])
    #expect(
      reader.reports.compactMap(\.interruption?.description) == [
        "takeout.zip/Takeout/timeless.csv: has no times (1 point without one); a trace needs the time of each position",
        "takeout.zip/secret.csv: is encrypted; unpack it first",
      ])
    #expect(
      reader.report.interruption?.description
        == "takeout.zip/Takeout/timeless.csv: has no times (1 point without one); a trace needs the time of each position"
    )
    #expect(reader.report.fixes == 3)
  }

  @Test("A member that can't be unpacked is reported, and the others are read")
  func unreadableMembers() throws {
    var zip = ZipFile()
    try zip.add("a.csv", csv(1...2))
    let second = zip.bytes.count
    try zip.add("b.csv", csv(3...4), .stored)
    zip.patch(second + 8, 11)  // reserved
    let third = zip.bytes.count
    try zip.add("c.csv", csv(5...6))
    zip.patch(third + 35, 0xFF)  // not deflate
    try zip.add("d.csv", csv(7...8))
    for name in ["e", "f"] { try zip.add("\(name).csv", csv(9...9), flags: 1) }
    let registry = DeviceRegistry()
    let reader = try TraceReader(bytes: zip.closed, name: "x.zip", devices: registry)
    #expect(try reader.rest().map(\.time.wholeSeconds) == [1, 2, 7, 8])
    #expect(
      reader.reports.map { $0.interruption?.description ?? $0.name } == [
        "x.zip/a.csv", "x.zip/b.csv: is packed in a way that is not known; unpack it first",
        "x.zip/c.csv: does not inflate: its compressed data is damaged", "x.zip/d.csv",
        "x.zip/e.csv: is encrypted; unpack it first", "x.zip/f.csv: is encrypted; unpack it first",
      ])
  }

  @Test("A stored member with its size after it is read")
  func sizeAfter() throws {
    var zip = ZipFile()
    try zip.add("a.csv", csv(1...2))
    try zip.add("b.csv", csv(3...4), .storedWithDescriptor)
    try zip.add("c.csv", csv(5...6))
    let reading = try Reading(bytes: zip.closed, name: "x.zip")
    #expect(reading.fixes.map(\.time.wholeSeconds) == Array(1...6))
    #expect(reading.report.interruption == nil)
  }

  @Test("Names in other scripts than ASCII are kept")
  func names() throws {
    var zip = ZipFile()
    try zip.add("Länder/薬.csv", csv(1...2), flags: 1 << 11)
    try zip.add("Wälder.csv", csv(3...4))
    let reading = try Reading(bytes: zip.closed, name: "x.zip")
    #expect(reading.devices == ["x/薬", "x/Wälder"])
  }

  @Test("A document called doc, as in KMZ, has the archive's name as its device")
  func kmz() throws {
    var zip = ZipFile()
    let text =
      "<kml><gx:Track><when>2026-05-01T08:00:00Z</when><gx:coord>13.4 52.5 30</gx:coord></gx:Track></kml>"
    try zip.add("doc.kml", Array(text.utf8))
    #expect(try Reading(bytes: zip.closed, name: "walk.kmz").devices == ["walk"])
  }

  @Test("The months of Google's Semantic Location History are one device")
  func months() throws {
    var zip = ZipFile()
    for month in 4...5 {
      let text = """
        {"timelineObjects": [{"placeVisit": {
        "location": {"latitudeE7": 525000000, "longitudeE7": 134000000},
        "duration": {"startTimestamp": "2023-0\(month)-01T08:00:00Z", "endTimestamp": "2023-0\(month)-01T09:00:00Z"}}}]}
        """
      try zip.add("Takeout/Semantic Location History/2023/2023_\(month).json", Array(text.utf8))
    }
    let reading = try Reading(bytes: zip.closed, name: "takeout.zip")
    #expect(reading.fixes.count == 4)
    #expect(Set(reading.fixes.map(\.device)).count == 1)
    #expect(reading.devices == ["takeout"])
  }

  @Test("Archives without a trace say so")
  func none() throws {
    var one = ZipFile()
    try one.add("a.txt", Array("Dear Sir".utf8))
    #expect(
      message(one.closed, name: "a.zip")?.hasPrefix("a.zip/a.txt: is not a readable trace") == true)
    try one.add("b.pdf", Array("%PDF-1.4".utf8))
    #expect(message(one.closed, name: "a.zip") == "a.zip: is a ZIP archive without a trace among its 2 files")
    var secret = ZipFile()
    try secret.add("a.csv", csv(1...2), flags: 1)
    #expect(message(secret.closed, name: "a.zip") == "a.zip/a.csv: is encrypted; unpack it first")
  }

  @Test("A truncated or damaged archive keeps what came before")
  func damaged() throws {
    var zip = ZipFile()
    try zip.add("a.csv", csv(1...20_000))
    let first = zip.bytes.count
    try zip.add("b.csv", csv(1...9))
    let cut = try Reading(bytes: Array(zip.bytes[..<(first / 2)]), name: "a.zip")
    #expect(cut.fixes.count > 1000 && cut.fixes.count < 20_000)
    #expect(
      cut.report.interruption?.description
        == "a.zip/a.csv: ends in the middle of its compressed data: the file is truncated")
    let unclosed = try Reading(bytes: zip.bytes, name: "a.zip")
    #expect(unclosed.fixes.count == 20_009)
    #expect(
      unclosed.report.interruption?.description
        == "a.zip: ends in the middle of its compressed data: the file is truncated")
    var bytes = zip.closed
    bytes[14] ^= 1  // the checksum of the first
    let wrong = try Reading(bytes: bytes, name: "a.zip")
    #expect(wrong.fixes.count == 20_009)
    #expect(
      wrong.report.interruption?.description
        == "a.zip/a.csv: does not inflate: its compressed data is damaged")
    #expect(message(Array(zip.bytes[..<20]), name: "a.zip") != nil)
  }

  @Test("An archive cut or changed anywhere never crashes", arguments: 0..<4)
  func noise(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var zip = ZipFile()
    try zip.add("a.csv", csv(1...30), .deflatedWithDescriptor)
    try zip.add("b.csv", csv(1...9), .stored)
    for _ in 0..<300 {
      var bytes = Array(zip.closed[..<Int.random(in: 4...zip.closed.count, using: &random)])
      for _ in 0..<3 {
        bytes[Int.random(in: 4..<max(bytes.count, 5), using: &random) % bytes.count] ^= UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? Reading(bytes: bytes)
    }
  }
}
