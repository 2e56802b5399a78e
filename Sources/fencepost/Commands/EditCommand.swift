import CalendarModel
import CalendarStore
import CommandLineTable
import Recurrence

extension CommandContext {
  /// `edit ID …`.
  func edit() throws {
    let prefix = try parsed.required(.id)
    let typed = parsed.typedOptions
    let others = parsed.node.inheritedOptions + FencepostTable.span
    guard typed.contains(where: { !others.contains($0) }) else {
      throw parsed.misuse("nothing to change; use options such as --title or --due")
    }
    for option in typed where parsed.isTyped(FlagKey("no-\(option.name)")) {
      throw parsed.misuse("use --\(option.name) or --no-\(option.name), not both")
    }
    let store = try openExistingStore()
    let list = try parsed.value(.list).flatMap { name in
      let item = try store.read { try $0.item(meant: prefix) }
      return try knownList(name, for: item.isEvent ? DefaultCalendarEntity.events : .reminders, in: store)
    }
    let parentWord = parsed.value(.parent)
    let (item, title) = try store.write { writer in
      let choice = try choice(prefix, in: writer.reader)
      try writer.checkChangeable(choice.item.calendar)
      let entity: DefaultCalendarEntity = choice.item.isEvent ? .events : .reminders
      let destination = try list.map { try writer.list(named: $0, for: entity).id }
      var changes = try edited(choice, to: destination).stamped(now)
      if let parent = try parentWord.map({ try writer.reader.parent(meant: $0, of: choice.item) }) {
        changes.setParent(parent.uid)
      } else if parsed.flag(.noParent) {
        changes.setParent(nil)
      }
      for id in changes.removed { _ = try writer.remove(id) }
      for item in changes.saved { try writer.save(item) }
      let item = changes.subject ?? choice.item
      return (item, try writer.reader.calendar(item.calendar)?.title ?? "")
    }
    try console.print(
      json ? ItemLines(resolver: resolver).line(item, list: title) : "changed \(summary(item))")
  }

  /// An item in words: `Choir, Thu 7 May 2026 19:00`.
  func summary(_ item: CalendarItem) -> String {
    let when = (item.isEvent ? item.start : item.reminder?.due).map {
      ", \(TimeText(context: self).text($0))"
    }
    return FiringTable.plain(item.title) + (when ?? "")
  }

  /// An item changed by the options, and moved to a list if given.
  private func edited(_ item: CalendarItem, to list: Identifier<ItemCalendar>?) throws -> CalendarItem {
    var item = item
    if let text = parsed.value(.title) { item.title = try title(text) }
    if let list { item.calendar = list }
    try apply(to: &item)
    return item
  }

  /// What an edit does to the items of a series.
  private func edited(
    _ choice: SeriesChoice, to list: Identifier<ItemCalendar>?
  ) throws -> ItemChanges {
    guard let series = choice.series else {
      let item = try edited(choice.item, to: list)
      return ItemChanges(saved: [item], subject: item)
    }
    switch choice.span {
    case .all:
      return try editedWhole(series, to: list)
    case .this where choice.item.detachment != nil:
      let item = try edited(choice.item, to: list)
      return ItemChanges(saved: [item], subject: item)
    case .this, .future:
      guard let occurrence = choice.occurrence else { return try editedWhole(series, to: list) }
      guard choice.span == .future || parsed.argument(.repeat) == nil else {
        throw parsed.misuse("one occurrence can't repeat; use --span future or --span all")
      }
      if choice.span == .this, series.master.reminder != nil, occurrence == series.master.anchor {
        return try takenOut(series.master, to: list)
      }
      let base = series.master.taking(place: choice.start ?? occurrence, resolver: resolver)
      var after = try edited(base, to: choice.span == .future ? list : nil)
      if choice.span == .this, let list { after.calendar = list }
      let edit = EditableSeries.Edit(
        occurrence: occurrence, base: base, edited: after, newID: .random())
      return choice.span == .this ? series.detaching(edit) : series.changingFuture(edit)
    }
  }

  /// All of a series; its exceptions and detached occurrences follow where it is moved.
  private func editedWhole(
    _ series: EditableSeries, to list: Identifier<ItemCalendar>?
  ) throws -> ItemChanges {
    var master = try edited(series.master, to: nil)
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

  /// The occurrence of a reminder that is due now, as a reminder of its own; the others go on without it.
  private func takenOut(_ master: CalendarItem, to list: Identifier<ItemCalendar>?) throws -> ItemChanges {
    var rest = master
    guard var one = rest.rollOn(past: now, resolver: resolver) else {
      let item = try edited(master, to: list)
      return ItemChanges(saved: [item], subject: item)
    }
    one.alarms = master.alarms.map { alarm in
      var alarm = alarm
      alarm.id = .random()
      return alarm
    }
    one = try edited(one, to: list)
    return ItemChanges(saved: [rest, one], subject: one)
  }
}

extension CalendarItem {
  /// Moves a reminder on to the occurrence after the one that it is at, and returns that one as a reminder of its own
  /// that is open; `nil` if there is none.
  mutating func rollOn(past now: Instant, resolver: TimeResolver) -> CalendarItem? {
    guard var one = rollOn(at: .distantPast, resolver: resolver) else { return nil }
    one.reminder?.reopen()
    lastModified = now
    one.lastModified = now
    return one
  }

  /// This item with the times of its occurrence at `start`.
  func taking(place start: CalendarTime, resolver: TimeResolver) -> CalendarItem {
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
  /// Sets the parent of the saved items.
  fileprivate mutating func setParent(_ uid: String?) {
    for index in saved.indices { saved[index].parentUID = uid }
    subject?.parentUID = uid
  }

  /// The changes with the date on which they were made.
  func stamped(_ now: Instant) -> ItemChanges {
    var changes = self
    for index in changes.saved.indices {
      changes.saved[index].created = changes.saved[index].created ?? now
      changes.saved[index].lastModified = now
    }
    changes.subject = changes.subject.map { subject in changes.saved.first { $0.id == subject.id } ?? subject
    }
    return changes
  }
}
