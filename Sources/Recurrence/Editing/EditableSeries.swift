public import CalendarModel

/// A series that is to be changed: the item that repeats, and the items that stand for single occurrences of it.
///
/// What changing or removing "this one" and "this and all later ones" does to a series is worked out here, on
/// values alone: EXDATE and detached occurrences for the first, two series for the second (RFC 5545, section
/// 3.8.4.4, leaves RANGE=THISANDFUTURE to who likes it; most programs split the series instead).
public struct EditableSeries: Sendable {
  /// The item that repeats.
  public var master: CalendarItem
  /// Those that stand for single occurrences.
  public var detached: [CalendarItem]
  /// What times are read by.
  public let resolver: TimeResolver

  /// A series of a master and its detached occurrences.
  public init(master: CalendarItem, detached: [CalendarItem], resolver: TimeResolver) {
    self.master = master
    self.detached = detached
    self.resolver = resolver
  }

  /// The series that `items` of one UID and one calendar are; `nil` where none of them repeats.
  public init?(_ items: [CalendarItem], resolver: TimeResolver) {
    guard let master = items.first(where: { $0.detachment == nil }), master.recurrence != nil else {
      return nil
    }
    self.init(master: master, detached: items.filter { $0.detachment != nil }, resolver: resolver)
  }

  /// An edit of one occurrence.
  public struct Edit: Sendable {
    /// Which occurrence, by the start that the rule gave it.
    public var occurrence: CalendarTime
    /// The item as it was, with the occurrence's times.
    public var base: CalendarItem
    /// The item as it is to be, with the occurrence's times.
    public var edited: CalendarItem
    /// The identifier of the item that comes of it, if one does.
    public var newID: Identifier<CalendarItem>

    /// An edit.
    public init(
      occurrence: CalendarTime, base: CalendarItem, edited: CalendarItem, newID: Identifier<CalendarItem>
    ) {
      self.occurrence = occurrence
      self.base = base
      self.edited = edited
      self.newID = newID
    }
  }

  // MARK: Telling occurrences

  private func instant(_ time: CalendarTime) -> Instant { resolver.instant(of: time) }

  /// True where the rules give no occurrence before `occurrence`, exceptions included.
  public func isFirst(_ occurrence: CalendarTime) -> Bool {
    var bare = master
    bare.recurrence?.exceptionDates = []
    bare.recurrence?.exceptionRules = []
    var occurrences = OccurrenceSeries(bare, resolver: resolver).occurrences
    guard let first = occurrences.next() else { return true }
    return first.startInstant >= instant(occurrence)
  }

  /// True where the series has no occurrence left, detached ones included.
  private var isEmpty: Bool {
    var occurrences = OccurrenceSeries([master] + detached, resolver: resolver).occurrences
    return occurrences.next() == nil
  }

  private func isFrom(_ occurrence: CalendarTime, _ item: CalendarItem) -> Bool {
    item.detachment.map { instant($0.occurrence) >= instant(occurrence) } ?? false
  }

  /// The detached item that stands for an occurrence.
  private func detachedItem(for occurrence: CalendarTime) -> CalendarItem? {
    detached.first { $0.detachment.map { instant($0.occurrence) == instant(occurrence) } ?? false }
  }

  // MARK: This event

  /// Changes one occurrence: an item of its own stands for it from now on.
  public func detaching(_ edit: Edit) -> ItemChanges {
    var item = edit.edited.merging(timed(master, by: edit.base), since: edit.base)
    item.id = edit.newID
    item.uid = master.uid
    item.recurrence = nil
    item.detachment = CalendarItem.Detachment(
      occurrence: resolver.time(instant(edit.occurrence), like: master.anchor ?? edit.occurrence))
    item.alarms = item.alarms.map(\.renamed)
    guard item.calendar == master.calendar else {
      // A series is in one calendar. What moves to another leaves it.
      item.uid = edit.newID.rawValue
      item.detachment = nil
      var changes = removing(edit.occurrence)
      changes.saved.append(item)
      changes.subject = item
      return changes
    }
    let replaced = detachedItem(for: edit.occurrence).map { [$0.id] } ?? []
    return ItemChanges(saved: [item], removed: replaced, subject: item)
  }

  /// Takes one occurrence out.
  public func removing(_ occurrence: CalendarTime) -> ItemChanges {
    var rest = self
    var removed: [Identifier<CalendarItem>] = []
    if let item = detachedItem(for: occurrence) {
      removed.append(item.id)
      rest.detached.removeAll { $0.id == item.id }
    }
    var recurrence = master.recurrence ?? Recurrence()
    let named = resolver.time(instant(occurrence), like: master.anchor ?? occurrence)
    if !recurrence.exceptionDates.contains(named) { recurrence.exceptionDates.append(named) }
    rest.master.recurrence = recurrence
    if rest.isEmpty { return ItemChanges(removed: removed + [master.id]) }
    return ItemChanges(saved: [rest.master], removed: removed)
  }

  // MARK: This and all future events

  /// Changes an occurrence and all later ones: from the first, the series itself; from a later one, the series
  /// ends before it and another begins with it.
  public func changingFuture(_ edit: Edit) -> ItemChanges {
    var item = edit.edited.merging(timed(master, by: edit.base), since: edit.base)
    item.detachment = nil
    let shift = SeriesShift(from: edit.occurrence, to: item.anchor ?? edit.occurrence, resolver: resolver)
    if isFirst(edit.occurrence) {
      item.id = master.id
      item.uid = master.uid
      return following(item, shift: shift, from: edit.occurrence, removed: [])
    }
    item.id = edit.newID
    item.uid = edit.newID.rawValue
    item.alarms = item.alarms.map(\.renamed)
    item.recurrence = item.recurrence.map { recurrence in
      var recurrence = recurrence
      recurrence.rules = recurrence.rules.map { remaining($0, from: edit.occurrence) }
      recurrence.dates.removeAll { instant($0.start) < instant(edit.occurrence) }
      recurrence.exceptionDates.removeAll { instant($0) < instant(edit.occurrence) }
      return recurrence
    }
    let ended = ending(before: edit.occurrence)
    var changes = following(item, shift: shift, from: edit.occurrence, removed: ended.removed)
    changes.saved = ended.saved + changes.saved
    return changes
  }

  /// Takes out an occurrence and all later ones.
  public func removingFuture(from occurrence: CalendarTime) -> ItemChanges {
    if isFirst(occurrence) { return ItemChanges(removed: [master.id] + detached.map(\.id)) }
    var changes = ending(before: occurrence)
    changes.removed += detached.filter { isFrom(occurrence, $0) }.map(\.id)
    return changes
  }

  /// The series with its last occurrence before `occurrence`. It goes where nothing is left of it.
  private func ending(before occurrence: CalendarTime) -> ItemChanges {
    var rest = self
    var recurrence = master.recurrence ?? Recurrence()
    let last = lastMoment(before: occurrence)
    recurrence.rules = recurrence.rules.map { rule in
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

  /// UNTIL takes the form of the start: a day for whole days, else a moment (RFC 5545, section 3.3.10).
  private func lastMoment(before occurrence: CalendarTime) -> CalendarTime {
    switch master.anchor ?? occurrence {
    case .date: .date(occurrence.day.adding(days: -1))
    case .floating: .floating(resolver.civil(before: occurrence))
    case .utc, .zoned: CalendarTime(Instant(seconds: instant(occurrence).wholeSeconds - 1))
    }
  }

  /// A rule without those occurrences, of a number that it counts, that came before `occurrence`.
  private func remaining(_ rule: RecurrenceRule, from occurrence: CalendarTime) -> RecurrenceRule {
    // A rule that was changed along with the split says what is to come.
    guard case .count(let count) = rule.end, let start = master.anchor,
      master.recurrence?.rules.contains(rule) == true
    else { return rule }
    let limit = instant(occurrence)
    var before = 0
    for civil in RuleExpansion(rule, start: start.civil) {
      guard before < count, instant(start.with(civil: civil)) < limit else { break }
      before += 1
    }
    var rule = rule
    rule.end = .count(max(1, count - before))
    return rule
  }

  /// Saves a changed series: its exceptions and detached occurrences from `occurrence` on are moved as far as
  /// it was. An item that no longer repeats has none.
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
    item.recurrence?.rules = recurrence.rules.map { moved($0, by: shift) }
    changes.saved.append(item)
    changes.subject = item
    for one in later {
      guard let detachment = one.detachment else { continue }
      if instant(detachment.occurrence) == instant(occurrence) {
        // The very occurrence that was edited is an occurrence like the others now.
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

  /// A rule that ends at a time, ending as much later as the series was moved, so that it has as many occurrences.
  private func moved(_ rule: RecurrenceRule, by shift: SeriesShift) -> RecurrenceRule {
    guard case .until(let last) = rule.end, let anchor = master.anchor,
      master.recurrence?.rules.contains(rule) == true
    else { return rule }
    var rule = rule
    if last.isDate || anchor.isDate {
      rule.end = .until(shift.apply(last))
    } else {
      // UNTIL is in UTC where the start has a zone, and is moved on the clock of that zone.
      let local = shift.apply(resolver.time(instant(last), like: anchor))
      rule.end = .until(resolver.time(instant(local), like: last))
    }
    return rule
  }

  /// The master with the times of one occurrence, to tell what was edited there.
  private func timed(_ item: CalendarItem, by occurrence: CalendarItem) -> CalendarItem {
    var item = item
    if let times = occurrence.event {
      item.event?.start = times.start
      item.event?.end = times.end
    }
    if let times = occurrence.reminder {
      item.reminder?.start = times.start
      item.reminder?.due = times.due
    }
    return item
  }
}

extension TimeResolver {
  /// What the clock shows a second before `time`.
  fileprivate func civil(before time: CalendarTime) -> CivilDateTime {
    let reading = floating.civil(at: instant(of: time))
    return reading.adding(seconds: -1)
  }
}

extension Alarm {
  /// The same alarm for another item.
  fileprivate var renamed: Alarm {
    var alarm = self
    alarm.id = .random()
    return alarm
  }
}
