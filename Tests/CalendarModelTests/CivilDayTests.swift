import CalendarModel
import Testing
import TestSupport

@Suite("Civil days")
struct CivilDayTests {
  @Test(
    "Days that are known",
    arguments: [
      (1970, 1, 1, 0, Weekday.thursday), (2000, 2, 29, 11_016, .tuesday), (1969, 12, 31, -1, .wednesday),
      (2026, 5, 1, 20_574, .friday), (1600, 2, 29, -135_081, .tuesday), (1, 1, 1, -719_162, .monday),
    ])
  func knownDays(year: Int, month: Int, day: Int, number: Int, weekday: Weekday) {
    let civil = CivilDay(year: year, month: month, day: day)
    #expect(civil.dayNumber == number)
    #expect(civil.weekday == weekday)
    #expect(civil.components == (year, month, day))
  }

  @Test("Each day of four centuries and of random years follows the one before")
  func consecutive() {
    for number in -160_000..<160_000 {
      let (y, m, d) = CivilDay(dayNumber: number).components
      #expect(CivilDay(year: y, month: m, day: d).dayNumber == number)
      #expect(d >= 1 && d <= CivilDay.daysInMonth(m, ofYear: y))
    }
  }

  @Test("Parts that are out of range run on")
  func carry() {
    #expect(CivilDay(year: 2025, month: 2, day: 31) == CivilDay(year: 2025, month: 3, day: 3))
    #expect(CivilDay(year: 2025, month: 14, day: 1) == CivilDay(year: 2026, month: 2, day: 1))
    #expect(CivilDay(year: 2025, month: 0, day: 1) == CivilDay(year: 2024, month: 12, day: 1))
    #expect(CivilDay(validYear: 2025, month: 2, day: 29) == nil)
  }
}

@Suite("Durations")
struct CalendarDurationTests {
  @Test(
    "Text reads and writes",
    arguments: [
      ("-PT15M", 0, -900, "-PT15M"), ("P1DT2H", 1, 7200, "P1DT2H"), ("P2W", 14, 0, "P2W"),
      ("+PT0S", 0, 0, "PT0S"), ("-P1D", -1, 0, "-P1D"), ("PT36H", 0, 129_600, "PT36H"),
    ])
  func text(text: String, days: Int, seconds: Int, written: String) throws {
    let duration = try #require(CalendarDuration(text: text))
    #expect(duration == CalendarDuration(days: days, seconds: seconds))
    #expect(duration.text == written)
  }

  @Test(
    "What is no duration is refused",
    arguments: [
      "", "P", "PT", "15M", "P15M", "PTT5M", "P-1D", "P1", "P99999999999D", "PT5X",
    ])
  func refused(text: String) { #expect(CalendarDuration(text: text) == nil) }
}
