import Glibc
import Synchronization

/// Sees to it that one engine at a time lets the alarms of a store go off, of the daemon, of apps and of recordings: a
/// file beside the store that is locked as long as the engine has this, and that the system unlocks whichever way its
/// process ends.
///
/// Each engine knows by heart where devices are and what was told, so a second one would take alarms from the first.
public final class StoreLock: Sendable {
  private enum Hold {
    case file(Int32)
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
    let path = store.path + ".daemon"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .system(path: path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let error: StoreError =
        errno == EWOULDBLOCK ? StoreError(path: store.path, reason: .watched) : .system(path: path)
      close(descriptor)
      throw error
    }
    hold = .file(descriptor)
  }

  deinit {
    switch hold {
    case .file(let descriptor): close(descriptor)
    case .memory(let store): store.isWatched.store(false, ordering: .releasing)
    }
  }
}
