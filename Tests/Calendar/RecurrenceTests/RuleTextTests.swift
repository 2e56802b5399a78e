import FencepostCalendarModel
import FencepostRecurrence
import FencepostTestSupport
import Testing

/// Reading and writing RRULE.
struct RuleTextTests {
  @Test(
    "common variations are read",
    arguments: [
      ("freq=weekly;byday=mo,we", "FREQ=WEEKLY;BYDAY=MO,WE"),
      ("FREQ=DAILY;COUNT=3;", "FREQ=DAILY;COUNT=3"),
      ("RRULE:FREQ=DAILY", "FREQ=DAILY"),
      ("BYDAY=+2TU;FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=2TU"),
      (" FREQ = YEARLY ; BYMONTH = 1, 2 ", "FREQ=YEARLY;BYMONTH=1,2"),
      ("FREQ=DAILY;INTERVAL=1;;BYDAY=", "FREQ=DAILY"),
      ("FREQ=DAILY;UNTIL=20301231", "FREQ=DAILY;UNTIL=20301231"),
      ("FREQ=DAILY;UNTIL=20301231T235959", "FREQ=DAILY;UNTIL=20301231T235959"),
      ("FREQ=DAILY;UNTIL=20301231t235959z", "FREQ=DAILY;UNTIL=20301231T235959Z"),
      ("FREQ=DAILY;X-RULE=a,b;WKST=SU", "FREQ=DAILY;WKST=SU;X-RULE=a,b"),
      ("SKIP=FORWARD;RSCALE=gregorian;FREQ=MONTHLY", "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD"),
      (
        "FREQ=YEARLY;BYDAY=-53FR;BYYEARDAY=-366;BYWEEKNO=-53",
        "FREQ=YEARLY;BYDAY=-53FR;BYYEARDAY=-366;BYWEEKNO=-53"
      ),
    ])
  func lenient(_ text: String, _ canonical: String) throws {
    let rule = try RecurrenceRule(text: text)
    #expect(rule.text == canonical)
    #expect(try RecurrenceRule(text: rule.text) == rule)
  }

  @Test(
    "errors name the part",
    arguments: [
      ("", "FREQ"), ("COUNT=3", "FREQ"), ("FREQ=", "FREQ"), ("FREQ=FORTNIGHTLY", "FREQ"),
      ("FREQ=DAILY;COUNT=0", "COUNT"), ("FREQ=DAILY;COUNT=-1", "COUNT"),
      ("FREQ=DAILY;INTERVAL=0", "INTERVAL"),
      ("FREQ=DAILY;INTERVAL=99999999999999999999", "INTERVAL"),
      ("FREQ=DAILY;COUNT=2;UNTIL=20300101", "UNTIL"),
      ("FREQ=DAILY;UNTIL=tomorrow", "UNTIL"), ("FREQ=DAILY;UNTIL=20300230", "UNTIL"),
      ("FREQ=DAILY;FREQ=WEEKLY", "FREQ"), ("FREQ=DAILY;BYHOUR=24", "BYHOUR"),
      ("FREQ=DAILY;BYHOUR=-1", "BYHOUR"),
      ("FREQ=DAILY;BYMINUTE=60", "BYMINUTE"), ("FREQ=DAILY;BYSECOND=61", "BYSECOND"),
      ("FREQ=DAILY;BYDAY=XX", "BYDAY"), ("FREQ=MONTHLY;BYDAY=0MO", "BYDAY"),
      ("FREQ=YEARLY;BYDAY=54MO", "BYDAY"),
      ("FREQ=MONTHLY;BYMONTHDAY=0", "BYMONTHDAY"), ("FREQ=MONTHLY;BYMONTHDAY=-32", "BYMONTHDAY"),
      ("FREQ=YEARLY;BYYEARDAY=367", "BYYEARDAY"), ("FREQ=YEARLY;BYWEEKNO=54", "BYWEEKNO"),
      ("FREQ=YEARLY;BYMONTH=13", "BYMONTH"), ("FREQ=YEARLY;BYMONTH=-1", "BYMONTH"),
      ("FREQ=YEARLY;BYMONTH=-9223372036854775808", "BYMONTH"), ("FREQ=YEARLY;BYSETPOS=0", "BYSETPOS"),
      ("FREQ=DAILY;WKST=1", "WKST"), ("FREQ=DAILY;RSCALE=CHINESE", "RSCALE"),
      ("FREQ=DAILY;SKIP=MAYBE", "SKIP"),
      ("FREQ=DAILY;BYEASTER=1", "BYEASTER"), ("nonsense", "nonsense"),
    ])
  func errors(_ text: String, _ part: String) {
    let error = #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(text: text) }
    #expect(error?.part == part)
    #expect(error?.description.contains(part) == true)
  }

  @Test("no text crashes", arguments: 0..<200 as Range<UInt64>)
  func noise(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let pieces = [
      "FREQ", "=", ";", ",", "DAILY", "MONTHLY", "BYDAY", "BYMONTHDAY", "-", "+", "1", "99999999999", "MO",
      "É", "\u{0}",
      " ", "UNTIL", "20300101T", "Z", "COUNT", "X-", "RRULE:", "🕐", "INTERVAL", "-9223372036854775808",
    ]
    let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }
    .joined()
    if let rule = try? RecurrenceRule(text: text) {
      #expect((try? RecurrenceRule(text: rule.text)) == rule, "seed \(seed)")
    }
  }
}
