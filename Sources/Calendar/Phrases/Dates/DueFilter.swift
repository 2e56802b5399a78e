public import FencepostCalendarModel
public import FencepostRecurrence

/// A filter for due dates: `today`, `week`, `3d`, `next week`, `overdue`, `none`, a date, or
/// `monday..friday`.
public enum DueFilter: Sendable {
  /// Due on one of these days.
  case days(ClosedRange<CivilDay>)
  /// Due before now.
  case overdue
  /// Without a due date.
  case none

  /// Reads a filter.
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

  /// Whether the filter accepts a due time; `nil` means no due time.
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
  /// The local day in the user's zone.
  public func day(in resolver: TimeResolver) -> CivilDay {
    isDate ? day : resolver.floating.civil(at: resolver.instant(of: self)).day
  }

  /// Whether the time is in the past. A whole day is past after its end.
  public func isOver(at now: Instant, resolver: TimeResolver) -> Bool {
    resolver.instant(of: isDate ? .date(day.adding(days: 1)) : self) <= now
  }
}
