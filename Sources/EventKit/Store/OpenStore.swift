import CalendarModel
import CalendarStore
import Foundation
import Recurrence
import Synchronization

/// A store that is open in this process, with all that listens to it: one for each file, however many
/// ``EKEventStore``s there are.
final class OpenStore: Sendable {
  let store: CalendarStore
  let location: StoreLocation
  private let listeners = Mutex<[Listener]>([])
  private let seen: Mutex<Int64>
  private let watcher = Mutex<FileWatcher?>(nil)

  private struct Listener: Sendable {
    weak var session: StoreSession?
  }

  private struct Entry: Sendable {
    weak var open: OpenStore?
  }

  private static let entries = Mutex<[StoreLocation: Entry]>([:])

  /// The store at a place; opened, and where there is none begun, if no one in this process has it open.
  static func at(_ location: StoreLocation) throws -> OpenStore {
    let location = location.resolved
    return try entries.withLock { entries in
      if let open = entries[location]?.open { return open }
      entries = entries.filter { $0.value.open != nil }
      let open = try OpenStore(location)
      entries[location] = Entry(open: open)
      return open
    }
  }

  private init(_ location: StoreLocation) throws {
    self.location = location
    switch location {
    case .file(let path): store = try CalendarStore(path: path)
    case .memory: store = try CalendarStore()
    }
    seen = Mutex(try store.read { try $0.lastChange() })
    try registerZones()
  }

  /// Makes the zones that came with files known, those excepted that are known already.
  private func registerZones() throws {
    for zone in try store.read({ try $0.timeZoneDefinitions() })
    where TimeZoneDatabase.system.zone(zone.id) == nil {
      TimeZoneDatabase.system.register(zone)
    }
  }

  // MARK: Changes

  /// The last change that this process knows of, as a place in the store's log.
  var knownChange: Int64 { seen.withLock { $0 } }

  /// Tells a session of changes from now on, those of other processes too.
  func add(_ session: StoreSession) {
    listeners.withLock { listeners in
      listeners.removeAll { $0.session == nil }
      listeners.append(Listener(session: session))
    }
    guard case .file(let path) = location else { return }
    watcher.withLock { watcher in
      if watcher == nil {
        watcher = FileWatcher(path: path) { [weak self] in self?.checkForChanges() ?? false }
      }
    }
  }

  /// Tells the listeners, if the store's log is longer than when they were last told.
  ///
  /// - Returns: Whether it was.
  @discardableResult
  func checkForChanges() -> Bool {
    guard let last = try? store.read({ try $0.lastChange() }) else { return false }
    let isNews = seen.withLock { seen in
      defer { seen = max(seen, last) }
      return last > seen
    }
    guard isNews else { return false }
    try? registerZones()
    let sessions = listeners.withLock { $0.compactMap(\.session) }
    for session in sessions { session.storeDidChange() }
    return true
  }
}
