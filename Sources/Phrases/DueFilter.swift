public import CalendarModel
public import Recurrence

/// Which due dates are asked for: `today`, `week`, `3d`, `next week`, `overdue`, `none`, a date, or `monday..friday`.
public enum DueFilter: Sendable {
  /// Due on one of these days.
  case days(ClosedRange<CivilDay>)
  /// Due before now.
  case overdue
  /// Due at no time.
  case none

  /// What `text` asks for.
  public static func filter(_ text: String, dates: DatePhrase) throws(WordError) -> DueFilter {
    switch text.lowercased() {
    case "overdue": return .overdue
    case "none", "never": return .none
    default: break
    }
    do {
      return .days(try DaysPhrase.days(text, dates: dates).from(dates.now.day))
    } catch {
      if text.contains("..") { throw error }
      throw WordError(
        "due date", text, try: "today, tomorrow, week, 3d, overdue, none, 2026-05-01 or 'monday..friday'")
    }
  }

  /// Whether a time, or none, is asked for.
  public func admits(_ time: CalendarTime?, now: Instant, resolver: TimeResolver) -> Bool {
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
  public func day(in resolver: TimeResolver) -> CivilDay {
    isDate ? day : resolver.floating.civil(at: resolver.instant(of: self)).day
  }

  /// True where it lies in the past; a whole day does so from its end on.
  public func isOver(at now: Instant, resolver: TimeResolver) -> Bool {
    resolver.instant(of: isDate ? .date(day.adding(days: 1)) : self) <= now
  }
}
