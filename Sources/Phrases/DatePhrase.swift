public import CalendarModel
public import Recurrence

/// A date, or a date and time, as people write it.
///
/// Read are RFC 3339 (`2026-05-01T08:30:00+02:00`), `2026-05-01`, `2026-05-01 08:30`, `1 May 2026 8:30`, `24.12.`,
/// `today`, `tomorrow 9am`, `friday at 18:00`, `next monday noon`, `in 2 hours`, `in 3 days at 9`, `2 weeks ago`,
/// `next month`, `end of month`, `weekend`, `17:30`. What names no time of day is a whole day. What names no zone is
/// in the zone handed in.
///
/// `half past 8`, `first monday of december`, `in two weeks`, `eod`, `heute abend`. `friday` is the next one, a week from
/// now on a Friday; `next friday` is the same. `05/06` is the 5th of June to some and the 6th of May to others: it is
/// read in the order handed in, and refused where that is unknown.
public struct DatePhrase: Sendable {
  /// What the wall clock reads now, in ``zone``.
  public let now: CivilDateTime
  /// The zone in which the words are meant.
  public var zone: TimeZoneID { resolver.floating.id }

  let instant: Instant
  let resolver: TimeResolver
  let order: DateOrder

  /// A reader of words said at `instant`, in the zone that `resolver` reads floating times in.
  ///
  /// - Parameter order: What comes first in a date of two numbers.
  public init(at instant: Instant, resolver: TimeResolver, order: DateOrder = .unknown) {
    self.instant = instant
    self.resolver = resolver
    self.order = order
    now = resolver.floating.civil(at: instant)
  }

  private static let examples = "2026-05-01, '2026-05-01 08:30', 'tomorrow 9am' or 'friday 18:00'"

  /// What `text` says.
  public func time(_ text: String) throws(WordError) -> CalendarTime {
    if let exact = DatePhrase.exact(text) { return exact }
    var words = PhraseWords.words(text)
    if words.count > 1, words[0] == "on" { words.removeFirst() }
    guard let time = relative(words) ?? absolute(words) else {
      throw WordError("date", text, try: DatePhrase.examples)
    }
    guard (1...9999).contains(time.day.components.year) else {
      throw WordError.plain("'\(text)' is not in the years 1 to 9999")
    }
    return time
  }

  /// The day that `text` says, or the day on which the moment is that it says.
  public func day(_ text: String) throws(WordError) -> CivilDay { try time(text).day(in: resolver) }

  /// What `text` says, where a time of day alone means the day of `other` on the clocks of ``zone``; it is told in the
  /// zone of `other`.
  public func time(_ text: String, onDayOf other: CalendarTime?) throws(WordError) -> CalendarTime {
    let words = PhraseWords.words(text)
    guard let other, let (second, used) = DatePhrase.timeOfDay(words[...]), used == words.count else {
      return try time(text)
    }
    let said = CivilDateTime(day: other.day(in: resolver), secondOfDay: second)
    switch other {
    case .date: return .zoned(said, zone)
    case .floating: return .floating(said)
    case .utc, .zoned:
      return resolver.exactTime(resolver.instant(of: .zoned(said, zone)), like: other)
    }
  }

  /// RFC 3339 with its offset.
  private static func exact(_ text: String) -> CalendarTime? {
    Instant(rfc3339: text).map { CalendarTime($0) }
  }

  /// `in 2 hours`, `+3d`, `in 3 days 9:00`, `an hour ago`, `in a month`.
  private func relative(_ words: [Substring]) -> CalendarTime? {
    var words = words[...]
    var sign = 1
    if words.first == "in" {
      words = words.dropFirst()
    } else if words.last == "ago" {
      sign = -1
      words = words.dropLast()
    } else if words.first == "vor" {
      sign = -1
      words = words.dropFirst()
    } else if words.suffix(2) == ["from", "now"] {
      words = words.dropLast(2)
    } else if words.first?.first != "+" {
      return nil
    }
    if let time = after(words, sign: sign) { return time }
    // A span of days may be followed by a time of day.
    for count in 1...2 where words.count > count {
      guard let (second, used) = DatePhrase.timeOfDay(words.suffix(count)), used == count,
        let day = after(words.dropLast(count), sign: sign), day.isDate
      else { continue }
      return .zoned(CivilDateTime(day: day.day, secondOfDay: second), zone)
    }
    return nil
  }

  /// A span of time from now: `2 hours`, `a week`, `half an hour`, `3 months`.
  private func after(_ words: ArraySlice<Substring>, sign: Int) -> CalendarTime? {
    var said = words.joined(separator: " ")
    if said == "half an hour" { said = "30m" }
    for article in ["a ", "an "] where said.hasPrefix(article) { said = "1 " + said.dropFirst(article.count) }
    if let months = DatePhrase.months(said) { return adding(months: sign * months).map { .date($0) } }
    guard let duration = OffsetPhrase.duration(said.filter { $0 != " " }) else { return nil }
    let day = now.day.adding(days: sign * duration.days)
    if duration.seconds == 0 && duration.days != 0 && !said.replacing("fortnight", with: "").contains("h") {
      return .date(day)
    }
    // Days are those of the calendar; hours take as long as they do, whatever the clocks are set to meanwhile.
    let start =
      duration.days == 0
      ? instant : resolver.instant(of: .zoned(CivilDateTime(day: day, secondOfDay: now.secondOfDay), zone))
    return zoned(start.adding(seconds: Double(sign * duration.seconds)))
  }

  /// A moment on the clocks of ``zone``.
  private func zoned(_ instant: Instant) -> CalendarTime {
    resolver.exactTime(instant, like: .zoned(now, zone))
  }

  /// `3 months`, `+1 year` as months.
  private static func months(_ text: String) -> Int? {
    let text = text.drop { $0 == "+" }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard digits.count <= 4, let number = Int(digits) else { return nil }
    switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
    case "month", "months", "mo": return number
    case "year", "years", "y": return number * 12
    default: return nil
    }
  }

  /// The day some months from now, or the last of its month where that is shorter.
  private func adding(months: Int) -> CivilDay? {
    let (year, month, day) = now.day.components
    let count = year * 12 + month - 1 + months
    guard (0..<9999 * 12).contains(count) else { return nil }
    let (newYear, newMonth) = (count / 12, count % 12 + 1)
    return CivilDay(
      validYear: newYear, month: newMonth, day: min(day, CivilDay.daysInMonth(newMonth, ofYear: newYear)))
  }

  /// A day, a time of day, or both, in either order. The part of the day may stand beside the time: `tomorrow evening at 8`.
  private func absolute(_ words: [Substring]) -> CalendarTime? {
    if words == ["now"] { return zoned(instant) }
    let isTonight = words.contains("tonight")
    var day: CivilDay?
    var part: DayPart?
    var second: Int?
    var rest = words[...]
    while !rest.isEmpty {
      if day == nil, let (found, used) = self.day(rest) {
        day = found
        rest = rest.dropFirst(used)
      } else if part == nil, let (found, used) = DayPart.leading(rest) {
        part = found
        rest = rest.dropFirst(used)
      } else if second == nil, let (found, used) = DatePhrase.timeOfDay(rest) {
        second = isTonight ? DatePhrase.tonight(found, said: rest.prefix(used)) : found
        rest = rest.dropFirst(used)
      } else {
        return nil
      }
    }
    if let part {
      guard let said = second.map(part.second) ?? part.usual else { return nil }
      second = said
    }
    if isTonight { second = second ?? 20 * 3600 }
    guard let second else { return day.map { .date($0) } }
    let start = CivilDateTime(day: day ?? now.day, secondOfDay: 0)
    let time = start.adding(seconds: Int64(second))
    guard day == nil, time <= now else { return .zoned(time, zone) }
    // A time alone is the next one to come; who is still at work then goes on until midnight.
    return .zoned(part == .end ? start.adding(seconds: 86_340) : time.adding(seconds: 86_400), zone)
  }
}

extension TimeResolver {
  /// `instant` in the form of `time`, and in UTC where that form would mean another moment: of an hour that the clocks
  /// show twice, a reading is the first one.
  public func exactTime(_ instant: Instant, like time: CalendarTime) -> CalendarTime {
    let told = self.time(instant, like: time)
    let isSame = told.isDate || self.instant(of: told).wholeSeconds == instant.wholeSeconds
    return isSame ? told : CalendarTime(instant)
  }
}
