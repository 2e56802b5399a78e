public import FencepostCalendarModel

/// Changes to an occurrence and all later ones. They split the series, except from its first occurrence on.
extension EditableSeries {
  /// Changes an occurrence and all later ones. From the first remaining occurrence on, this changes the
  /// series itself. Otherwise the series ends before the occurrence, and a new series begins with it.
  public func changingFuture(_ edit: Edit) -> ItemChanges {
    var item = edit.edited.merging(timed(master, by: edit.base), since: edit.base)
    item.detachment = nil
    let shift = SeriesShift(from: edit.occurrence, to: item.anchor ?? edit.occurrence, resolver: resolver)
    if isFirst(edit.occurrence) {
      item.id = master.id
      item.uid = master.uid
      return following(item, shift: shift, from: edit.occurrence, removed: [])
    }
    let ended = ending(before: edit.occurrence)
    // Without remaining earlier occurrences, the new series replaces the old one.
    let isWhole = ended.saved.isEmpty
    item.id = isWhole ? master.id : edit.newID
    item.uid = isWhole ? master.uid : edit.newID.rawValue
    if !isWhole { item.alarms = item.alarms.map(\.renamed) }
    item.recurrence = item.recurrence.map { recurrence in
      var recurrence = recurrence
      recurrence.rules = recurrence.rules.compactMap { remaining($0, from: edit.occurrence) }
      recurrence.dates.removeAll { instant($0.start) < instant(edit.occurrence) }
      recurrence.exceptionDates.removeAll { instant($0) < instant(edit.occurrence) }
      return recurrence
    }
    var changes = following(item, shift: shift, from: edit.occurrence, removed: [])
    changes.saved = ended.saved + changes.saved
    return changes
  }

  /// Removes an occurrence and all later ones.
  public func removingFuture(from occurrence: CalendarTime) -> ItemChanges {
    if isFirst(occurrence) { return ItemChanges(removed: [master.id] + detached.map(\.id)) }
    var changes = ending(before: occurrence)
    changes.removed += detached.filter { isFrom(occurrence, $0) }.map(\.id)
    return changes
  }

  /// The series, ended before `occurrence`. Removes it if no occurrence remains.
  private func ending(before occurrence: CalendarTime) -> ItemChanges {
    var rest = self
    var recurrence = master.recurrence ?? Recurrence()
    let last = lastMoment(before: occurrence)
    recurrence.rules = recurrence.rules.map { rule in
      // A rule that had ended by then keeps its end.
      guard occurrences(of: rule, from: occurrence).hasMore else { return rule }
      var rule = rule
      rule.end = .until(last)
      return rule
    }
    recurrence.dates.removeAll { instant($0.start) >= instant(occurrence) }
    recurrence.exceptionDates.removeAll { instant($0) >= instant(occurrence) }
    rest.master.recurrence = recurrence
    rest.detached.removeAll { isFrom(occurrence, $0) }
    if rest.isEmpty { return ItemChanges(removed: [master.id]) }
    return ItemChanges(saved: [rest.master])
  }

  /// UNTIL has the same form as the start: a day for whole days, otherwise a date-time (RFC 5545, section
  /// 3.3.10).
  private func lastMoment(before occurrence: CalendarTime) -> CalendarTime {
    switch master.anchor ?? occurrence {
    case .date: .date(occurrence.day.adding(days: -1))
    case .floating: .floating(resolver.civil(before: occurrence))
    case .utc, .zoned: CalendarTime(Instant(seconds: instant(occurrence).wholeSeconds - 1))
    }
  }

  /// A rule without the counted occurrences before `occurrence`; `nil` if the rule had ended by then.
  private func remaining(_ rule: RecurrenceRule, from occurrence: CalendarTime) -> RecurrenceRule? {
    // If the edit changed the rule too, it already describes the future.
    guard master.recurrence?.rules.contains(rule) == true else { return rule }
    let (counted, hasMore, isGiven) = occurrences(of: rule, from: occurrence)
    guard hasMore else { return nil }
    // An RDATE does not change the rule, but it now counts as the rule's first occurrence.
    var rest = isGiven ? rule : rule.withExplicitParts(from: master.anchor, for: occurrence)
    if case .count(let count) = rule.end { rest.end = .count(max(1, count - counted + (isGiven ? 0 : 1))) }
    return rest
  }

  /// The number of counted occurrences of a rule before `occurrence` (0 for a rule without COUNT), whether
  /// there are later ones, and whether the rule gives `occurrence`.
  private func occurrences(
    of rule: RecurrenceRule, from occurrence: CalendarTime
  ) -> (counted: Int, hasMore: Bool, isGiven: Bool) {
    var alone = master
    alone.recurrence = Recurrence(rules: [rule])
    guard let anchor = master.anchor else { return (0, true, true) }
    let source = SeriesSource(alone, anchor: anchor, resolver: resolver)
    let local = source.local(occurrence)
    let (counted, hasMore) = source.rules[0].occurrences(beforeLocal: local)
    var starts = AscendingMembership(source.rules[0])
    return (counted, hasMore, starts.contains(local))
  }

  /// Saves a changed series. Its rules, dates, exceptions and detached occurrences from `occurrence` on move
  /// with it. An item that no longer repeats has none.
  private func following(
    _ item: CalendarItem, shift: SeriesShift, from occurrence: CalendarTime,
    removed: [Identifier<CalendarItem>]
  ) -> ItemChanges {
    let later = detached.filter { isFrom(occurrence, $0) }
    var changes = ItemChanges(removed: removed)
    var item = item
    guard let recurrence = item.recurrence, !recurrence.rules.isEmpty || !recurrence.dates.isEmpty else {
      item.recurrence = nil
      changes.removed += later.map(\.id)
      changes.saved.append(item)
      changes.subject = item
      return changes
    }
    item.recurrence?.exceptionDates = recurrence.exceptionDates.map(shift.apply)
    item.recurrence?.dates = recurrence.dates.map { date in
      Recurrence.AdditionalOccurrence(start: shift.apply(date.start), end: date.end.map(shift.apply))
    }
    item.recurrence?.rules = recurrence.rules.map { moved($0, by: shift) }
    changes.saved.append(item)
    changes.subject = item
    for one in later {
      guard let detachment = one.detachment else { continue }
      if instant(detachment.occurrence) == instant(occurrence) {
        // The edited occurrence is no longer special.
        changes.removed.append(one.id)
        continue
      }
      var moved = one
      moved.uid = item.uid
      moved.calendar = item.calendar
      moved.detachment?.occurrence = shift.apply(detachment.occurrence)
      if moved != one { changes.saved.append(moved) }
    }
    return changes
  }

  /// Moves a rule with the series: to other weekdays or days of the month, and its UNTIL by the same time, so
  /// that the number of occurrences stays the same.
  private func moved(_ rule: RecurrenceRule, by shift: SeriesShift) -> RecurrenceRule {
    // If the edit changed the rule too, it already describes the future.
    let known = master.recurrence?.rules ?? []
    func isLike(_ other: RecurrenceRule) -> Bool {
      var other = other
      other.end = rule.end
      return other == rule
    }
    let isKnown = known.contains(rule)
    var rule = known.contains(where: isLike) ? rule.moved(from: shift.oldDay, to: shift.newDay) : rule
    guard isKnown, case .until(let last) = rule.end, let anchor = master.anchor else { return rule }
    if last.isDate || anchor.isDate {
      rule.end = .until(shift.apply(last))
    } else {
      // UNTIL is in UTC if the start has a zone. It moves by the wall clock of that zone.
      let local = shift.apply(resolver.time(instant(last), like: anchor))
      rule.end = .until(resolver.time(instant(local), like: last))
    }
    return rule
  }
}

extension TimeResolver {
  /// The local time a second before `time`.
  fileprivate func civil(before time: CalendarTime) -> CivilDateTime {
    let reading = floating.civil(at: instant(of: time))
    return reading.adding(seconds: -1)
  }
}
