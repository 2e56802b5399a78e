public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostICalendar
import FencepostReconciliation

/// Takes back a value that a merge could not keep.
public struct ConflictRestorer {
  /// The current time.
  private let now: Instant

  /// A restorer at a time.
  public init(at now: Instant) { self.now = now }

  /// Puts the lost value of a conflict in place of the kept one, and forgets the conflict. The change is sent
  /// to the server like any other.
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - calendar: The calendar in which it was found. The item may be in another one of the account now.
  /// - Throws: ``SyncFailure`` if the item was changed or removed since.
  public func restore(
    _ conflict: SyncConflict, in calendar: Identifier<ItemCalendar>, with writer: borrowing StoreWriter
  ) throws {
    let all = try writer.reader.items(uid: conflict.uid)
    let place = all.contains { $0.calendar == calendar } ? calendar : all.first?.calendar ?? calendar
    let items = all.filter { $0.calendar == place }
    let zones = try writer.reader.timeZoneDefinitions()
    guard !items.isEmpty, let tree = ComponentTree(ObjectText.text(of: items, zones: zones)) else {
      throw SyncFailure("'\(conflict.title)' is not here any more")
    }
    let loss = MergeLoss(
      loser: conflict.loser == "local" ? .local : .remote, title: conflict.title,
      occurrence: conflict.occurrence, property: conflict.property, kept: conflict.kept, lost: conflict.lost)
    guard let restored = loss.restored(in: tree) else {
      throw SyncFailure("'\(conflict.title)' was changed since; edit it instead")
    }
    let hasItems = restored.components.contains { ["VEVENT", "VTODO"].contains($0.name) }
    if hasItems {
      guard let content = ObjectText.read(restored, in: place) else {
        throw SyncFailure("the lost value of '\(conflict.title)' can't be read; edit it instead")
      }
      try content.save(over: items, in: place, at: now, isEdit: true, writer: writer)
    } else {
      for item in items { try writer.remove(item.id) }
    }
    try writer.removeSyncConflict(conflict.number)
  }
}
