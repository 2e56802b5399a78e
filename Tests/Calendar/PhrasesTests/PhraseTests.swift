import FencepostCalendarModel
import FencepostRecurrence
import Testing

@testable import FencepostPhrases

@Suite("Date phrases")
struct DatePhraseTests {
  /// Friday, 1 May 2026, 14:30 in Berlin.
  static let phrase = DatePhrase(at: Instant(seconds: 1_777_638_600), resolver: berlin)
  private static let berlin = TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin"))

  @Test(
    "Whole days",
    arguments: [
      ("2026-05-03", 2026, 5, 3), ("today", 2026, 5, 1), ("tomorrow", 2026, 5, 2),
      ("yesterday", 2026, 4, 30), ("saturday", 2026, 5, 2), ("Sat", 2026, 5, 2), ("friday", 2026, 5, 8),
      ("next monday", 2026, 5, 4), ("12 june", 2026, 6, 12), ("June 12", 2026, 6, 12),
      ("1st april", 2027, 4, 1), ("1 May 2031", 2031, 5, 1), ("in 3 days", 2026, 5, 4),
      ("+1w", 2026, 5, 8), ("29 feb 2028", 2028, 2, 29), ("29 feb", 2028, 2, 29), ("29.2.", 2028, 2, 29),
      ("next friday", 2026, 5, 8),
      ("in a week", 2026, 5, 8), ("in 2 months", 2026, 7, 1), ("in a year", 2027, 5, 1),
      ("3 days ago", 2026, 4, 28), ("a week ago", 2026, 4, 24), ("day after tomorrow", 2026, 5, 3),
      ("next week", 2026, 5, 4), ("next month", 2026, 6, 1), ("next year", 2027, 1, 1),
      ("end of month", 2026, 5, 31), ("the end of the month", 2026, 5, 31), ("weekend", 2026, 5, 2),
      ("this weekend", 2026, 5, 2), ("24.12.", 2026, 12, 24), ("24.12.2027", 2027, 12, 24),
      ("1.4.", 2027, 4, 1), ("2026/12/24", 2026, 12, 24), ("Monday", 2026, 5, 4),
    ])
  func days(text: String, year: Int, month: Int, day: Int) throws {
    #expect(try Self.phrase.time(text) == .date(CivilDay(year: year, month: month, day: day)))
  }

  @Test(
    "Days and times of day",
    arguments: [
      ("2026-05-03 08:30", 2026, 5, 3, 8, 30), ("2026-05-03T08:30", 2026, 5, 3, 8, 30),
      ("tomorrow 9am", 2026, 5, 2, 9, 0), ("9 pm tomorrow", 2026, 5, 2, 21, 0),
      ("friday at 18:00", 2026, 5, 8, 18, 0), ("today noon", 2026, 5, 1, 12, 0),
      ("12am saturday", 2026, 5, 2, 0, 0), ("12pm saturday", 2026, 5, 2, 12, 0),
      ("17:30", 2026, 5, 1, 17, 30), ("9:05", 2026, 5, 2, 9, 5), ("tonight", 2026, 5, 1, 20, 0),
      ("tonight 22:15", 2026, 5, 1, 22, 15), ("tonight at 9", 2026, 5, 1, 21, 0),
      ("at 9 tonight", 2026, 5, 1, 21, 0), ("tonight 11:30", 2026, 5, 1, 23, 30),
      ("tonight 9pm", 2026, 5, 1, 21, 0),
      ("tonight 9am", 2026, 5, 1, 9, 0), ("tonight at midnight", 2026, 5, 2, 0, 0),
      ("tonight at 12", 2026, 5, 2, 0, 0), ("tonight 0:30", 2026, 5, 2, 0, 30),
      ("in 2 hours", 2026, 5, 1, 16, 30),
      ("in 90m", 2026, 5, 1, 16, 0), ("now", 2026, 5, 1, 14, 30), ("3 may 7:45", 2026, 5, 3, 7, 45),
      ("in 2h", 2026, 5, 1, 16, 30), ("tomorrow 9:00", 2026, 5, 2, 9, 0), ("+2h30m", 2026, 5, 1, 17, 0),
      ("2026-12-24 18:00", 2026, 12, 24, 18, 0), ("tomorrow at 9", 2026, 5, 2, 9, 0),
      ("at 9 pm", 2026, 5, 1, 21, 0), ("in an hour", 2026, 5, 1, 15, 30),
      ("in half an hour", 2026, 5, 1, 15, 0), ("in 3 days at 9", 2026, 5, 4, 9, 0),
      ("in 2 weeks 9 am", 2026, 5, 15, 9, 0), ("next month noon", 2026, 6, 1, 12, 0),
      ("end of the month at 17:00", 2026, 5, 31, 17, 0), ("90 minutes ago", 2026, 5, 1, 13, 0),
      ("friday evening", 2026, 5, 8, 18, 0), ("24.12. 18:00", 2026, 12, 24, 18, 0),
      ("friday at 3", 2026, 5, 8, 15, 0), ("friday 3:00", 2026, 5, 8, 3, 0),
      ("in 2,5 Stunden", 2026, 5, 1, 17, 0),
      ("today at midnight", 2026, 5, 2, 0, 0), ("in 2 days at 5", 2026, 5, 3, 17, 0),
    ])
  func times(text: String, year: Int, month: Int, day: Int, hour: Int, minute: Int) throws {
    let civil = CivilDateTime(year: year, month: month, day: day, hour: hour, minute: minute)
    #expect(try Self.phrase.time(text) == .zoned(civil, Self.phrase.zone))
  }

  @Test(
    "More spellings",
    arguments: [
      ("in two weeks", "2026-05-15"), ("in a fortnight", "2026-05-15"), ("two weeks from now", "2026-05-15"),
      ("first monday of december", "2026-12-07"), ("last friday of the month", "2026-05-29"),
      ("the second tuesday in june 2027", "2027-06-08"), ("last sunday of next month", "2026-06-28"),
      ("first friday of may", "2026-05-01"), ("fifth monday of february", "2044-02-29"),
      ("friday next week", "2026-05-08"), ("next week monday", "2026-05-04"), ("the 24th", "2026-05-24"),
      ("on the 1st", "2026-05-01"), ("31st", "2026-05-31"), ("24th of december", "2026-12-24"),
      ("end of this month", "2026-05-31"), ("eow", "2026-05-03"), ("12/15/2026", "2026-12-15"),
      ("15/12/2026", "2026-12-15"), ("5/5", "2026-05-05"), ("1.6.26", "2026-06-01"),
      ("half past 8", "2026-05-02 08:30"), ("quarter to 9 pm", "2026-05-01 20:45"),
      ("tomorrow at ten past 7", "2026-05-02 07:10"), ("half past 8 tonight", "2026-05-01 20:30"),
      ("8 o'clock", "2026-05-02 08:00"), ("at 9 tomorrow morning", "2026-05-02 09:00"),
      ("tomorrow evening at 8", "2026-05-02 20:00"), ("8 in the evening", "2026-05-01 20:00"),
      ("this evening", "2026-05-01 18:00"), ("eod", "2026-05-01 17:00"), ("friday eod", "2026-05-08 17:00"),
      ("the end of the day", "2026-05-01 17:00"), ("tmrw noon", "2026-05-02 12:00"),
      ("heute", "2026-05-01"), ("übermorgen", "2026-05-03"), ("morgen um 9", "2026-05-02 09:00"),
      ("heute abend", "2026-05-01 18:00"), ("morgen früh", "2026-05-02 09:00"),
      ("Montag Morgen", "2026-05-04 09:00"), ("am Freitag um halb neun", "2026-05-08 08:30"),
      ("in zwei Wochen", "2026-05-15"), ("24. Dezember", "2026-12-24"), ("vor 2 Tagen", "2026-04-29"),
      ("nächsten Montag", "2026-05-04"), ("am ersten Montag im Dezember", "2026-12-07"),
      ("8 Uhr 15", "2026-05-02 08:15"), ("Viertel vor neun", "2026-05-02 08:45"),
      ("Ende des Monats", "2026-05-31"),
    ])
  func more(text: String, expected: String) throws {
    let time = try Self.phrase.time(text)
    let minutes = [time.civil.hour, time.civil.minute].map { ($0 < 10 ? "0" : "") + "\($0)" }
    #expect("\(time.day)" + (time.isDate ? "" : " " + minutes.joined(separator: ":")) == expected)
  }

  @Test(
    "The country decides the order of day and month",
    arguments: [
      ("en_US.UTF-8", "5/6", "2026-05-06"), ("de_DE.UTF-8", "5/6", "2026-06-05"),
      ("en_GB", "05/06/2027", "2027-06-05"),
      ("en_US", "05/06/27", "2027-05-06"), ("ja_JP", "5/6", "2026-05-06"), ("en_US", "25/12", "2026-12-25"),
      ("de_DE", "12/25", "2026-12-25"), ("C.UTF-8", "5/6", nil), ("", "5/6", nil), ("en_CA", "5/6", nil),
      ("en_US", "13/13", nil), ("en_US", "5/6/", nil), ("en_US", "5/6/202", nil),
    ])
  func orders(locale: String, text: String, expected: String?) {
    let phrase = DatePhrase(at: Self.phrase.instant, resolver: Self.berlin, order: DateOrder(locale: locale))
    #expect((try? phrase.day(text)).map { "\($0)" } == expected)
  }

  @Test("After five, the end of the working day is midnight")
  func endOfDay() throws {
    let late = DatePhrase(at: Self.phrase.instant.adding(seconds: 3 * 3600), resolver: Self.berlin)
    #expect(try late.time("eod").civil == CivilDateTime(year: 2026, month: 5, day: 1, hour: 23, minute: 59))
  }

  @Test(
    "years before 1 and after 9999 are refused",
    arguments: [
      "9999-12-31T23:30:00-05:00", "0000-12-31T12:00:00Z", "in 8000 years", "3225 years ago", "10000-01-01",
      "-1199-01-01",
    ])
  func years(text: String) { #expect(throws: WordError.self) { try Self.phrase.time(text) } }

  @Test("RFC 3339 has its own offset")
  func exact() throws {
    let expected = CalendarTime.utc(CivilDateTime(year: 2026, month: 5, day: 1, hour: 6, minute: 30))
    #expect(try Self.phrase.time("2026-05-01T08:30:00+02:00") == expected)
    #expect(try Self.phrase.time("2026-05-01T06:30:00Z") == expected)
  }

  @Test(
    "A lone time of day keeps the day of the other time",
    arguments: [
      ("18:00", CalendarTime.date(CivilDay(year: 2026, month: 6, day: 2)), 2026, 6, 2, 18, 0),
      ("at 9", .date(CivilDay(year: 2026, month: 6, day: 2)), 2026, 6, 2, 9, 0),
      ("tomorrow 9am", .date(CivilDay(year: 2026, month: 6, day: 2)), 2026, 5, 2, 9, 0),
    ])
  func onDay(text: String, other: CalendarTime, year: Int, month: Int, day: Int, hour: Int, minute: Int)
    throws
  {
    let civil = CivilDateTime(year: year, month: month, day: day, hour: hour, minute: minute)
    #expect(try Self.phrase.time(text, onDayOf: other) == .zoned(civil, Self.phrase.zone))
  }

  @Test(
    "A lone time of day is in the user's zone, on the user's day; the result is in the zone of the other time",
    arguments: [
      // Shown as 11:00 on 1 June, and as 00:30 on 2 June.
      ("12:00", "20260601T090000Z", "20260601T100000Z"), ("18:00", "20260601T223000Z", "20260602T160000Z"),
      ("12:00", "America/New_York 20260601T210000", "America/New_York 20260602T060000"),
      ("12:00", "20260601T090000", "20260601T120000"),
    ])
  func inAnotherZone(text: String, other: String, expected: String) throws {
    func time(_ text: String) throws -> CalendarTime {
      let parts = text.split(separator: " ")
      let time = try #require(CalendarTime(basicText: parts[parts.count - 1]))
      return parts.count == 1 ? time : .zoned(time.civil, TimeZoneID(rawValue: String(parts[0])))
    }
    #expect(try Self.phrase.time(text, onDayOf: time(other)) == time(expected))
  }

  @Test(
    "Hours keep their length when the clocks change; days are calendar days",
    arguments: [
      // 01:30 on the day that has no 02:30.
      ("2026-03-29T01:30:00+01:00", "in 2 hours", "2026-03-29T04:30:00+02:00"),
      ("2026-03-29T01:30:00+01:00", "in 1 day 2 hours", "2026-03-30T03:30:00+02:00"),
      ("2026-03-29T03:30:00+02:00", "2 hours ago", "2026-03-29T00:30:00+01:00"),
      // The second 02:30 of the day that has two.
      ("2026-10-25T02:30:00+01:00", "in 10 minutes", "2026-10-25T02:40:00+01:00"),
      ("2026-10-25T02:30:00+01:00", "now", "2026-10-25T02:30:00+01:00"),
      ("2026-10-25T01:30:00+02:00", "in 2h", "2026-10-25T02:30:00+01:00"),
      ("2026-10-25T02:30:00+02:00", "in 10 minutes", "2026-10-25T02:40:00+02:00"),
    ])
  func clockChanges(now: String, text: String, expected: String) throws {
    let phrase = DatePhrase(at: try #require(Instant(rfc3339: now)), resolver: Self.berlin)
    let time = try phrase.time(text)
    #expect(Self.berlin.instant(of: time) == Instant(rfc3339: expected))
  }

  @Test("Years outside 1 to 9999 are an error", arguments: ["in 9999 years", "in 999999 weeks"])
  func farAway(text: String) {
    #expect(throws: WordError.self) { try Self.phrase.time(text) }
  }

  @Test(
    "Text that is not a date is an error with examples",
    arguments: [
      "", "someday", "2026-02-30", "2026-13-01", "25:00", "13pm", "tomorrow 9", "tomorrow tomorrow",
      "9am 10am", "in a while", "31 june", "2026-05-01 08:30 extra", "--", "9999999999 may", "05/06",
      "in 99999 months", "end of", "the", "ago", "in", "at", "at 25", "99.99.", "1.2.3.4", "+",
      "in 2 months ago", "now 9am", "half past", "half past 25", "quarter to 12 pm", "13 in the morning",
      "sixth monday of may", "first of may monday", "32nd", "half 8", "5/6/7/8", "1/2",
      "tomorrow 10 to 12", "in 2 5 hours", "tomorrow 3pm UTC",
    ])
  func refused(text: String) {
    let error = #expect(throws: WordError.self) { try Self.phrase.time(text) }
    #expect(error?.description.contains("invalid date '\(text)'; try 2026-05-01") == true)
  }
}

@Suite("Phrases for spans, lengths and hours")
struct PhraseTests {
  @Test(
    "Spans",
    arguments: [
      ("-15m", 0, -900), ("1h30m", 0, 5400), ("-2d", -2, 0), ("1w", 7, 0), ("-PT15M", 0, -900),
      ("0", 0, 0), ("0m", 0, 0), ("2 hours", 0, 7200), ("+1d 12h", 1, 43_200),
    ])
  func spans(text: String, days: Int, seconds: Int) {
    #expect(OffsetPhrase.duration(text) == CalendarDuration(days: days, seconds: seconds))
  }

  @Test(
    "Invalid spans",
    arguments: [
      "", "-", "15", "m", "15x", "1h-30m", "99999999999m", "tomorrow", "999999999w", "-9999w9999999999d",
      "P9999999999W",
    ])
  func noSpan(text: String) { #expect(OffsetPhrase.duration(text) == nil) }

  @Test(
    "Lengths",
    arguments: [
      ("150", 150.0), ("150m", 150), ("2km", 2000), ("0.5 mi", 804.672), ("300ft", 91.44), ("0", 0),
    ])
  func lengths(text: String, metres: Double) throws {
    #expect(abs(try LengthPhrase.metres(text) - metres) < 1e-9)
  }

  @Test("Invalid lengths", arguments: ["", "km", "-5m", "inf", "nan", "5 parsecs", "1e999"])
  func noLength(text: String) { #expect(throws: WordError.self) { try LengthPhrase.metres(text) } }

  @Test("Radius of a place", arguments: [("1", 1.0), ("100m", 100), ("20000km", 2e7)])
  func radius(text: String, metres: Double) throws { #expect(try LengthPhrase.radius(text) == metres) }

  @Test("Invalid radius", arguments: ["0", "0km", "0.5m", "20001km", "1e300km", "-5m", "far"])
  func noRadius(text: String) { #expect(throws: WordError.self) { try LengthPhrase.radius(text) } }

  @Test(
    "Hours of the day",
    arguments: [
      ("08:00-18:30", 28_800, 66_600), ("22:00-6:00", 79_200, 21_600),
      ("9am-24:00", 32_400, 86_400), ("00:00-24:00", 0, 86_400),
    ])
  func hours(text: String, from: Int, until: Int) throws {
    #expect(try HoursPhrase.hours(text) == TimeWindow.Hours(from: from, until: until))
  }

  @Test(
    "Invalid parts of a day",
    arguments: ["", "8:00", "08:00-08:00", "24:00-8:00", "24:00-24:00", "0:00-0:00"])
  func noHours(text: String) { #expect(throws: WordError.self) { try HoursPhrase.hours(text) } }

  @Test(
    "Lengths for people",
    arguments: [
      (0.4, "0 m"), (999.4, "999 m"), (1200, "1.2 km"), (2_000, "2 km"), (99_940, "99.9 km"),
      (340_000, "340 km"),
      (.infinity, "?"), (.nan, "?"),
    ])
  func lengthText(metres: Double, text: String) { #expect(LengthPhrase.text(metres) == text) }
}
