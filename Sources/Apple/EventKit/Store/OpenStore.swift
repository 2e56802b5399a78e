import FencepostApps
import FencepostCalendarModel
package import FencepostCalendarStore
package import FencepostConfiguration
package import FencepostRecurrence
import Foundation
import Synchronization

/// An open store with its listeners. There is one for each file in this process, even with several
/// ``EKEventStore``s.
package final class OpenStore: Sendable {
  package let store: CalendarStore
  let location: StoreLocation
  /// The system's zones, and zones from files in this store.
  package let zones = TimeZoneDatabase(systemOf: .system)
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

  /// The store at a location. Opens it, or creates it, unless this process has that file open.
  package static func at(_ location: StoreLocation) throws -> OpenStore {
    let location = location.resolved
    return try entries.withLock { entries in
      if let open = entries[location]?.open, !open.store.isReplaced { return open }
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
    case .unknown(let error): throw error
    case .nowhere: throw EKError.make(.objectBelongsToDifferentStore)
    }
    let (last, definitions) = try store.read { (try $0.lastChange(), try $0.timeZoneDefinitions()) }
    seen = Mutex(last)
    zones.replaceDefinitions(with: definitions)
  }

  // MARK: Changes

  /// The new entries of the store's log.
  private struct LogUpdate {
    /// The last change.
    var last: Int64
    /// The zones from files, if they may have changed.
    var definitions: [TimeZoneDefinition]?

    /// The most changes to search for zone changes.
    private static let most = 1_000

    init(after known: Int64, in reader: borrowing StoreReader) throws {
      last = try reader.lastChange()
      guard last > known else { return }
      let changes = try reader.changes(after: known, limit: Self.most)
      let isWhole = changes.first?.sequence == known + 1 && changes.last?.sequence == last
      if !isWhole || changes.contains(where: { $0.entity == .timeZone }) {
        definitions = try reader.timeZoneDefinitions()
      }
    }
  }

  /// The last change that this process knows, as a position in the store's log.
  var knownChange: Int64 { seen.withLock { $0 } }

  /// Notifies a session of changes from now on, including those of other processes.
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

  /// Notifies the listeners if the store's log has new entries.
  ///
  /// - Returns: True if it has.
  @discardableResult
  package func checkForChanges() -> Bool {
    guard !store.isReplaced else {
      // Each session opens the new one, if it is whole.
      let sessions = listeners.withLock { $0.compactMap(\.session) }
      return sessions.allSatisfy { session in (try? session.openStore()).map { $0 !== self } ?? false }
    }
    // Under the lock, so that an older result can't overwrite a newer one.
    let hasUpdate = seen.withLock { seen in
      guard let update = try? store.read({ [seen] in try LogUpdate(after: seen, in: $0) }), update.last > seen
      else {
        return false
      }
      if let definitions = update.definitions { zones.replaceDefinitions(with: definitions) }
      seen = update.last
      return true
    }
    guard hasUpdate else { return false }
    let sessions = listeners.withLock { $0.compactMap(\.session) }
    for session in sessions { session.storeDidChange() }
    return true
  }
}

/// The location of an app's events and reminders.
package enum StoreLocation: Hashable, Sendable {
  /// In a file.
  case file(String)
  /// In memory, as long as an ``EKEventStore`` or one of its objects exists. Each has its own.
  case memory(UUID)
  /// Unknown, because the settings can't be read. Any other location would be wrong.
  case unknown(ConfigurationError)
  /// No store, for objects created without one.
  case nowhere

  /// The same location as that of the program `fencepost`: `FENCEPOST_STORE`, otherwise the settings,
  /// otherwise `fencepost/calendar.sqlite` in `XDG_DATA_HOME`, or in `~/.local/share` by default.
  package static var standard: StoreLocation {
    var environment = ProcessInfo.processInfo.environment
    if environment["HOME", default: ""].isEmpty { environment["HOME"] = NSHomeDirectory() }
    do {
      return .file(try StandardPaths(environment: environment).store() ?? "calendar.sqlite")
    } catch {
      return .unknown(error)
    }
  }

  /// The canonical form of the location, without symbolic links.
  var resolved: StoreLocation {
    guard case .file(let path) = self else { return self }
    let file = URL(fileURLWithPath: path).standardizedFileURL
    if FileManager.default.fileExists(atPath: file.path) { return .file(file.resolvingSymlinksInPath().path) }
    let directory = file.deletingLastPathComponent().resolvingSymlinksInPath()
    return .file(directory.appendingPathComponent(file.lastPathComponent).path)
  }

  /// True if the store exists.
  var exists: Bool {
    switch self {
    case .file(let path): FileManager.default.fileExists(atPath: path)
    case .memory: true
    // Opening it reports the error.
    case .unknown: true
    case .nowhere: false
    }
  }
}
