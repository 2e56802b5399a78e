public import FencepostCalendarModel

extension ZoneRules {
  /// The rules of a zone from a file.
  ///
  /// Endless observances are expanded for 400 years; then they repeat. An onset is in local time before the
  /// change (RFC 5545, section 3.6.5).
  convenience init(_ definition: TimeZoneDefinition) {
    var types: [LocalTimeType] = []
    func index(_ offset: Int, _ isDaylight: Bool, _ name: String) -> Int {
      let offset = min(max(offset, -93_599), 93_599)
      let type = LocalTimeType(offset: offset, isDaylight: isDaylight, abbreviation: name)
      if let index = types.firstIndex(of: type) { return index }
      types.append(type)
      return types.count - 1
    }
    // Before the first onset, use the offset before the earliest observance.
    let ordered = definition.observances.prefix(Self.observanceLimit).sorted { $0.start < $1.start }
    if let first = ordered.first { _ = index(first.offsetFrom, false, "") }

    let lastStart = ordered.last?.start.day.components.year ?? 1970
    // One full cycle after the start of the last one, and some years to fold.
    let horizon = CivilDateTime(year: min(max(lastStart, 1970), 9000) + 402, month: 1, day: 1)
    var repeats = false
    var transitions: [Transition] = []
    for observance in ordered {
      let type = index(observance.offsetTo, observance.isDaylight, observance.name ?? "")
      func add(_ civil: CivilDateTime) {
        let seconds = ZoneRules.localSeconds(civil) - Int64(observance.offsetFrom.clamped)
        transitions.append(Transition(seconds: seconds, type: type))
      }
      add(observance.start)
      for date in observance.dates.prefix(Self.onsetLimit) { add(date) }
      for rule in observance.rules.prefix(4) {
        if rule.end == .never { repeats = true }
        var until: CivilDateTime?
        if case .until(.utc(let end)) = rule.end {
          until = end.adding(seconds: Int64(observance.offsetFrom.clamped))
        }
        let expansion = RuleExpansion(rule, start: observance.start, until: until, startPolicy: .matching)
        for (number, onset) in expansion.enumerated() {
          if onset > horizon || number > Self.onsetLimit { break }
          add(onset)
        }
      }
    }
    let order = transitions.indices.sorted {
      (transitions[$0].seconds, $0) < (transitions[$1].seconds, $1)
    }
    var ascending: [Transition] = []
    ascending.reserveCapacity(order.count)
    for index in order {
      if ascending.last?.seconds == transitions[index].seconds { ascending.removeLast() }
      ascending.append(transitions[index])
    }
    let cycleYear = min(max(lastStart, 1970), 9000) + 1
    self.init(
      id: definition.id, types: types, transitions: ascending,
      cycleStart: repeats ? Int64(CivilDay(year: cycleYear, month: 1, day: 8).dayNumber) * 86_400 : nil)
  }

  /// The maximum number of observances. Real zones have some dozens.
  private static let observanceLimit = 1_000
  /// The maximum number of onsets of one observance.
  private static let onsetLimit = 2_000
}

extension Int {
  /// An offset from UTC within a range that avoids overflow.
  fileprivate var clamped: Int { Swift.min(Swift.max(self, -93_599), 93_599) }
}

extension ZoneRules {
  /// The observances of a VTIMEZONE with these rules from 1970 on. A change without a rule, for example in
  /// zones that observe Ramadan, is listed by its date until 2100.
  ///
  /// libical's observances are not suitable: for years in which a zone's changes followed no rule, 3.0.16
  /// invents a rule that misses some changes (America/Sao_Paulo stays on summer time through 2014).
  ///
  /// Cost: a millisecond.
  public func observances() -> [TimeZoneDefinition.Observance] {
    let changes = changes()
    let regular = changes.reversed().prefix { rule(of: $0) != nil }.count
    let first = localTimeType(at: .epoch)
    var observances = [
      TimeZoneDefinition.Observance(
        isDaylight: first.isDaylight, start: CivilDateTime(secondsSinceEpoch: 0), offsetFrom: first.offset,
        offsetTo: first.offset, name: first.abbreviation)
    ]
    func add(_ change: Change, rule: RecurrenceRule?) {
      let isKnown = { (other: TimeZoneDefinition.Observance) in
        other.isDaylight == change.to.isDaylight && other.offsetFrom == change.from.offset
          && other.offsetTo == change.to.offset && other.name == change.to.abbreviation
          && other.rules == (rule.map { [$0] } ?? [])
      }
      guard let index = observances.firstIndex(where: isKnown) else {
        observances.append(
          TimeZoneDefinition.Observance(
            isDaylight: change.to.isDaylight, start: change.local, offsetFrom: change.from.offset,
            offsetTo: change.to.offset, name: change.to.abbreviation, rules: rule.map { [$0] } ?? []))
        return
      }
      if rule == nil { observances[index].dates.append(change.local) }
    }
    for change in changes.dropLast(regular) { add(change, rule: nil) }
    for change in changes.suffix(regular) { add(change, rule: rule(of: change)) }
    return observances
  }

  /// The changes of the clocks. Each has the local time before the change.
  private func changes() -> [Change] {
    var changes: [Change] = []
    var instant = Instant.epoch
    while let transition = self.transition(after: instant), transition.seconds < Self.last {
      let from = localTimeType(at: Instant(seconds: transition.seconds - 1))
      let to = localTimeType(from: transition)
      if from != to {
        let local = CivilDateTime(secondsSinceEpoch: transition.seconds + Int64(from.offset))
        changes.append(Change(local: local, from: from, to: to))
      }
      instant = Instant(seconds: transition.seconds)
    }
    return changes
  }

  /// The zone's current rule that a change follows; `nil` if it follows none.
  private func rule(of change: Change) -> RecurrenceRule? {
    guard let footer, let daylight = footer.daylight else { return nil }
    let (from, to) = (change.from.offset, change.to.offset)
    let expected: POSIXTimeZone.Change
    if (from, to) == (footer.offset, daylight.offset) {
      expected = daylight.start
    } else if (from, to) == (daylight.offset, footer.offset) {
      expected = daylight.end
    } else {
      return nil
    }
    guard case .weekday(let month, let week, let weekday) = expected.day,
      expected.seconds == change.local.secondOfDay
    else { return nil }
    let (year, changeMonth, day) = change.local.day.components
    let isLast = day + 7 > CivilDay.daysInMonth(changeMonth, ofYear: year)
    guard changeMonth == month, change.local.day.weekday == weekday,
      week == 5 ? isLast : (day - 1) / 7 + 1 == week
    else { return nil }
    var rule = RecurrenceRule(.yearly)
    rule.byMonth = [month]
    rule.byDay = [.init(weekday, ordinal: week == 5 ? -1 : week)]
    return rule
  }

  private static let last = CivilDateTime(year: 2100, month: 1, day: 1).secondsSinceEpoch

  private struct Change {
    var local: CivilDateTime
    var from: ZoneRules.LocalTimeType
    var to: ZoneRules.LocalTimeType
  }
}
