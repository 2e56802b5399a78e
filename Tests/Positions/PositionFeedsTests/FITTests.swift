import FencepostPositionFeeds
import FencepostSpatiotemporal
import Testing

/// Writes FIT files for tests.
struct FITFile {
  private var body: [UInt8] = []

  /// Defines messages of local type `local`: fields as number, size and base type; developer fields by size.
  mutating func define(
    _ local: UInt8, message: UInt16, _ fields: [(UInt8, UInt8, UInt8)], bigEndian: Bool = false,
    developer: [UInt8] = []
  ) {
    let number =
      bigEndian ? [UInt8(message >> 8), UInt8(message & 255)] : [UInt8(message & 255), UInt8(message >> 8)]
    body +=
      [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, bigEndian ? 1 : 0] + number + [UInt8(fields.count)]
    for (field, size, type) in fields { body += [field, size, type] }
    if developer.isEmpty { return }
    body.append(UInt8(developer.count))
    for (index, size) in developer.enumerated() { body += [UInt8(index), size, 0] }
  }

  /// A message of local type `local`; with `timeOffset`, one whose header holds five bits of the time.
  mutating func message(_ local: UInt8, timeOffset: UInt8? = nil, _ values: [[UInt8]]) {
    body.append(timeOffset.map { 0x80 | local << 5 | $0 } ?? local)
    for value in values { body += value }
  }

  /// The whole file, with its length and checksum.
  func bytes(wrongSum: Bool = false, omitsLength: Bool = false) -> [UInt8] {
    let length = omitsLength ? 0 : UInt32(body.count)
    let whole = [14, 0x20, 0, 0] + FITFile.little(length) + Array(".FIT".utf8) + [0, 0] + body
    var sum: UInt16 = 0
    for byte in whole {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    if omitsLength { return whole }
    if wrongSum { sum ^= 1 }
    return whole + [UInt8(sum & 255), UInt8(sum >> 8)]
  }

  static func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 255) } }
  static func big(_ value: UInt32) -> [UInt8] { little(value).reversed() }
  /// Degrees as semicircles.
  static func semicircles(_ degrees: Double) -> UInt32 {
    UInt32(bitPattern: Int32((degrees / 180 * 2_147_483_648).rounded()))
  }
  /// 2026-05-01T08:00:00Z in FIT's seconds.
  static let eight: UInt32 = 1_777_622_400 - 631_065_600
}

@Suite("FIT")
struct FITTests {
  private static let position: [(UInt8, UInt8, UInt8)] = [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)]

  private func position(_ time: UInt32, _ latitude: Double, _ longitude: Double) -> [[UInt8]] {
    [
      FITFile.little(time), FITFile.little(FITFile.semicircles(latitude)),
      FITFile.little(FITFile.semicircles(longitude)),
    ]
  }

  @Test("Records in both byte orders, with other messages between them")
  func records() throws {
    var file = FITFile()
    file.define(0, message: 0, [(0, 1, 0), (8, 7, 7)])
    file.message(0, [[4], Array("Garmin\0".utf8)])
    file.define(
      1, message: 20, FITTests.position + [(2, 2, 0x84), (6, 2, 0x84), (31, 1, 2), (3, 1, 2)],
      developer: [2, 3])
    file.message(
      1, position(FITFile.eight, 45, 22.5) + [[0x50, 0x0A], [0xE8, 3], [7], [120], [1, 2], [3, 4, 5]])
    file.message(
      1,
      position(FITFile.eight + 1, -45, -90) + [
        [0xFF, 0xFF], [0xFF, 0xFF], [0xFF], [120], [1, 2], [3, 4, 5],
      ])
    file.define(
      2, message: 20, [(0, 4, 0x85), (1, 4, 0x85), (78, 4, 0x86), (73, 4, 0x86), (253, 4, 0x86)],
      bigEndian: true)
    file.message(
      2,
      [
        FITFile.big(FITFile.semicircles(45)), FITFile.big(FITFile.semicircles(90)), FITFile.big(2640),
        FITFile.big(2500), FITFile.big(FITFile.eight + 2),
      ])
    let reading = try Reading(bytes: file.bytes(), name: "run.fit")
    #expect(
      reading.lines == [
        "| 2026-05-01T08:00:00Z 45.0,22.5 ±7.0 alt 28.0 v 1.0", "2026-05-01T08:00:01Z -45.0,-90.0",
        "2026-05-01T08:00:02Z 45.0,90.0 alt 28.0 v 2.5",
      ])
    #expect(reading.report.format == .fit)
    #expect(reading.rejections.isEmpty)
    #expect(reading.devices == ["run"])
  }

  @Test("Headers with five bits of the time, and timers that restart")
  func compressedTimes() throws {
    var file = FITFile()
    file.define(0, message: 20, FITTests.position)
    file.define(1, message: 20, [(0, 4, 0x85), (1, 4, 0x85)])
    file.define(2, message: 21, [(253, 4, 0x86), (0, 1, 0), (1, 1, 0)])
    file.message(0, position(FITFile.eight, 45, 22.5))
    let here = [FITFile.little(FITFile.semicircles(45)), FITFile.little(FITFile.semicircles(22.5))]
    let bits = UInt8(FITFile.eight & 31)
    file.message(1, timeOffset: (bits + 5) & 31, here)
    file.message(1, timeOffset: (bits + 30) & 31, here)
    file.message(1, timeOffset: (bits + 4) & 31, here)  // six seconds later, after the five bits wrap
    file.message(2, [FITFile.little(FITFile.eight + 60), [0], [4]])
    file.message(2, [FITFile.little(FITFile.eight + 90), [0], [0]])
    file.message(1, timeOffset: UInt8((FITFile.eight + 91) & 31), here)
    #expect(
      try Reading(bytes: file.bytes()).lines == [
        "| 2026-05-01T08:00:00Z 45.0,22.5", "2026-05-01T08:00:05Z 45.0,22.5",
        "2026-05-01T08:00:30Z 45.0,22.5",
        "2026-05-01T08:00:36Z 45.0,22.5", "| 2026-05-01T08:01:31Z 45.0,22.5",
      ])
  }

  @Test("Records without a signal, a time or a valid coordinate are counted by their message")
  func rejected() throws {
    var file = FITFile()
    file.define(0, message: 20, FITTests.position)
    file.message(
      0, [FITFile.little(FITFile.eight), FITFile.little(0x7FFF_FFFF), FITFile.little(0x7FFF_FFFF)])
    file.message(0, position(0xFFFF_FFFF, 1, 2))
    file.message(0, position(5, 1, 2))
    file.message(0, position(FITFile.eight, 135, 2))
    file.message(0, position(FITFile.eight, 45, 45))
    let reading = try Reading(bytes: file.bytes(wrongSum: true))
    #expect(reading.lines == ["| 2026-05-01T08:00:00Z 45.0,45.0"])
    #expect(
      reading.rejections == [
        "bad_checksum:1@5", "bad_coordinate:1@4", "bad_time:1@3", "no_fix:1@1", "no_time:1@2",
      ])
  }

  @Test("Several files, padding, and a missing length")
  func chained() throws {
    var file = FITFile()
    file.define(0, message: 20, FITTests.position)
    file.message(0, position(FITFile.eight, 45, 45))
    var other = FITFile()
    other.define(0, message: 20, FITTests.position)
    other.message(0, position(FITFile.eight + 9, 45, 90))
    let both = ["| 2026-05-01T08:00:00Z 45.0,45.0", "| 2026-05-01T08:00:09Z 45.0,90.0"]
    #expect(try Reading(bytes: file.bytes() + other.bytes()).lines == both)
    #expect(try Reading(bytes: file.bytes() + other.bytes(omitsLength: true)).lines == both)
    for count in [1, 11, 12, 13] {
      let padded = try Reading(bytes: file.bytes() + [UInt8](repeating: 0, count: count))
      #expect(padded.lines == [both[0]])
      #expect(padded.rejections.isEmpty)
    }
    #expect(try Reading(bytes: file.bytes() + [14, 0]).report.interruption?.problem == .truncated)
  }

  @Test(
    "Times of the watch's own clock become UTC by the file's correlation, which may come late",
    arguments: [true, false])
  func correlation(comesFirst: Bool) throws {
    var file = FITFile()
    file.define(0, message: 20, FITTests.position)
    file.define(1, message: 162, [(253, 4, 0x86), (1, 4, 0x86)])
    let tell = [FITFile.little(FITFile.eight + 10), FITFile.little(1010)]
    if comesFirst { file.message(1, tell) }
    file.message(0, position(1000, 45, 45))
    file.message(0, position(1001, 45, 45))
    if !comesFirst { file.message(1, tell) }
    file.message(0, position(1002, 45, 45))
    file.message(0, position(FITFile.eight + 3, 45, 45))
    let reading = try Reading(bytes: file.bytes())
    #expect(
      reading.fixes.map { $0.time.rfc3339() }
        == (0..<4).map { "2026-05-01T08:00:0\($0)Z" })
    #expect(reading.fixes.map(\.startsSegment) == [true, false, false, false])
    #expect(reading.rejections.isEmpty)

    // The timer restarted while positions waited.
    var paused = FITFile()
    paused.define(0, message: 20, FITTests.position)
    paused.define(1, message: 162, [(253, 4, 0x86), (1, 4, 0x86)])
    paused.define(2, message: 21, [(0, 1, 0), (1, 1, 0)])
    if comesFirst { paused.message(1, tell) }
    for time: UInt32 in [1000, 1001] { paused.message(0, position(time, 45, 45)) }
    paused.message(2, [[0], [0]])
    for time: UInt32 in [1004, 1005] { paused.message(0, position(time, 45, 45)) }
    if !comesFirst { paused.message(1, tell) }
    #expect(try Reading(bytes: paused.bytes()).fixes.map(\.startsSegment) == [true, false, true, false])

    var lost = FITFile()
    lost.define(0, message: 20, FITTests.position)
    lost.message(0, position(1000, 45, 45))
    lost.message(0, position(FITFile.eight, 45, 45))
    #expect(try Reading(bytes: lost.bytes()).rejections == ["bad_time:1@1"])
  }

  @Test("Cut anywhere, a file keeps what came before, and never more")
  func truncated() throws {
    var file = FITFile()
    file.define(0, message: 20, FITTests.position, developer: [2])
    for index in 0..<3 { file.message(0, position(FITFile.eight + UInt32(index), 45, 45) + [[1, 2]]) }
    let bytes = file.bytes()
    for length in 12..<bytes.count {
      let part = Array(bytes[..<length])
      let problem: String?
      do { problem = try Reading(bytes: part, name: "cut.fit").report.interruption?.description } catch {
        problem = "\(error)"
      }
      #expect(problem == "cut.fit: ends in the middle: the file is truncated", "\(length) bytes")
    }
    #expect(try Reading(bytes: Array(bytes.dropLast(3)), name: "cut.fit").fixes.count == 2)
    #expect(
      message(Array(bytes[..<20]), name: "cut.fit") == "cut.fit: ends in the middle: the file is truncated")
    var lost = FITFile()
    lost.message(3, [[1, 2, 3]])
    #expect(
      message(lost.bytes(), name: "bad.fit")
        == "bad.fit: is damaged: its messages do not follow their definitions")
  }
}
