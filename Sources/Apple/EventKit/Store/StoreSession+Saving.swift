import FencepostCalendarModel
import FencepostRecurrence
import FencepostStoreAccess
import Foundation

extension StoreSession {
  // MARK: Events

  /// Saves an event or occurrence. A changed rule always applies from the occurrence on, with any span,
  /// because it describes the future.
  func save(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    try checkOwnership(event)
    let span = event.isRuleChanged ? .futureEvents : span
    let isUnchanged = event.original != nil && !event.hasChanges
    let isWholeSeries = isUnchanged && event.isDetached && span == .futureEvents
    if isUnchanged && !isWholeSeries {
      // Nothing to save, but pending changes still need the commit.
      return commit ? try self.commit() : ()
    }
    try validate(event, span: span)
    let operation = try operation(saving: event, span: span)
    let before = (state: event.current, original: event.original, occurrence: event.occurrence)
    // Keep changes between the save and its commit.
    var isShown = false
    func adopt(_ changes: ItemChanges) {
      if let item = changes.subject { event.adopt(item, keepingChanges: isShown) }
      isShown = true
    }
    try add(.item(operation), commit: commit, committed: adopt, previewed: adopt) {
      event.occurrence = before.occurrence
      if isShown {
        event.rebase(onto: before.state, original: before.original)
      } else {
        event.load(before.state, original: before.original)
      }
    }
  }

  private func operation(saving event: EKEvent, span: EKSpan) throws -> ItemOperation {
    let item = event.storedItem
    guard let original = event.original, let occurrence = event.occurrence else {
      // The event is new, or did not recur before. It may recur from now on.
      return .save(item, base: event.original.map { event.base(of: $0) })
    }
    let base = event.base(of: original)
    if event.isDetached && span == .thisEvent { return .save(item, base: base) }
    if event.isDetached {
      // The values of the series' other occurrences, without the changes of the detached one.
      guard let master = try master(of: original.item) else { return .save(item, base: base) }
      var whole = item
      whole.recurrence = master.recurrence
      var from = master
      if let times = base.event {
        from.event?.start = times.start
        from.event?.end = times.end
      }
      return .saveOccurrence(
        EditableSeries.Edit(occurrence: occurrence, base: from, edited: whole, newID: .random()),
        master: master.id, uid: master.uid, span: ItemOperation.Span(span))
    }
    return .saveOccurrence(
      EditableSeries.Edit(occurrence: occurrence, base: base, edited: item, newID: .random()),
      master: original.item.id, uid: original.item.uid, span: ItemOperation.Span(span))
  }

  /// The series of a detached occurrence.
  private func master(of detached: CalendarItem) throws -> CalendarItem? {
    let visible = VisibleItems(store: try openStore().backend, pending: lock.withLock { pending.items })
    return try visible.items(uid: detached.uid).first {
      $0.calendar == detached.calendar && $0.detachment == nil
    }
  }

  /// Removes an event or occurrences.
  func remove(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    try checkOwnership(event)
    guard hasFullAccess(to: .event) else { throw refusal(.event) }
    guard let original = event.original else { return commit ? try self.commit() : () }
    try checkRemoval(of: original.item, otherwise: .eventNotMutable)
    let operation: ItemOperation =
      if let occurrence = event.occurrence {
        .removeOccurrence(occurrence, item: original.item, span: ItemOperation.Span(span))
      } else {
        .remove(original.item)
      }
    let before = (state: event.current, occurrence: event.occurrence)
    func forget(_: ItemChanges) { event.forget() }
    // Until the commit, the app may still read what it removes, for example to say so.
    func mark(_: ItemChanges) { event.isRemoved = true }
    try add(.item(operation), commit: commit, committed: forget, previewed: mark) {
      event.isRemoved = false
      event.occurrence = before.occurrence
      event.load(before.state, original: original)
    }
  }

  private func checkRemoval(of item: CalendarItem, otherwise code: EKError.Code) throws {
    if let calendar = storedCalendar(item.calendar), !calendar.allowsContentModifications {
      throw EKError.make(code, calendar.title)
    }
  }

  // MARK: Reminders

  /// Saves a reminder.
  func save(_ reminder: EKReminder, commit: Bool) throws {
    try checkOwnership(reminder)
    if reminder.original != nil && !reminder.hasChanges { return commit ? try self.commit() : () }
    try validate(reminder)
    let before = (state: reminder.current, original: reminder.original)
    var isShown = false
    func adopt(_ changes: ItemChanges) {
      guard let item = changes.subject else { return }
      let state = ItemState(reminder: item)
      if isShown {
        reminder.rebase(onto: state, original: state)
      } else {
        reminder.load(state, original: state)
      }
      isShown = true
    }
    let operation = ItemOperation.save(reminder.storedItem, base: before.original?.item)
    try add(.item(operation), commit: commit, committed: adopt, previewed: adopt) {
      if isShown {
        reminder.rebase(onto: before.state, original: before.original)
      } else {
        reminder.load(before.state, original: before.original)
      }
    }
  }

  /// Removes a reminder.
  func remove(_ reminder: EKReminder, commit: Bool) throws {
    try checkOwnership(reminder)
    guard hasFullAccess(to: .reminder) else { throw refusal(.reminder) }
    guard let original = reminder.original else { return commit ? try self.commit() : () }
    try checkRemoval(of: original.item, otherwise: .calendarReadOnly)
    func forget(_: ItemChanges) { reminder.isRemoved = true }
    try add(.item(.remove(original.item)), commit: commit, committed: forget, previewed: forget) {
      reminder.isRemoved = false
    }
  }

  // MARK: Calendars

  /// Saves a calendar.
  func save(_ calendar: EKCalendar, commit: Bool) throws {
    try validate(calendar)
    guard calendar.hasChanges else { return commit ? try self.commit() : () }
    let (value, before) = (calendar.value, calendar.saved)
    adopt(calendar)
    func settle(_: ItemChanges) { calendar.saved = value }
    try add(.saveCalendar(value, base: before), commit: commit, committed: settle, previewed: settle) {
      calendar.saved = before
    }
  }

  /// Removes a calendar.
  func remove(_ calendar: EKCalendar, commit: Bool) throws {
    try validateRemoval(calendar)
    guard calendar.saved != nil else { return commit ? try self.commit() : () }
    let id = calendar.value.id
    func forget(_: ItemChanges) { lock.withLock { calendarObjects[id] = nil } }
    try add(
      .removeCalendar(id, entities: changeable(calendar.value.entities)), commit: commit, committed: forget,
      previewed: forget
    ) { [self] in
      adopt(calendar)
    }
  }
}

extension EKEvent {
  /// True for an event from the store whose rules have changed.
  var isRuleChanged: Bool {
    original.map { $0.item.recurrence?.rules ?? [] != current.item.recurrence?.rules ?? [] } ?? false
  }

  /// The item from the store, with this occurrence's times.
  func base(of original: ItemState) -> CalendarItem {
    var item = original.item
    if occurrence != nil, !isDetached, let times = occurrenceTimes(original) {
      item.event?.start = times.start
      item.event?.end = times.end
    }
    return item
  }

  /// Takes the saved values.
  func adopt(_ item: CalendarItem, keepingChanges: Bool) {
    guard let details = item.event else { return }
    let resolver = session.resolver
    occurrence =
      item.detachment?.occurrence ?? (item.recurrence == nil ? nil : details.start)
    let state = ItemState(event: item, start: details.start, end: details.end, resolver: resolver)
    if keepingChanges { rebase(onto: state, original: state) } else { load(state, original: state) }
  }

  /// Clears everything but the identifier, for a removed event.
  func forget() {
    guard let original else { return }
    var blank = ItemState(.event, zone: session.defaultZone)
    blank.item.id = original.item.id
    blank.item.uid = original.item.uid
    var kept = blank
    kept.item.id = original.item.id
    isRemoved = true
    occurrence = nil
    load(blank, original: kept)
  }
}

extension ItemOperation.Span {
  /// The span of an API call.
  fileprivate init(_ span: EKSpan) { self = span == .thisEvent ? .this : .future }
}
