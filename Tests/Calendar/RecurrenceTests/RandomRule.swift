import FencepostCalendarModel
import FencepostTestSupport

/// Random rules of every shape, including senseless ones.
enum RandomRule {
  static func make(using random: inout SeededRandom) -> RecurrenceRule {
    func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    func some(_ range: ClosedRange<Int>, signed: Bool = false, most: Int = 4) -> [Int] {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in
        Int.random(in: range, using: &random) * (signed && chance(25) ? -1 : 1)
      }
    }
    var rule = RecurrenceRule(RecurrenceRule.Frequency.allCases.randomElement(using: &random) ?? .daily)
    if chance(50) {
      rule.interval = [2, 3, 4, 7, 12, 60, 90, 400, 86_399].randomElement(using: &random) ?? 1
    }
    if chance(25) { rule.byMonth = some(1...12) }
    if chance(20) { rule.byMonthDay = some(1...31, signed: true) }
    if chance(35) {
      let hasOrdinals = chance(40)
      rule.byDay = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        RecurrenceRule.WeekdayNumber(
          Weekday.allCases.randomElement(using: &random) ?? .monday,
          ordinal: hasOrdinals ? Int.random(in: -5...5, using: &random) : 0)
      }
    }
    if chance(8) { rule.byYearDay = some(1...366, signed: true) }
    if chance(8) { rule.byWeekNumber = some(1...53, signed: true) }
    if chance(20) { rule.byHour = some(0...23) }
    if chance(15) { rule.byMinute = some(0...59) }
    if chance(10) { rule.bySecond = some(0...60) }
    if chance(15) { rule.bySetPosition = some(1...5, signed: true, most: 2) }
    if chance(40) { rule.weekStart = Weekday.allCases.randomElement(using: &random) }
    if chance(15) {
      rule.hasScale = true
      rule.skip = chance(50) ? .forward : .backward
    }
    if chance(30) { rule.end = .count(Int.random(in: 1...60, using: &random)) }
    return rule
  }

  static func start(using random: inout SeededRandom) -> CivilDateTime {
    CivilDateTime(
      day: CivilDay(dayNumber: Int.random(in: 0..<20_000, using: &random)),
      secondOfDay: Int.random(in: 0..<86_400, using: &random) / 900 * 900)
  }
}
