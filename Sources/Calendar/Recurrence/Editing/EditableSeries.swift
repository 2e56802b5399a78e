public import FencepostCalendarModel

/// An editable series: the recurring item, and the items for single occurrences.
///
/// It computes changes and removals of "this event" and "this and future events", without side effects. The
/// first uses EXDATE and detached occurrences. The second splits the series: RFC 5545 (section 3.8.4.4) makes
/// RANGE=THISANDFUTURE optional, and most programs split.
public struct EditableSeries: Sendable {
  /// The recurring item.
  public var master: CalendarItem
  /// The items for single occurrences.
  public var detached: [CalendarItem]
  /// Resolves times.
  public let resolver: TimeResolver

  /// A series from a master and its detached occurrences.
  public init(master: CalendarItem, detached: [CalendarItem], resolver: TimeResolver) {
    self.master = master
    self.detached = detached
    self.resolver = resolver
  }

  /// A series from `items` with one UID in one calendar; `nil` if none of them recurs.
  public init?(_ items: [CalendarItem], resolver: TimeResolver) {
    // Without a master, a recurring detached item is one: see ``OccurrenceSeries``.
    let master = items.firstIndex { $0.detachment == nil } ?? items.firstIndex { $0.repeats }
    guard let master, items[master].recurrence != nil else { return nil }
    let detached = items.indices.filter { $0 != master && items[$0].detachment != nil }.map { items[$0] }
    self.init(master: items[master], detached: detached, resolver: resolver)
  }

  /// An edit of one occurrence.
  public struct Edit: Hashable, Sendable {
    /// The occurrence, identified by its original start.
    public var occurrence: CalendarTime
    /// The item before the edit, with the occurrence's times.
    public var base: CalendarItem
    /// The item after the edit, with the occurrence's times.
    public var edited: CalendarItem
    /// The identifier for a new item, if the edit needs one.
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

  // MARK: Finding occurrences

  func instant(_ time: CalendarTime) -> Instant { resolver.instant(of: time) }

  /// Whether the rules give no earlier occurrence, not even an excluded one.
  public func isFirst(_ occurrence: CalendarTime) -> Bool {
    var bare = master
    bare.recurrence?.exceptionDates = []
    bare.recurrence?.exceptionRules = []
    var occurrences = OccurrenceSeries(bare, resolver: resolver).occurrences
    guard let first = occurrences.next() else { return true }
    return first.startInstant >= instant(occurrence)
  }

  /// Whether the series has no occurrences left, including detached ones.
  var isEmpty: Bool {
    var occurrences = OccurrenceSeries([master] + detached, resolver: resolver).occurrences
    return occurrences.next() == nil
  }

  func isFrom(_ occurrence: CalendarTime, _ item: CalendarItem) -> Bool {
    item.detachment.map { instant($0.occurrence) >= instant(occurrence) } ?? false
  }

  /// The detached item for an occurrence.
  func detachedItem(for occurrence: CalendarTime) -> CalendarItem? {
    detached.first { $0.detachment.map { instant($0.occurrence) == instant(occurrence) } ?? false }
  }

  /// The detached item for an occurrence, or a new one made from the master; `nil` if there is no such
  /// occurrence.
  ///
  /// - Parameters:
  ///   - occurrence: Its original start, in any form that a RECURRENCE-ID can have.
  ///   - newID: The identifier for a new item.
  public func detachedItem(for occurrence: CalendarTime, newID: Identifier<CalendarItem>) -> CalendarItem? {
    guard let anchor = master.anchor else { return nil }
    let source = SeriesSource(master, anchor: anchor, resolver: resolver)
    let local = source.local(occurrence)
    if let existing = detached.first(where: { $0.detachment.map { source.local($0.occurrence) } == local }) {
      return existing
    }
    let start = instant(anchor.with(civil: CivilDateTime(secondsSinceEpoch: local)))
    var occurrences = OccurrenceSeries(master, resolver: resolver)
      .occurrences(startingIn: start..<start.adding(seconds: 1))
    guard let found = occurrences.next() else { return nil }
    var item = master
    item.id = newID
    item.recurrence = nil
    item.detachment = CalendarItem.Detachment(occurrence: found.recurrenceID ?? found.start)
    item.event?.start = found.start
    item.event?.end = found.end
    if item.reminder?.start != nil { item.reminder?.start = found.start }
    if item.reminder?.due != nil { item.reminder?.due = found.end }
    item.alarms = item.alarms.map(\.renamed)
    return item
  }

  // MARK: This event only

  /// Changes one occurrence. From now on it has its own item.
  public func detaching(_ edit: Edit) -> ItemChanges {
    // Keep concurrent changes to the detached item.
    let existing = detachedItem(for: edit.occurrence)
    var item = edit.edited.merging(existing ?? timed(master, by: edit.base), since: edit.base)
    item.id = existing?.id ?? edit.newID
    item.uid = master.uid
    item.recurrence = nil
    item.detachment =
      existing?.detachment
      ?? CalendarItem.Detachment(
        occurrence: resolver.time(instant(edit.occurrence), like: master.anchor ?? edit.occurrence))
    if item.alarms != existing?.alarms { item.alarms = item.alarms.map(\.renamed) }
    guard item.calendar == master.calendar else {
      // A series belongs to one calendar. An occurrence that moves to another calendar leaves the series.
      item.id = edit.newID
      item.uid = edit.newID.rawValue
      item.detachment = nil
      var changes = removing(edit.occurrence)
      changes.saved.append(item)
      changes.subject = item
      return changes
    }
    return ItemChanges(saved: [item], subject: item)
  }

  /// Removes one occurrence.
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

  /// The master with the times of one occurrence, as the base to detect edits.
  func timed(_ item: CalendarItem, by occurrence: CalendarItem) -> CalendarItem {
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

extension Alarm {
  /// The same alarm with a new identifier.
  var renamed: Alarm {
    var alarm = self
    alarm.id = .random()
    return alarm
  }
}

/// The items to save and remove after an edit.
public struct ItemChanges: Hashable, Sendable {
  /// Items to save.
  public var saved: [CalendarItem]
  /// Items to remove.
  public var removed: [Identifier<CalendarItem>]
  /// The item that now represents the edited one; `nil` for a removal.
  public var subject: CalendarItem?

  /// Changes.
  public init(
    saved: [CalendarItem] = [], removed: [Identifier<CalendarItem>] = [], subject: CalendarItem? = nil
  ) {
    self.saved = saved
    self.removed = removed
    self.subject = subject
  }
}
