import CalendarModel

/// What a series' rules and dates are read in, and what they give: shared by the segments of a series.
final class SeriesSource: Sendable {
  /// The master's start, whose form the occurrences have.
  let anchor: CalendarTime
  /// The zone in which the rules count.
  let zone: ZoneRules
  let rules: [RuleExpansion]
  let exceptionRules: [RuleExpansion]
  /// The starts that rules don't give: RDATE, and the start itself where there is no rule.
  let dates: [Int64]
  /// Where an RDATE had an end of its own: its length by its start.
  let lengths: [Int64: Int64]
  let exceptions: ExceptionDates
  private let resolver: TimeResolver

  convenience init(_ master: CalendarItem, anchor: CalendarTime, resolver: TimeResolver) {
    self.init(master.recurrence ?? Recurrence(), anchor: anchor, resolver: resolver)
  }

  init(_ recurrence: Recurrence, anchor: CalendarTime, resolver: TimeResolver) {
    self.anchor = anchor
    self.resolver = resolver
    zone = resolver.rules(for: anchor)
    let zone = zone
    func expansion(_ rule: RecurrenceRule, _ startPolicy: RuleExpansion.Start) -> RuleExpansion {
      let end = Self.end(of: rule, anchor: anchor, zone: zone, resolver: resolver)
      var expansion = RuleExpansion(rule, start: anchor, until: end?.until, startPolicy: startPolicy)
      if let end { expansion.excluded = end.excluded }
      return expansion
    }
    rules = recurrence.rules.map { expansion($0, .always) }
    exceptionRules = recurrence.exceptionRules.map { expansion($0, .matching) }
    var dates = rules.isEmpty ? [ZoneRules.localSeconds(anchor.civil)] : []
    var lengths: [Int64: Int64] = [:]
    for date in recurrence.dates {
      let local = Self.local(date.start, anchor: anchor, zone: zone, resolver: resolver)
      dates.append(local)
      if let end = date.end {
        let length = resolver.instant(of: end).wholeSeconds - resolver.instant(of: date.start).wholeSeconds
        lengths[local] = max(0, length)
      }
    }
    if dates.count > 1 {
      self.dates = Set(dates).sorted()
    } else {
      self.dates = dates
    }
    self.lengths = lengths
    var exceptions = ExceptionDates()
    for date in recurrence.exceptionDates {
      let local = Self.local(date, anchor: anchor, zone: zone, resolver: resolver)
      exceptions.insert(date, local: local, anchor: anchor)
    }
    self.exceptions = exceptions
  }

  /// The wall-clock second of the series' zone that `time` is.
  ///
  /// A time with no zone is the series' own; a day stands for the start that a timed series has on it.
  func local(_ time: CalendarTime) -> Int64 {
    Self.local(time, anchor: anchor, zone: zone, resolver: resolver)
  }

  private static func local(
    _ time: CalendarTime, anchor: CalendarTime, zone: ZoneRules, resolver: TimeResolver
  ) -> Int64 {
    if anchor.isDate { return ZoneRules.localSeconds(CivilDateTime(day: time.day, secondOfDay: 0)) }
    switch time {
    case .date(let day):
      return ZoneRules.localSeconds(CivilDateTime(day: day, secondOfDay: anchor.civil.secondOfDay))
    case .floating(let civil):
      return ZoneRules.localSeconds(civil)
    case .utc, .zoned:
      if time.zone == anchor.zone { return ZoneRules.localSeconds(time.civil) }
      return ZoneRules.localSeconds(zone.civil(at: resolver.instant(of: time)))
    }
  }

  /// Where a rule's UNTIL lies on the wall clock of the series, and which readings before it are moments after
  /// it.
  private static func end(
    of rule: RecurrenceRule, anchor: CalendarTime, zone: ZoneRules, resolver: TimeResolver
  ) -> (until: CivilDateTime, excluded: Range<Int64>)? {
    guard case .until(let time) = rule.end else { return nil }
    // For whole days the day that was written counts, in whichever form.
    if anchor.isDate || time.isDate { return (CivilDateTime(day: time.day, secondOfDay: 86_399), 0..<0) }
    if case .floating(let civil) = time { return (civil, 0..<0) }
    let moment = resolver.instant(of: time).wholeSeconds
    let until = CivilDateTime(secondsSinceEpoch: zone.lastLocal(notAfter: moment))
    return (until, zone.skippedLocals(after: moment))
  }
}

/// The occurrences that don't take place, and those that detached items stand for.
struct ExceptionDates: Sendable {
  private var locals: Set<Int64> = []
  private var days: Set<Int> = []

  /// Adds a start of the series that begins at `anchor`; `local` is the wall-clock second that it is there.
  mutating func insert(_ time: CalendarTime, local: Int64, anchor: CalendarTime) {
    if time.isDate || anchor.isDate {
      days.insert(time.day.dayNumber)
    } else {
      locals.insert(local)
    }
  }

  var isEmpty: Bool { locals.isEmpty && days.isEmpty }

  func contains(_ local: Int64) -> Bool {
    locals.contains(local) || (!days.isEmpty && days.contains(Gregorian.floorDiv(Int(local), 86_400)))
  }
}
