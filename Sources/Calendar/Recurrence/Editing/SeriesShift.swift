import FencepostCalendarModel

/// The distance that a series moved: on the wall clock if the zone stayed the same, otherwise in seconds.
struct SeriesShift {
  /// The day of the moved occurrence before and after.
  let oldDay: CivilDay
  let newDay: CivilDay
  private let seconds: Int64
  private let like: CalendarTime
  private let isOnOneClock: Bool
  private let resolver: TimeResolver

  init(from old: CalendarTime, to new: CalendarTime, resolver: TimeResolver) {
    self.resolver = resolver
    like = new
    (oldDay, newDay) = (old.day, new.day)
    // On the same wall clock, nine o'clock moves to ten in summer and in winter.
    isOnOneClock = old.zone == new.zone && old.isDate == new.isDate
    seconds =
      isOnOneClock
      ? new.civil.secondsSinceEpoch - old.civil.secondsSinceEpoch
      : resolver.instant(of: new).wholeSeconds - resolver.instant(of: old).wholeSeconds
  }

  func apply(_ time: CalendarTime) -> CalendarTime {
    if isOnOneClock { return seconds == 0 ? time : time.with(civil: time.civil.adding(seconds: seconds)) }
    return resolver.time(
      Instant(seconds: resolver.instant(of: time).wholeSeconds + seconds), like: like)
  }
}
