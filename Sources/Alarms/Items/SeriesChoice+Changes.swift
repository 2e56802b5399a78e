public import FencepostCalendarModel
public import FencepostRecurrence

/// The effect of an edit or a removal on the items of a series.
extension SeriesChoice {
  /// The changes for an edit of the choice.
  ///
  /// - Parameters:
  ///   - list: The new list; `nil` to stay.
  ///   - resolver: The time zones.
  ///   - now: The current time.
  ///   - edit: Changes one item.
  public func changes(
    to list: Identifier<ItemCalendar>? = nil, resolver: TimeResolver, now: Instant,
    edit: (inout CalendarItem) throws -> Void
  ) throws -> ItemChanges {
    func edited(_ item: CalendarItem, to list: Identifier<ItemCalendar>?) throws -> CalendarItem {
      var item = item
      if let list { item.calendar = list }
      try edit(&item)
      return item
    }
    guard let series else {
      let item = try edited(item, to: list)
      return ItemChanges(saved: [item], subject: item).stamped(now)
    }
    switch span {
    case .this where item.detachment != nil:
      let item = try edited(item, to: list)
      return ItemChanges(saved: [item], subject: item).stamped(now)
    case .this, .future:
      guard let occurrence else { break }
      if span == .this, series.master.reminder != nil, occurrence == series.master.anchor {
        return try takenOut(series.master, resolver: resolver, now: now) { try edited($0, to: list) }
          .stamped(now)
      }
      let base = series.master.taking(place: start ?? occurrence, resolver: resolver)
      let after = try edited(base, to: list)
      let edit = EditableSeries.Edit(
        occurrence: occurrence, base: base, edited: after, newID: .random())
      return (span == .this ? series.detaching(edit) : series.changingFuture(edit)).stamped(now)
    case .all: break
    }
    return try editedWhole(series, to: list) { try edited($0, to: nil) }.stamped(now)
  }

  /// The changes for a removal of the choice.
  ///
  /// - Parameters:
  ///   - resolver: The time zones.
  ///   - now: The current time.
  public func removal(resolver: TimeResolver, now: Instant) -> ItemChanges {
    guard let series, span != .all, let occurrence else {
      return ItemChanges(removed: allItems.map(\.id)).stamped(now)
    }
    if span == .future { return series.removingFuture(from: occurrence).stamped(now) }
    if series.master.reminder != nil, occurrence == series.master.anchor {
      // A reminder represents its current occurrence, so it moves to the next one.
      var rest = series.master
      if rest.rollOn(past: now, resolver: resolver) != nil { return ItemChanges(saved: [rest]).stamped(now) }
    }
    return series.removing(occurrence).stamped(now)
  }

  /// Edits a whole series. If its times move, its exceptions and detached occurrences move too.
  private func editedWhole(
    _ series: EditableSeries, to list: Identifier<ItemCalendar>?,
    edited: (CalendarItem) throws -> CalendarItem
  ) throws -> ItemChanges {
    var master = try edited(series.master)
    var changes: ItemChanges
    if let anchor = series.master.anchor, master.anchor != anchor || master.recurrence == nil {
      changes = series.changingFuture(
        EditableSeries.Edit(occurrence: anchor, base: series.master, edited: master, newID: .random()))
    } else {
      changes = ItemChanges(saved: [master], subject: master)
    }
    guard let list else { return changes }
    for one in series.detached where !changes.removed.contains(one.id) {
      if !changes.saved.contains(where: { $0.id == one.id }) { changes.saved.append(one) }
    }
    for index in changes.saved.indices { changes.saved[index].calendar = list }
    master = changes.saved.first { $0.id == master.id } ?? master
    changes.subject = master
    return changes
  }

  /// Turns the current occurrence of a reminder into a separate reminder. The series continues without it.
  private func takenOut(
    _ master: CalendarItem, resolver: TimeResolver, now: Instant,
    edited: (CalendarItem) throws -> CalendarItem
  ) throws -> ItemChanges {
    var rest = master
    guard var one = rest.rollOn(past: now, resolver: resolver) else {
      let item = try edited(master)
      return ItemChanges(saved: [item], subject: item)
    }
    one.alarms = master.alarms.map { alarm in
      var alarm = alarm
      alarm.id = .random()
      return alarm
    }
    one = try edited(one)
    return ItemChanges(saved: [rest, one], subject: one)
  }
}

extension CalendarItem {
  /// Moves a reminder to its next occurrence. Returns the previous one as a separate open reminder; `nil` if
  /// no occurrence is left.
  mutating func rollOn(past now: Instant, resolver: TimeResolver) -> CalendarItem? {
    guard var one = rollOn(at: .distantPast, resolver: resolver) else { return nil }
    one.reminder?.reopen()
    lastModified = now
    one.lastModified = now
    return one
  }

  /// This item with the times of its occurrence at `start`.
  public func taking(place start: CalendarTime, resolver: TimeResolver) -> CalendarItem {
    var item = self
    switch details {
    case .event(var event):
      let length =
        resolver.instant(of: event.end).wholeSeconds - resolver.instant(of: event.start).wholeSeconds
      let days = event.end.day.dayNumber - event.start.day.dayNumber
      event.end =
        start.isDate
        ? .date(start.day.adding(days: days))
        : resolver.time(Instant(seconds: resolver.instant(of: start).wholeSeconds + length), like: event.end)
      event.start = start
      item.event = event
    case .reminder(var reminder):
      if let first = reminder.start {
        if let due = reminder.due {
          let length = resolver.instant(of: due).wholeSeconds - resolver.instant(of: first).wholeSeconds
          reminder.due = resolver.time(
            Instant(seconds: resolver.instant(of: start).wholeSeconds + length), like: due)
        }
        reminder.start = start
      } else {
        reminder.due = start
      }
      item.reminder = reminder
    }
    return item
  }
}

extension ItemChanges {
  /// The changes with a modification date.
  fileprivate func stamped(_ now: Instant) -> ItemChanges {
    var changes = self
    for index in changes.saved.indices {
      changes.saved[index].created = changes.saved[index].created ?? now
      changes.saved[index].lastModified = now
    }
    changes.subject = changes.subject.map { subject in
      changes.saved.first { $0.id == subject.id } ?? subject
    }
    return changes
  }
}
