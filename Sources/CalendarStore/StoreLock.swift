import Synchronization
import System

/// Sees to it that one engine at a time lets the alarms of a store go off, of the daemon, of apps and of recordings: a
/// file beside the store that is locked as long as the engine has this, and that the system unlocks whichever way its
/// process ends.
///
/// Each engine knows by heart where devices are and what was told, so a second one would take alarms from the first.
public final class StoreLock: Sendable {
  private enum Hold {
    case file(FileLock)
    case memory(CalendarStore)
  }

  private let hold: Hold

  /// Takes the lock on `store`.
  ///
  /// - Throws: ``StoreError``: ``StoreError/Reason/watched`` where somebody has it.
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
