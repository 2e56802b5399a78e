import FencepostApps
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostStoreAccess
import Foundation
import Synchronization

/// The shared state of an `EKEventStore` and its objects: the open store, the app's identity and permissions,
/// and pending changes.
///
/// `@unchecked Sendable`: `lock` guards its variables, except `eventStore`, which is set once before any
/// other code has the session.
final class StoreSession: @unchecked Sendable {
  let location: StoreLocation
  let app: AppIdentity
  /// The visible sources; `nil` for all.
  let sourceFilter: Set<Identifier<Source>>?
  /// The zone of floating times, if it differs from the default one.
  let zoneOverride: TimeZoneID?
  weak var eventStore: EKEventStore?

  /// Recursive, because the store's objects call back while they load.
  let lock = NSRecursiveLock()
  private var open: OpenStore?
  /// The number of resets. Each object stores it at its creation.
  private let resets = Atomic(0)
  /// True while a change notification is waiting.
  private let isPosting = Atomic(false)
  var pending = PendingChanges()
  /// True if changes were pending when another file replaced the store. The next commit fails.
  private var hasLostChanges = false
  var calendarObjects: [Identifier<ItemCalendar>: EKCalendar] = [:]
  /// The members of `calendarObjects` that match the store since `freshAt`, a position in its log.
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

  /// The session of objects without a store. It never opens anything.
  static let none = StoreSession(location: .nowhere)

  // MARK: Time

  /// The store's zones, and the default zone for floating times and whole days.
  var resolver: TimeResolver {
    TimeResolver(zones: lock.withLock { open }?.zones ?? .system, floating: defaultZone)
  }

  /// The default time zone.
  var defaultZone: TimeZoneID { zoneOverride ?? TimeZoneID(NSTimeZone.default) }

  /// The current time.
  var now: Instant { Date().instant }

  // MARK: The store

  /// Opens or creates the store if needed. If another file has replaced it, opens that, like after
  /// ``reset()``.
  func openStore() throws -> OpenStore {
    try lock.withLock {
      // Queries of a store whose file is gone report that themselves.
      if let open, !open.backend.isReplaced || !location.exists { return open }
      let opened = try OpenStore.at(location, for: app)
      let isOther = open != nil
      open = opened
      opened.add(self)
      if isOther {
        freshAt = -1
        hasLostChanges = hasLostChanges || !pending.entries.isEmpty
        reset()
        // Listeners have locks of their own.
        DispatchQueue.global().async { [weak self] in self?.storeDidChange() }
      }
      return opened
    }
  }

  /// Opens the store if needed; `nil` if it does not exist or can't be opened.
  func storeIfAny() -> (any StoreBackend)? {
    let isOpen = lock.withLock { open != nil }
    guard isOpen || location.exists else { return nil }
    return try? openStore().backend
  }

  /// The last change of the open store that this process knows; `nil` if it is not open.
  var knownChange: Int64? { lock.withLock { open?.knownChange } }

  /// Checks for changes of other processes, if the store is open.
  func lookForChanges() { _ = lock.withLock { open }?.checkForChanges() }

  /// The number of resets.
  var generation: Int { resets.load(ordering: .acquiring) }

  /// Discards pending changes and all objects.
  func reset() {
    lock.withLock {
      discardPending()
      resets.add(1, ordering: .acquiringAndReleasing)
      for calendar in calendarObjects.values { calendar.rollback() }
      calendarObjects = calendarObjects.filter { $0.value.saved != nil }
    }
  }

  /// Releases all objects, because no app code can reach them. They hold this session and would keep it
  /// alive.
  func releaseObjects() {
    lock.withLock {
      pending = PendingChanges()
      calendarObjects = [:]
      sourceObjects = [:]
    }
  }

  /// Handles a change of the store: an app's objects may be outdated, and requests may have an answer.
  func storeDidChange() {
    answerWaitingRequests()
    let handlers = lock.withLock { Array(changeHandlers.values) }
    for handler in handlers { handler() }
    // One waiting notification is enough.
    guard !isPosting.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // Not DispatchQueue.main: for an observer with the queue `.main`, the poster waits for an operation on
    // it. Foundation detects that it is already there only within another operation.
    OperationQueue.main.addOperation { [self] in
      MainActor.assumeIsolated {
        isPosting.store(false, ordering: .releasing)
        guard let eventStore else { return }
        NotificationCenter.default.post(name: .EKEventStoreChanged, object: eventStore)
        // Unlike on Apple's systems, posting one does not post the other.
        NotificationCenter.default.post(EKEventStore.EventStoreChanged(), subject: eventStore)
      }
    }
  }

  /// Calls `handler` for each change from now on, until ``stopObserving(_:)``.
  func observe(_ handler: @escaping @Sendable () -> Void) -> UUID {
    let id = UUID()
    lock.withLock { changeHandlers[id] = handler }
    return id
  }

  /// Stops an observation.
  func stopObserving(_ id: UUID) { lock.withLock { changeHandlers[id] = nil } }

  // MARK: Committing

  /// Adds a change. With `commit`, commits it with all pending changes.
  ///
  /// - Parameters:
  ///   - edit: The change.
  ///   - committed: Called after the commit with the changes to items.
  ///   - previewed: Called at once if the change is pending, with the expected changes.
  ///   - undo: Called if the change is discarded.
  func add(
    _ edit: StoreEdit, commit: Bool, committed: @escaping (ItemChanges) -> Void,
    previewed: (ItemChanges) -> Void, undo: @escaping () -> Void
  ) throws {
    try lock.withLock {
      let entry = PendingChanges.Entry(edit: edit, committed: committed, undo: undo)
      pending.entries.append(entry)
      if commit { return }
      do {
        previewed(try preview(edit))
      } catch {
        pending.entries.removeLast()
        throw EKError.make(error)
      }
    }
    if commit { try self.commit() }
  }

  /// Makes a pending change visible.
  private func preview(_ edit: StoreEdit) throws -> ItemChanges {
    switch edit {
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

  /// A separate function, so that no copy of the pending items exists while more are added. A copy would be
  /// expensive.
  private func changes(of operation: ItemOperation) throws -> ItemChanges {
    let visible = VisibleItems(store: try openStore().backend, pending: pending.items)
    return try operation.changes(in: visible, resolver: resolver, now: now)
  }

  /// Commits all pending changes in one transaction. If that fails, discards them.
  func commit() throws {
    // Notify the listeners without the lock, because they use their own locks.
    try lock.withLock { try commitPending() }?.checkForChanges()
  }

  /// Runs `body`. If it fails and includes a commit, discards all pending changes, like Apple's (TN3130).
  func discardingPendingOnFailure<Result>(if isCommitted: Bool, _ body: () throws -> Result) rethrows
    -> Result
  {
    do {
      return try body()
    } catch {
      if isCommitted { discardPending() }
      throw error
    }
  }

  /// Discards all pending changes and notifies their objects.
  private func discardPending() {
    lock.withLock {
      let entries = pending.entries
      pending = PendingChanges()
      for entry in entries.reversed() { entry.undo() }
    }
  }

  /// - Returns: The store, if there was a change.
  private func commitPending() throws -> OpenStore? {
    let entries = pending.entries
    guard !entries.isEmpty || hasLostChanges else { return nil }
    pending = PendingChanges()
    let generation = generation
    let results: [ItemChanges]
    let open: OpenStore
    do {
      open = try openStore()
      // The changes belong to the store whose file is gone.
      guard generation == self.generation, !hasLostChanges else {
        hasLostChanges = false
        throw StoreError(path: (try? open.store.path) ?? "", reason: .replaced)
      }
      results = try open.backend.commit(entries.map(\.edit), resolver: resolver, now: now)
    } catch {
      for entry in entries.reversed() { entry.undo() }
      throw EKError.make(error)
    }
    for (entry, changes) in zip(entries, results) { entry.committed(changes) }
    return open
  }
}
