import CalendarModel
import Recurrence

/// How something repeats, as people write it: `daily`, `weekdays`, `every 2 weeks`, `every monday`, `monthly`,
/// or the text of an RRULE.
enum RepeatPhrase {
  private static let words: [String: RecurrenceRule.Frequency] = [
    "hourly": .hourly, "daily": .daily, "weekly": .weekly, "monthly": .monthly, "yearly": .yearly,
    "annually": .yearly, "hour": .hourly, "day": .daily, "week": .weekly, "month": .monthly,
    "year": .yearly, "hours": .hourly, "days": .daily, "weeks": .weekly, "months": .monthly,
    "years": .yearly,
  ]

  /// The rule that `text` says.
  static func rule(_ text: String) throws(WordError) -> RecurrenceRule {
    if text.uppercased().contains("FREQ=") {
      do {
        return try RecurrenceRule(text: text)
      } catch {
        throw WordError("recurrence rule (\(error))", text, try: "FREQ=WEEKLY;BYDAY=MO,WE")
      }
    }
    var words = text.lowercased().split { $0 == " " || $0 == "," }
    if words.first == "every" { words.removeFirst() }
    var interval = 1
    if let first = words.first, let number = Int(first), (1...9999).contains(number) {
      interval = number
      words.removeFirst()
    } else if words.first == "other" || words.first == "second" {
      interval = 2
      words.removeFirst()
    }
    if words.count == 1, let frequency = RepeatPhrase.words[String(words[0])] {
      return RecurrenceRule(frequency, interval: interval)
    }
    var rule = RecurrenceRule(.weekly, interval: interval)
    rule.byDay = words.filter { $0 != "and" && $0 != "on" }.flatMap(days).map { .init($0) }
    guard !rule.byDay.isEmpty, !words.contains(where: { $0 != "and" && $0 != "on" && days($0).isEmpty })
    else {
      throw WordError(
        "repetition", text, try: "daily, weekdays, 'every 2 weeks', 'every monday' or FREQ=WEEKLY;BYDAY=MO,WE"
      )
    }
    return rule
  }

  /// A rule for people, where it is a simple one: `every 2 weeks on Monday, 5 times`; else its text.
  static func text(_ rule: RecurrenceRule, times: TimeText) -> String {
    var plain = rule
    plain.interval = 1
    plain.end = .never
    plain.byDay = []
    plain.weekStart = nil
    guard plain == RecurrenceRule(rule.frequency), rule.byDay.allSatisfy({ $0.ordinal == 0 }),
      rule.byDay.isEmpty || rule.frequency == .weekly
    else { return rule.text }
    let unit =
      switch rule.frequency {
      case .secondly: "second"
      case .minutely: "minute"
      case .hourly: "hour"
      case .daily: "day"
      case .weekly: "week"
      case .monthly: "month"
      case .yearly: "year"
      }
    var text = rule.interval == 1 ? "every \(unit)" : "every \(rule.interval) \(unit)s"
    let days = rule.byDay.map(\.weekday)
    let weekdays: [Weekday] = [.monday, .tuesday, .wednesday, .thursday, .friday]
    if rule.interval == 1, Set(days) == Set(weekdays) {
      text = "on weekdays"
    } else if !days.isEmpty {
      text += " on " + days.map { CalendarNames.weekdays[$0.rawValue - 1] }.joined(separator: ", ")
    }
    switch rule.end {
    case .never: return text
    case .count(let count): return text + (count == 1 ? ", once" : ", \(count) times")
    case .until(let last): return text + ", until \(times.text(last))"
    }
  }

  /// The weekdays that `text` lists: `weekdays`, `sat, sun`.
  static func weekdays(_ text: String) throws(WordError) -> [Weekday] {
    let words = text.lowercased().split { $0 == " " || $0 == "," }.filter { $0 != "and" }
    let found = words.map(days)
    guard !found.isEmpty, found.allSatisfy({ !$0.isEmpty }) else {
      throw WordError("list of weekdays", text, try: "weekdays, or 'sat, sun'")
    }
    return found.flatMap { $0 }
  }

  /// The weekdays that a word names.
  private static func days(_ word: Substring) -> [Weekday] {
    switch word {
    case "weekday", "weekdays": return [.monday, .tuesday, .wednesday, .thursday, .friday]
    case "weekend", "weekends": return [.saturday, .sunday]
    default:
      let singular = word.hasSuffix("s") && word.count > 4 ? word.dropLast() : word
      guard singular.count >= 2 else { return [] }
      return Weekday.allCases.filter { "\($0)".hasPrefix(singular) }.prefix(1).map { $0 }
    }
  }
}
