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
    // Where there is no master, a detached item that repeats is one: see ``OccurrenceSeries``.
    let master = items.firstIndex { $0.detachment == nil } ?? items.firstIndex { $0.repeats }
    guard let master, items[master].recurrence != nil else { return nil }
    let detached = items.indices.filter { $0 != master && items[$0].detachment != nil }.map { items[$0] }
    self.init(master: items[master], detached: detached, resolver: resolver)
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

  func instant(_ time: CalendarTime) -> Instant { resolver.instant(of: time) }

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
  var isEmpty: Bool {
    var occurrences = OccurrenceSeries([master] + detached, resolver: resolver).occurrences
    return occurrences.next() == nil
  }

  func isFrom(_ occurrence: CalendarTime, _ item: CalendarItem) -> Bool {
    item.detachment.map { instant($0.occurrence) >= instant(occurrence) } ?? false
  }

  /// The detached item that stands for an occurrence.
  func detachedItem(for occurrence: CalendarTime) -> CalendarItem? {
    detached.first { $0.detachment.map { instant($0.occurrence) == instant(occurrence) } ?? false }
  }

  /// The item that stands for an occurrence by itself, or one made of the master that would; `nil` where there is no such
  /// occurrence.
  ///
  /// - Parameters:
  ///   - occurrence: The start that the rule gave it, in any form that a RECURRENCE-ID may have.
  ///   - newID: The identifier of the item where it has to be made.
  public func standIn(for occurrence: CalendarTime, newID: Identifier<CalendarItem>) -> CalendarItem? {
    guard let anchor = master.anchor else { return nil }
    let source = SeriesSource(master, anchor: anchor, resolver: resolver)
    let local = source.local(occurrence)
    if let standing = detached.first(where: { $0.detachment.map { source.local($0.occurrence) } == local }) {
      return standing
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

  // MARK: This event

  /// Changes one occurrence: an item of its own stands for it from now on.
  public func detaching(_ edit: Edit) -> ItemChanges {
    // One that others have detached meanwhile keeps what they changed in it.
    let standing = detachedItem(for: edit.occurrence)
    var item = edit.edited.merging(standing ?? timed(master, by: edit.base), since: edit.base)
    item.id = standing?.id ?? edit.newID
    item.uid = master.uid
    item.recurrence = nil
    item.detachment =
      standing?.detachment
      ?? CalendarItem.Detachment(
        occurrence: resolver.time(instant(edit.occurrence), like: master.anchor ?? edit.occurrence))
    if item.alarms != standing?.alarms { item.alarms = item.alarms.map(\.renamed) }
    guard item.calendar == master.calendar else {
      // A series is in one calendar. What moves to another leaves it.
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

  /// The master with the times of one occurrence, to tell what was edited there.
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
  /// The same alarm for another item.
  var renamed: Alarm {
    var alarm = self
    alarm.id = .random()
    return alarm
  }
}
