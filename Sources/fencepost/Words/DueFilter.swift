import CalendarModel
import Recurrence

/// Which due dates are asked for: `today`, `tomorrow`, `week`, `overdue`, `none`, a date, or `monday..friday`.
enum DueFilter {
  /// Due on one of these days.
  case days(ClosedRange<CivilDay>)
  /// Due before now.
  case overdue
  /// Due at no time.
  case none

  /// What `text` asks for.
  static func filter(_ text: String, dates: DatePhrase) throws(WordError) -> DueFilter {
    let today = dates.now.day
    switch text.lowercased() {
    case "overdue": return .overdue
    case "none", "never": return .none
    case "week": return .days(today...today.adding(days: 6))
    case "month": return .days(today...today.adding(days: 30))
    default: break
    }
    if let dots = text.firstRange(of: "..") {
      let from = try dates.day(String(text[..<dots.lowerBound]))
      let to = try dates.day(String(text[dots.upperBound...]))
      guard from <= to else { throw WordError("range of days", text, try: "'monday..friday'") }
      return .days(from...to)
    }
    do {
      let day = try dates.day(text)
      return .days(day...day)
    } catch {
      throw WordError(
        "due date", text, try: "today, tomorrow, week, overdue, none, 2026-05-01 or 'monday..friday'")
    }
  }

  /// Whether a time, or none, is asked for.
  func admits(_ time: CalendarTime?, now: Instant, resolver: TimeResolver) -> Bool {
    switch (self, time) {
    case (.none, nil): return true
    case (_, nil), (.none, _): return false
    case (.overdue, let time?): return time.isOver(at: now, resolver: resolver)
    case (.days(let days), let time?): return days.contains(time.day(in: resolver))
    }
  }
}

extension CalendarTime {
  /// The day that it is in the reader's zone.
  func day(in resolver: TimeResolver) -> CivilDay {
    isDate ? day : resolver.floating.civil(at: resolver.instant(of: self)).day
  }

  /// True where it lies in the past; a whole day does so from its end on.
  func isOver(at now: Instant, resolver: TimeResolver) -> Bool {
    resolver.instant(of: isDate ? .date(day.adding(days: 1)) : self) <= now
  }
}
