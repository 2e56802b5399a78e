import FencepostSpatiotemporal
import Testing

@Suite("Civil days")
struct CivilDayTests {
  @Test(
    "Known days",
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

  @Test("Parts out of range carry over")
  func carry() {
    #expect(CivilDay(year: 2025, month: 2, day: 31) == CivilDay(year: 2025, month: 3, day: 3))
    #expect(CivilDay(year: 2025, month: 14, day: 1) == CivilDay(year: 2026, month: 2, day: 1))
    #expect(CivilDay(year: 2025, month: 0, day: 1) == CivilDay(year: 2024, month: 12, day: 1))
    #expect(CivilDay(validYear: 2025, month: 2, day: 29) == nil)
  }
}
