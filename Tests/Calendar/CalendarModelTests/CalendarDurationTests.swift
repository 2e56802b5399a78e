import FencepostCalendarModel
import Testing

@Suite("Durations")
struct CalendarDurationTests {
  @Test(
    "Text is read and written",
    arguments: [
      ("-PT15M", 0, -900, "-PT15M"), ("P1DT2H", 1, 7200, "P1DT2H"), ("P2W", 14, 0, "P2W"),
      ("+PT0S", 0, 0, "PT0S"), ("-P1D", -1, 0, "-P1D"), ("PT36H", 0, 129_600, "PT36H"),
      ("PT1H5S", 0, 3605, "PT1H0M5S"),
    ])
  func text(text: String, days: Int, seconds: Int, written: String) throws {
    let duration = try #require(CalendarDuration(text: text))
    #expect(duration == CalendarDuration(days: days, seconds: seconds))
    #expect(duration.text == written)
  }

  @Test(
    "Invalid durations are rejected",
    arguments: [
      "", "P", "PT", "15M", "P15M", "PTT5M", "P-1D", "P1", "P99999999999D", "PT5X",
    ])
  func refused(text: String) { #expect(CalendarDuration(text: text) == nil) }
}
