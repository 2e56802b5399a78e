import FencepostSpatiotemporal
import FencepostTestSupport
import Testing

@Suite("Instants in RFC 3339")
struct InstantRFC3339Tests {
  @Test(
    "Accepted forms",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0),
      ("1985-04-12T23:20:50.52Z", 482_196_050_520_000, 0),
      ("1996-12-19T16:39:57-08:00", 851_042_397_000_000, -28_800),
      ("1990-12-31T23:59:60Z", 662_688_000_000_000, 0),
      ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000, 1200),
      ("2026-05-01t08:30:00z", 1_777_624_200_000_000, 0),
      ("2026-05-01 08:30:00 +0200", 1_777_617_000_000_000, 7200),
      ("2026-05-01 08:30:00 Z", 1_777_624_200_000_000, 0),
      ("2026-05-01T08:30+05", 1_777_606_200_000_000, 18_000),
      ("2026-05-01T08:30:00,123456789Z", 1_777_624_200_123_456, 0),
      ("1901-12-13T20:45:52Z", -2_147_483_648_000_000, 0),
      ("0000-01-01T00:00:00Z", -62_167_219_200_000_000, 0),
      ("9999-12-31T23:59:59.999999-23:59", 253_402_387_139_999_999, -86_340),
    ] as [(String, Int64, Int)])
  func reads(text: String, microseconds: Int64, offset: Int) throws {
    let read = try #require(Instant.RFC3339(text))
    #expect(read.instant.microseconds == microseconds)
    #expect(read.utcOffset == offset)
    #expect(Instant(rfc3339: text) == read.instant)
  }

  @Test("A time without a zone counts as UTC, and is not a full RFC 3339 time")
  func noZone() throws {
    let read = try #require(Instant.RFC3339("2026-05-01 08:30"))
    #expect(read.instant.microseconds == 1_777_624_200_000_000)
    #expect(read.utcOffset == nil)
    #expect(Instant(rfc3339: "2026-05-01 08:30") == nil)
  }

  @Test(
    "Rejected forms",
    arguments: [
      "", "2026", "2026-05-01", "2026-05-01T", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
      "2026-05-01T24:00:00Z", "2026-05-01T08:60:00Z", "2026-05-01T08:30:61Z", "2026-05-01T08:30:00.Z",
      "2026-05-01T08:30:00+", "2026-05-01T08:30:00+2", "2026-05-01T08:30:00+02:60",
      "2026-05-01T08:30:00+24:00",
      "2026-05-01T08:30:00Zjunk", "2026-05-01T08:30:00 ", "+026-05-01T08:30:00Z", "26-05-01T08:30:00Z",
      "2026-5-1T08:30:00Z", "2026-05-01X08:30:00Z", " 2026-05-01T08:30:00Z", "२०२६-05-01T08:30:00Z",
    ])
  func refuses(text: String) { #expect(Instant.RFC3339(text) == nil) }

  @Test(
    "Written forms",
    arguments: [
      (0, 0, "1970-01-01T00:00:00Z"), (1_777_624_200_500_000, 0, "2026-05-01T08:30:00.500Z"),
      (1_777_624_200_000_001, 7200, "2026-05-01T10:30:00.000001+02:00"),
      (-1, 0, "1969-12-31T23:59:59.999999Z"), (0, -12_600, "1969-12-31T20:30:00-03:30"),
      // Amsterdam until 1937, 19 min 32 s east: the offset is cut to the minute, and the moment stays.
      (0, 1172, "1970-01-01T00:19:00+00:19"), (0, .max, "1970-01-01T23:59:00+23:59"),
    ] as [(Int64, Int, String)])
  func writes(microseconds: Int64, offset: Int, text: String) {
    #expect(Instant(microseconds: microseconds).rfc3339(utcOffset: offset) == text)
  }

  @Test("A written time reads back as the same moment")
  func roundTrip() {
    var random = SeededRandom(seed: 33)
    for _ in 0..<5000 {
      let instant = Instant(
        microseconds: .random(in: -62_135_596_800_000_000...253_402_200_000_000_000, using: &random))
      let offset = Int.random(in: -1439...1439, using: &random) * 60
      let text = instant.rfc3339(utcOffset: offset)
      #expect(Instant.RFC3339(text)?.instant == instant, "seed 33: \(text)")
      #expect(Instant.RFC3339(text)?.utcOffset == offset, "seed 33: \(text)")
    }
    // The ends of the range are beyond RFC 3339, but writing them does not trap.
    #expect(Instant.distantFuture.rfc3339(utcOffset: 3600).hasPrefix("294247-01-10T05:"))
    #expect(!Instant.distantPast.rfc3339(utcOffset: -3600).isEmpty)
  }

  @Test(
    "A time of day alone",
    arguments: [
      ("00:00", 0), ("23:59:59.999999", 86_399_999_999), ("12:30:05", 45_005_000_000), ("24:00", nil),
      ("12:30:05Z", nil), ("1:30", nil), ("", nil),
    ] as [(String, Int64?)])
  func timeOfDay(text: String, microseconds: Int64?) {
    #expect(Instant.microsecondsOfDay(utf8: text.utf8.span) == microseconds)
  }
}
