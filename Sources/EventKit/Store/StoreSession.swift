import CalendarModel
import CalendarStore
import Foundation
import Recurrence
import Synchronization

/// What an `EKEventStore` and its objects share: the open store, who the app is, what it may do, and what is
/// saved and not committed.
///
/// `@unchecked Sendable`: its variables are reached only under `lock`, but for `eventStore`, which is set once
/// before anybody else can see the session.
final class StoreSession: @unchecked Sendable {
  let location: StoreLocation
  let app: AppIdentity
  /// The sources that may be seen; `nil` for all.
  let sourceFilter: Set<Identifier<Source>>?
  /// The zone for floating times where it is not to be the default one.
  let zoneOverride: TimeZoneID?
  weak var eventStore: EKEventStore?

  /// Recursive, for objects of the store call back into it while they are loaded.
  let lock = NSRecursiveLock()
  private var open: OpenStore?
  /// How often the store was reset. Each object asks when it is made.
  private let resets = Atomic(0)
  /// True while a notification of a change waits to be posted.
  private let isPosting = Atomic(false)
  var pending = PendingChanges()
  var calendarObjects: [Identifier<ItemCalendar>: EKCalendar] = [:]
  /// Those of `calendarObjects` that are as the store has them since `freshAt`, a place in its log.
  var freshCalendars: Set<Identifier<ItemCalendar>> = []
  var freshAt: Int64 = -1
  var sourceObjects: [Identifier<Source>: EKSource] = [:]
  var waitingRequests: [WaitingRequest] = []
  private var changeHandlers: [UUID: @Sendable () -> Void] = [:]

  init(
    location: StoreLocation, app: AppIdentity = .current, sourceFilter: Set<Identifier<Source>>? = nil,
    zone: TimeZoneID? = nil
  ) {
    self.location = location
    self.app = app
    self.sourceFilter = sourceFilter
    zoneOverride = zone
  }

  /// What objects have that were made without a store. Nothing is ever opened there.
  static let none = StoreSession(location: .nowhere)

  // MARK: Time

  /// The zones that the store knows, and the default one, in which floating times and whole days are read.
  var resolver: TimeResolver {
    TimeResolver(zones: lock.withLock { open }?.zones ?? .system, floating: defaultZone)
  }

  /// The default time zone.
  var defaultZone: TimeZoneID { zoneOverride ?? TimeZoneID(NSTimeZone.default) }

  /// What time it is.
  var now: Instant { Date().instant }

  // MARK: The store

  /// The store, opened now if need be; one is begun where there is none.
  func openStore() throws -> OpenStore {
    try lock.withLock {
      if let open { return open }
      let opened = try OpenStore.at(location)
      open = opened
      opened.add(self)
      return opened
    }
  }

  /// The store, opened if need be; `nil` where there is none, or it can't be opened.
  func storeIfAny() -> CalendarStore? {
    let isOpen = lock.withLock { open != nil }
    guard isOpen || location.exists else { return nil }
    return try? openStore().store
  }

  /// The last change of the open store that this process knows of; `nil` while it is not open.
  var knownChange: Int64? { lock.withLock { open?.knownChange } }

  /// Looks for changes of other processes, if the store is open.
  func lookForChanges() { _ = lock.withLock { open }?.checkForChanges() }

  /// How often the store was reset.
  var generation: Int { resets.load(ordering: .acquiring) }

  /// Forgets what was saved and not committed, and all objects.
  func reset() {
    lock.withLock {
      giveUpPending()
      resets.add(1, ordering: .acquiringAndReleasing)
      for calendar in calendarObjects.values { calendar.rollback() }
      calendarObjects = calendarObjects.filter { $0.value.saved != nil }
    }
  }

  /// Lets go of all objects, as nobody can ask for them any more: they hold this session, and would keep it for ever.
  func storeIsGone() {
    lock.withLock {
      pending = PendingChanges()
      calendarObjects = [:]
      sourceObjects = [:]
    }
  }

  /// Somebody changed the store: an app's objects may be out of date, and requests may have been answered.
  func storeDidChange() {
    answerWaitingRequests()
    let handlers = lock.withLock { Array(changeHandlers.values) }
    for handler in handlers { handler() }
    // One that waits to be posted says it all.
    guard !isPosting.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Not by DispatchQueue.main: an observer with the queue `.main` is called there by an operation that its poster
    // waits for, and only within another operation does Foundation know that it is there already.
    OperationQueue.main.addOperation { [self] in
      MainActor.assumeIsolated {
        isPosting.store(false, ordering: .releasing)
        guard let eventStore else { return }
        NotificationCenter.default.post(name: .EKEventStoreChanged, object: eventStore)
        // Here the one does not bring the other along, as it does on Apple's systems.
        NotificationCenter.default.post(EKEventStore.EventStoreChanged(), subject: eventStore)
      }
    }
  }

  /// Calls `handler` at each change from now on, until ``stopObserving(_:)``.
  func observe(_ handler: @escaping @Sendable () -> Void) -> UUID {
    let id = UUID()
    lock.withLock { changeHandlers[id] = handler }
    return id
  }

  /// Ends what ``observe(_:)`` began.
  func stopObserving(_ id: UUID) { lock.withLock { changeHandlers[id] = nil } }

  // MARK: Committing

  /// Adds a change, and where it is to be committed commits it with all others that wait.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - committed: Called once it is on disk, with what it did to items.
  ///   - previewed: Called at once where it waits, with what it is going to do as far as can be told.
  ///   - undo: Called where it comes to nothing.
  func add(
    _ change: PendingChanges.Change, commit: Bool, committed: @escaping (ItemChanges) -> Void,
    previewed: (ItemChanges) -> Void, undo: @escaping () -> Void
  ) throws {
    try lock.withLock {
      let entry = PendingChanges.Entry(change: change, committed: committed, undo: undo)
      pending.entries.append(entry)
      if commit { return }
      do {
        previewed(try preview(change))
      } catch {
        pending.entries.removeLast()
        throw EKError.make(error)
      }
    }
    if commit { try self.commit() }
  }

  /// Shows a change to whoever looks before it is committed.
  private func preview(_ change: PendingChanges.Change) throws -> ItemChanges {
    switch change {
    case .item(let operation):
      let changes = try changes(of: operation)
      pending.items.apply(changes)
      return changes
    case .saveCalendar(let calendar, _):
      pending.calendars[calendar.id] = calendar
      pending.removedCalendars.remove(calendar.id)
    case .removeCalendar(let id, let entities):
      pending.items.hide(entities, in: id)
      if var calendar = storedCalendar(id), !calendar.entities.isSubset(of: entities) {
        calendar.entities.subtract(entities)
        pending.calendars[id] = calendar
      } else {
        pending.calendars[id] = nil
        pending.removedCalendars.insert(id)
      }
    }
    return ItemChanges()
  }

  /// A function of its own, so that nobody holds the pending items while more are added to them: they would be copied.
  private func changes(of operation: ItemOperation) throws -> ItemChanges {
    let visible = VisibleItems(store: try openStore().store, pending: pending.items)
    return try operation.changes(in: visible, resolver: resolver, now: now)
  }

  /// Puts all that waits on disk, in one transaction. Where that fails, none of it waits any longer.
  func commit() throws {
    // Listeners are told without the lock: they take locks of their own.
    try lock.withLock { try commitPending() }?.checkForChanges()
  }

  /// Does `body`, and where that fails and was to be committed gives up all that waits, as Apple's does (TN3130).
  func givingUpPending<Result>(if isCommitted: Bool, _ body: () throws -> Result) rethrows -> Result {
    do {
      return try body()
    } catch {
      if isCommitted { giveUpPending() }
      throw error
    }
  }

  /// Gives up all that waits, and tells its objects.
  private func giveUpPending() {
    lock.withLock {
      let entries = pending.entries
      pending = PendingChanges()
      for entry in entries.reversed() { entry.undo() }
    }
  }

  /// - Returns: The store, if there was anything to put there.
  private func commitPending() throws -> OpenStore? {
    let entries = pending.entries
    guard !entries.isEmpty else { return nil }
    pending = PendingChanges()
    let results: [ItemChanges]
    let open: OpenStore
    do {
      open = try openStore()
      let (resolver, now) = (resolver, now)
      results = try open.store.write { writer in
        var results: [ItemChanges] = []
        for entry in entries {
          results.append(try writer.perform(entry.change, resolver: resolver, now: now))
        }
        return results
      }
    } catch {
      for entry in entries.reversed() { entry.undo() }
      throw EKError.make(error)
    }
    for (entry, changes) in zip(entries, results) { entry.committed(changes) }
    return open
  }
}

extension StoreWriter {
  /// Makes a change. When alarms are due follows from the store's log of changes (`ChangeFollower`).
  fileprivate func perform(
    _ change: PendingChanges.Change, resolver: TimeResolver, now: Instant
  ) throws -> ItemChanges {
    switch change {
    case .item(let operation):
      let changes = try operation.changes(in: reader, resolver: resolver, now: now)
      for id in changes.removed { try remove(id) }
      for item in changes.saved { try save(item) }
      return changes
    case .saveCalendar(let calendar, let base):
      let stored = try reader.calendar(calendar.id)
      if let base, let stored {
        try save(calendar.merging(stored, since: base))
      } else {
        try save(calendar)
      }
    case .removeCalendar(let id, let entities):
      try removeCalendar(id, entities: entities)
    }
    return ItemChanges()
  }

  /// Removes a calendar, or, where the app may only reach one kind of items in it, those.
  private func removeCalendar(
    _ id: Identifier<ItemCalendar>, entities: ItemCalendar.Entities
  ) throws {
    guard var calendar = try reader.calendar(id) else { return }
    guard !calendar.entities.isSubset(of: entities) else {
      try remove(id)
      return
    }
    for item in try reader.items(in: id) where entities.contains(item.isEvent ? .events : .reminders) {
      try remove(item.id)
    }
    calendar.entities.subtract(entities)
    try save(calendar)
  }
}
