public import FencepostDatabase
import FencepostSystem
import Synchronization

/// Ensures that only one engine of the daemon, of apps and of recordings uses a store. The engine locks a
/// file beside the store; the system unlocks it however the process ends.
///
/// Each engine keeps the positions of devices and the alarms that went off in memory, so a second one would
/// take alarms from the first.
public final class StoreLock: Sendable {
  private enum Hold {
    case file(FileLock)
    case memory(CalendarStore)
  }

  private let hold: Hold

  /// Takes the lock on `store`.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Reason/watched`` if it is taken.
  public init(of store: CalendarStore) throws(StoreError) {
    if store.isInMemory {
      guard !store.isWatched.exchange(true, ordering: .acquiringAndReleasing) else {
        throw StoreError(path: store.path, reason: .watched)
      }
      hold = .memory(store)
      return
    }
    guard let lock = try StoreError.lock(store.path + ".daemon") else {
      throw StoreError(path: store.path, reason: .watched)
    }
    hold = .file(lock)
  }

  deinit {
    if case .memory(let store) = hold { store.isWatched.store(false, ordering: .releasing) }
  }
}
