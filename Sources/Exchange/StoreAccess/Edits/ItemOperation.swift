import FencepostActions
public import FencepostCalendarModel
public import FencepostCalendarStore
public import FencepostRecurrence

/// A source of items for an operation: the store within a transaction, or the store with pending changes.
public protocol ItemLookup: ~Copyable {
  /// The item with an identifier.
  func item(_ id: Identifier<CalendarItem>) throws -> CalendarItem?
  /// The items with a UID.
  func items(uid: String) throws -> [CalendarItem]
}

extension StoreReader: ItemLookup {}

/// A requested save or removal. If it waits for a commit, its changes are computed twice: at the request to
/// show them, and in the transaction from the store's current items.
public enum ItemOperation: Hashable, Sendable {
  /// The occurrences of a series that a change concerns.
  public enum Span: Int, Hashable, Sendable, CaseIterable {
    /// One occurrence.
    case this = 0
    /// One occurrence and all later ones.
    case future
  }

  /// Saves a whole item. `base` is its value when it was loaded; `nil` for a new item.
  case save(CalendarItem, base: CalendarItem?)
  /// Changes one occurrence of a series, or also all later ones.
  case saveOccurrence(EditableSeries.Edit, master: Identifier<CalendarItem>, uid: String, span: Span)
  /// Removes an item with its detached occurrences.
  case remove(CalendarItem)
  /// Removes one occurrence of a series, or also all later ones.
  case removeOccurrence(CalendarTime, item: CalendarItem, span: Span)

  /// Its changes to the items in `items`.
  ///
  /// - Parameter now: The modification date of the items.
  public func changes(in items: borrowing some ItemLookup & ~Copyable, resolver: TimeResolver, now: Instant)
    throws
    -> ItemChanges
  {
    switch self {
    case .save(let item, let base):
      return try Self.saving(item, base: base, in: items, resolver: resolver, now: now)
    case .saveOccurrence(let edit, let master, let uid, let span):
      guard let series = try Self.series(master, uid: uid, in: items, resolver: resolver) else {
        // The series is gone, so the edited occurrence becomes a separate event.
        return try Self.saving(
          edit.edited.standalone(as: edit.newID), base: nil, in: items, resolver: resolver, now: now)
      }
      let changes = span == .this ? series.detaching(edit) : series.changingFuture(edit)
      return changes.stamped(now)
    case .remove(let item):
      let detached =
        item.detachment == nil && item.recurrence != nil
        ? try items.items(uid: item.uid).filter { $0.calendar == item.calendar && $0.detachment != nil } : []
      return ItemChanges(removed: [item.id] + detached.map(\.id))
    case .removeOccurrence(let occurrence, let item, let span):
      guard let series = try Self.series(item.id, uid: item.uid, in: items, resolver: resolver) else {
        return ItemChanges(removed: [item.id])
      }
      let changes =
        span == .this ? series.removing(occurrence) : series.removingFuture(from: occurrence)
      return changes.stamped(now)
    }
  }

  private static func saving(
    _ item: CalendarItem, base: CalendarItem?, in items: borrowing some ItemLookup & ~Copyable,
    resolver: TimeResolver, now: Instant
  ) throws -> ItemChanges {
    var item = item
    var wasCompleted = false
    if let stored = try items.item(item.id) {
      item = base.map { item.merging(stored, since: $0) } ?? item
      wasCompleted = stored.reminder?.isCompleted ?? false
    }
    if item.reminder?.isCompleted == true, !wasCompleted {
      let completed = item.reminder?.completed
      let closed = try items.items(uid: item.uid)
        .filter { $0.calendar == item.calendar && $0.reminder != nil && $0.isSilenced }
        .compactMap(\.detachment?.occurrence)
      if var done = item.complete(at: now, closed: closed, resolver: resolver) {
        done.reminder?.completed = completed ?? now
        return ItemChanges(saved: [item, done], subject: item).stamped(now)
      }
    }
    return ItemChanges(saved: [item], subject: item).stamped(now)
  }

  /// The series of an item; `nil` if it is gone or no longer recurs.
  private static func series(
    _ item: Identifier<CalendarItem>, uid: String, in items: borrowing some ItemLookup & ~Copyable,
    resolver: TimeResolver
  ) throws -> EditableSeries? {
    let all = try items.items(uid: uid)
    guard let calendar = all.first(where: { $0.id == item })?.calendar else { return nil }
    return EditableSeries(all.filter { $0.calendar == calendar }, resolver: resolver)
  }
}

extension ItemChanges {
  /// The changes with their modification date.
  fileprivate func stamped(_ now: Instant) -> ItemChanges {
    var changes = self
    changes.saved = saved.map { $0.stamped(now) }
    changes.subject = subject?.stamped(now)
    return changes
  }
}

extension CalendarItem {
  /// This item, changed at a time.
  func stamped(_ now: Instant) -> CalendarItem {
    var item = self
    item.created = created ?? now
    item.lastModified = now
    return item
  }

  /// This item without its series.
  fileprivate func standalone(as id: Identifier<CalendarItem>) -> CalendarItem {
    var item = self
    item.id = id
    item.uid = id.rawValue
    item.detachment = nil
    item.recurrence = nil
    return item
  }
}
