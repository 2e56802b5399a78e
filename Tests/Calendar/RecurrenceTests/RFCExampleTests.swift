import FencepostCalendarModel
import FencepostRecurrence
import Testing

/// The examples of RFC 5545, section 3.8.5.3, as rule, start and result.
struct RFCExampleTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var rule: String
    var start: String
    /// The first dates of the rule: `YYYY-MM-DD`, days of the same month joined by commas, or with a time
    /// after a `T`.
    var dates: [String]
    /// The total number; `nil` for an endless rule.
    var total: Int?

    init(_ rule: String, _ start: String? = nil, total: Int? = nil, dates: String...) {
      self.rule = rule
      self.start = start ?? "19970902T090000"
      self.total = total
      self.dates = dates
    }

    var testDescription: String { rule }
  }

  /// `1997-09-02,03` expanded, at the start's time unless it has its own.
  static func spelledOut(_ dates: [String], time: String) -> [String] {
    dates.flatMap { text -> [String] in
      if let mark = text.firstIndex(of: "T") {
        let day = text[..<mark]
        return text[text.index(after: mark)...].split(separator: ",").map { "\(day)T\($0):00" }
      }
      let month = text.prefix(8)
      return text.dropFirst(8).split(separator: ",").map { "\(month)\($0)T\(time)" }
    }
  }

  static let examples: [Example] = [
    Example("FREQ=DAILY;COUNT=10", total: 10, dates: "1997-09-02,03,04,05,06,07,08,09,10,11"),
    Example("FREQ=DAILY;UNTIL=19971224T000000Z", total: 113, dates: "1997-09-02,03,04,05"),
    Example(
      "FREQ=DAILY;INTERVAL=2", "19970902T090000",
      dates: "1997-09-02,04,06,08,10,12,14,16,18,20,22,24,26,28,30", "1997-10-02,04"),
    Example("FREQ=DAILY;INTERVAL=10;COUNT=5", total: 5, dates: "1997-09-02,12,22", "1997-10-02,12"),
    Example(
      "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA", "19980101T090000", total: 93,
      dates: "1998-01-01,02,03,04"),
    Example(
      "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1", "19980101T090000", total: 93,
      dates: "1998-01-01,02,03,04"),
    Example(
      "FREQ=WEEKLY;COUNT=10", total: 10, dates: "1997-09-02,09,16,23,30", "1997-10-07,14,21,28", "1997-11-04"),
    Example(
      "FREQ=WEEKLY;UNTIL=19971224T000000Z", total: 17, dates: "1997-09-02,09,16,23,30", "1997-10-07,14,21,28"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;WKST=SU", dates: "1997-09-02,16,30", "1997-10-14,28", "1997-11-11,25",
      "1997-12-09,23",
      "1998-01-06,20", "1998-02-03,17"),
    Example(
      "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH", total: 10,
      dates: "1997-09-02,04,09,11,16,18,23,25,30", "1997-10-02"),
    Example(
      "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH", total: 10, dates: "1997-09-02,04,09,11,16,18,23,25,30",
      "1997-10-02"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR", "19970901T090000", total: 25,
      dates: "1997-09-01,03,05,15,17,19,29", "1997-10-01,03,13,15,17,27,29,31", "1997-11-10,12,14,24,26,28",
      "1997-12-08,10,12,22"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH", total: 8, dates: "1997-09-02,04,16,18,30",
      "1997-10-02,14,16"),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYDAY=1FR", "19970905T090000", total: 10, dates: "1997-09-05", "1997-10-03",
      "1997-11-07",
      "1997-12-05", "1998-01-02", "1998-02-06", "1998-03-06", "1998-04-03", "1998-05-01", "1998-06-05"),
    Example(
      "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR", "19970905T090000", total: 4, dates: "1997-09-05",
      "1997-10-03",
      "1997-11-07", "1997-12-05"),
    Example(
      "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU", "19970907T090000", total: 10, dates: "1997-09-07,28",
      "1997-11-02,30", "1998-01-04,25", "1998-03-01,29", "1998-05-03,31"),
    Example(
      "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "19970922T090000", total: 6, dates: "1997-09-22", "1997-10-20",
      "1997-11-17",
      "1997-12-22", "1998-01-19", "1998-02-16"),
    Example(
      "FREQ=MONTHLY;BYMONTHDAY=-3", "19970928T090000", dates: "1997-09-28", "1997-10-29", "1997-11-28",
      "1997-12-29",
      "1998-01-29", "1998-02-26"),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15", total: 10, dates: "1997-09-02,15", "1997-10-02,15",
      "1997-11-02,15",
      "1997-12-02,15", "1998-01-02,15"),
    Example(
      "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1", "19970930T090000", total: 10, dates: "1997-09-30",
      "1997-10-01,31",
      "1997-11-01,30", "1997-12-01,31", "1998-01-01,31", "1998-02-01"),
    Example(
      "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15", "19970910T090000", total: 10,
      dates: "1997-09-10,11,12,13,14,15", "1999-03-10,11,12,13"),
    Example(
      "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU", dates: "1997-09-02,09,16,23,30", "1997-11-04,11,18,25",
      "1998-01-06,13,20,27",
      "1998-03-03,10,17,24,31"),
    Example(
      "FREQ=YEARLY;COUNT=10;BYMONTH=6,7", "19970610T090000", total: 10, dates: "1997-06-10", "1997-07-10",
      "1998-06-10",
      "1998-07-10", "1999-06-10", "1999-07-10", "2000-06-10", "2000-07-10", "2001-06-10", "2001-07-10"),
    Example(
      "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3", "19970310T090000", total: 10, dates: "1997-03-10",
      "1999-01-10",
      "1999-02-10", "1999-03-10", "2001-01-10", "2001-02-10", "2001-03-10", "2003-01-10", "2003-02-10",
      "2003-03-10"),
    Example(
      "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200", "19970101T090000", total: 10,
      dates: "1997-01-01",
      "1997-04-10", "1997-07-19", "2000-01-01", "2000-04-09", "2000-07-18", "2003-01-01", "2003-04-10",
      "2003-07-19", "2006-01-01"),
    Example("FREQ=YEARLY;BYDAY=20MO", "19970519T090000", dates: "1997-05-19", "1998-05-18", "1999-05-17"),
    Example(
      "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO", "19970512T090000", dates: "1997-05-12", "1998-05-11", "1999-05-17"),
    Example(
      "FREQ=YEARLY;BYMONTH=3;BYDAY=TH", "19970313T090000", dates: "1997-03-13,20,27", "1998-03-05,12,19,26",
      "1999-03-04,11,18,25"),
    Example(
      "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8", "19970605T090000", dates: "1997-06-05,12,19,26",
      "1997-07-03,10,17,24,31",
      "1997-08-07,14,21,28", "1998-06-04,11,18,25", "1998-07-02,09,16,23,30", "1998-08-06,13,20,27",
      "1999-06-03,10,17,24", "1999-07-01,08,15,22,29", "1999-08-05,12,19,26"),
    // The start is not a Friday the 13th. The example removes it with an EXDATE; here it is the first
    // occurrence.
    Example(
      "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13", dates: "1997-09-02", "1998-02-13", "1998-03-13", "1998-11-13",
      "1999-08-13",
      "2000-10-13"),
    Example(
      "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13", "19970913T090000", dates: "1997-09-13",
      "1997-10-11",
      "1997-11-08", "1997-12-13", "1998-01-10", "1998-02-07", "1998-03-07", "1998-04-11", "1998-05-09",
      "1998-06-13"),
    Example(
      "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8", "19961105T090000",
      dates: "1996-11-05",
      "2000-11-07", "2004-11-02"),
    Example(
      "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "19970904T090000", total: 3, dates: "1997-09-04",
      "1997-10-07",
      "1997-11-06"),
    Example(
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2", "19970929T090000", dates: "1997-09-29", "1997-10-30",
      "1997-11-27",
      "1997-12-30", "1998-01-29", "1998-02-26", "1998-03-30"),
    // The RFC has UNTIL=19970902T170000Z, which is one o'clock in New York, so the rule would end before
    // three. Verified erratum 3883 of RFC 5545 corrects it.
    Example("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z", total: 2, dates: "1997-09-02T09:00,12:00"),
    Example("FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z", total: 3, dates: "1997-09-02T09:00,12:00,15:00"),
    Example(
      "FREQ=MINUTELY;INTERVAL=15;COUNT=6", total: 6, dates: "1997-09-02T09:00,09:15,09:30,09:45,10:00,10:15"),
    Example("FREQ=MINUTELY;INTERVAL=90;COUNT=4", total: 4, dates: "1997-09-02T09:00,10:30,12:00,13:30"),
    Example(
      "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
      dates:
        "1997-09-02T09:00,09:20,09:40,10:00,10:20,10:40,11:00,11:20,11:40,12:00,12:20,12:40,13:00,13:20,13:40,"
        + "14:00,14:20,14:40,15:00,15:20,15:40,16:00,16:20,16:40", "1997-09-03T09:00,09:20"),
    Example(
      "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
      dates:
        "1997-09-02T09:00,09:20,09:40,10:00,10:20,10:40,11:00,11:20,11:40,12:00,12:20,12:40,13:00,13:20,13:40,"
        + "14:00,14:20,14:40,15:00,15:20,15:40,16:00,16:20,16:40", "1997-09-03T09:00,09:20"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO", "19970805T090000", total: 4,
      dates: "1997-08-05,10,19,24"),
    Example(
      "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU", "19970805T090000", total: 4,
      dates: "1997-08-05,17,19,31"),
    Example(
      "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "20070115T090000", total: 5, dates: "2007-01-15,30",
      "2007-02-15",
      "2007-03-15,30"),
  ]

  /// The Gregorian examples of RFC 7529, sections 2 and 4.1, and the same rules with the opposite SKIP.
  static let skipping: [Example] = [
    Example(
      "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD;COUNT=4", "20140131T000000", total: 4, dates: "2014-01-31",
      "2014-03-01,31", "2014-05-01"),
    Example(
      "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=4", "20140131T000000", total: 4, dates: "2014-01-31",
      "2014-02-28", "2014-03-31", "2014-04-30"),
    Example(
      "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT;COUNT=4", "20140131T000000", total: 4, dates: "2014-01-31",
      "2014-03-31",
      "2014-05-31", "2014-07-31"),
    Example(
      "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=30,31;SKIP=BACKWARD;COUNT=6", "20130130T090000", total: 6,
      dates: "2013-01-30,31", "2013-02-28", "2013-03-30,31", "2013-04-30"),
    Example(
      "RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=1,31;SKIP=FORWARD;COUNT=6", "20140131T090000", total: 6,
      dates: "2014-01-31", "2014-02-01", "2014-03-01,31", "2014-04-01", "2014-05-01"),
    Example(
      "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD;COUNT=5", "20120229T090000", total: 5, dates: "2012-02-29",
      "2013-03-01",
      "2014-03-01", "2015-03-01", "2016-02-29"),
    Example(
      "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=BACKWARD;COUNT=5", "20120229T090000", total: 5, dates: "2012-02-29",
      "2013-02-28", "2014-02-28", "2015-02-28", "2016-02-29"),
    Example(
      "RSCALE=GREGORIAN;FREQ=YEARLY;COUNT=2", "20120229T090000", total: 2, dates: "2012-02-29", "2016-02-29"),
    Example(
      "RSCALE=GREGORIAN;FREQ=YEARLY;BYYEARDAY=366;SKIP=BACKWARD;COUNT=3", "20121231T090000", total: 3,
      dates: "2012-12-31",
      "2013-12-31", "2014-12-31"),
  ]

  @Test("RFC 5545's examples", arguments: examples + skipping)
  func example(_ example: Example) throws {
    let zones = TimeZoneDatabase.system
    let newYork = try #require(zones.zone(TimeZoneID(rawValue: "America/New_York")))
    let start = try #require(CalendarTime(basicText: example.start)).civil
    let rule = try RecurrenceRule(text: example.rule)
    var until: CivilDateTime?
    if case .until(.utc(let end)) = rule.end {
      until = newYork.civil(at: Instant(seconds: end.secondsSinceEpoch))
    }
    let expansion = RuleExpansion(rule, start: start, until: until)
    let time = start.description.split(separator: "T")[1]
    let expected = Self.spelledOut(example.dates, time: String(time))
    let found = expansion.prefix(expected.count).map(\.description)
    #expect(found == expected)
    if let total = example.total { #expect(Array(expansion).count == total) }
    // The text reads back as the same rule.
    #expect(try RecurrenceRule(text: rule.text) == rule)
  }
}
