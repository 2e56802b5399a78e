public import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostSystem
import Glibc

/// Synchronizes a list with a folder (a vdir: one file for each object), like ``AccountKeeper``.
public struct FolderKeeper: Sendable {
  private let store: CalendarStore

  /// The folders of a store.
  public init(store: CalendarStore) { self.store = store }

  /// Synchronizes a list with the files of a folder. The first time, each side gets everything from the
  /// other.
  ///
  /// - Parameters:
  ///   - path: The folder, which must exist.
  ///   - list: The list; `nil` for the list of the last synchronization.
  ///   - options: The options.
  ///   - now: The current time.
  /// - Throws: ``SyncFailure`` if the folder can't be used, or belongs to another list; and errors of the store.
  public func synchronize(
    _ path: String, with list: Identifier<ItemCalendar>?, options: SyncOptions = SyncOptions(),
    at now: Instant
  ) throws -> SyncCounts {
    guard let resolved = realpath(path, nil) else {
      throw SyncFailure("can't read \(path): \(String(cString: strerror(errno)))")
    }
    defer { free(resolved) }
    let folder = String(cString: resolved)
    let (collection, isWritable) = try store.write { writer -> (SyncedCalendar, Bool) in
      let known = try self.collection(of: folder, list, in: writer)
      return (known, try writer.reader.calendar(known.calendar)?.allowsContentModifications ?? false)
    }
    let sync = CollectionSync(
      store: store, peer: FolderPeer(path: folder), collection: collection, isWritable: isWritable,
      options: options,
      now: now)
    let isShared = store.path != ":memory:"
    let lock: FileLock? = isShared ? try FileLock(path: "\(store.path).sync-\(collection.account)") : nil
    if isShared && lock == nil { throw SyncFailure("another program is synchronizing this folder") }
    defer { withExtendedLifetime(lock) {} }
    try sync.run()
    return sync.counts
  }

  /// The record of a folder. Adds a new one.
  private func collection(
    of folder: String, _ list: Identifier<ItemCalendar>?, in writer: borrowing StoreWriter
  ) throws -> SyncedCalendar {
    for account in try writer.reader.syncAccounts() where account.kind == .folder && account.address == folder
    {
      guard let known = try writer.reader.syncedCalendars(of: account.number).first else {
        // Its list was removed.
        try writer.removeSyncAccount(account.number)
        break
      }
      guard list == nil || known.calendar == list else {
        let title = try writer.reader.calendar(known.calendar)?.title ?? ""
        throw SyncFailure("\(folder) belongs to the list '\(title)'")
      }
      return known
    }
    guard let list else { throw SyncFailure("\(folder) is new; name its list with --list") }
    guard try writer.reader.syncedCalendar(of: list) == nil else {
      throw SyncFailure("this list is already synchronized with an account or another folder")
    }
    var account = SyncAccount(kind: .folder, address: folder)
    try writer.save(&account)
    var collection = SyncedCalendar(account: account.number, calendar: list, name: "")
    try writer.save(&collection)
    return collection
  }
}
