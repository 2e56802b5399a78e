import FencepostSpatiotemporal
import Testing

@Suite("Wall-clock readings")
struct CivilDateTimeTests {
  @Test(
    "Written forms",
    arguments: [
      (CivilDateTime(year: 2026, month: 5, day: 2, hour: 8, minute: 3, second: 9), "2026-05-02T08:03:09"),
      (CivilDateTime(year: 0, month: 1, day: 1), "0000-01-01T00:00:00"),
      (
        CivilDateTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59),
        "9999-12-31T23:59:59"
      ),
      (CivilDateTime(year: 10_000, month: 1, day: 1, hour: 1), "10000-01-01T01:00:00"),
      (CivilDateTime(year: -1, month: 1, day: 1, second: 5), "-0001-01-01T00:00:05"),
    ])
  func text(reading: CivilDateTime, text: String) {
    #expect("\(reading)" == text)
    #expect(reading.clock == String(text.suffix(8)))
  }
}
