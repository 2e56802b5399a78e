import FencepostApps
package import FencepostCalendarModel
import FencepostCalendarStore
import FencepostConfiguration
package import FencepostRecurrence
import Foundation

// What EventKitUI needs from the store and its objects; not for apps.

extension EKEventStore {
  /// The app's name in the store's decisions about access.
  package var appName: String { session.app.name }

  /// The zones of the store, and the default one.
  package var resolver: TimeResolver { session.resolver }

  /// The control socket of this store's daemon; `nil` if the location rules out a daemon.
  package var daemonSocket: String? { session.daemonSocket }

  /// A calendar that the user chose, even if an app with write-only access can't see it.
  package func calendar(chosen identifier: String) -> EKCalendar? { session.chosenCalendar(identifier) }
}

extension StoreSession {
  fileprivate var daemonSocket: String? {
    guard case .file(let path) = location else { return nil }
    if location == .standard {
      let paths = StandardPaths(environment: ProcessInfo.processInfo.environment)
      if let socket = try? paths.configuration()?.path("socket", home: paths.home) { return socket }
    }
    return CalendarStore.file(at: path) + ".socket"
  }

  /// The object for a calendar that the user chose.
  fileprivate func chosenCalendar(_ identifier: String) -> EKCalendar? {
    let id = Identifier<ItemCalendar>(rawValue: identifier)
    return lock.withLock {
      if let known = calendarObjects[id] { return known }
      guard let stored = storedCalendar(id) else { return nil }
      let calendar = EKCalendar(stored, session: self)
      calendarObjects[id] = calendar
      return calendar
    }
  }
}

extension EKCalendar {
  /// The identifier of a stored calendar; `nil` for a new one, and for the virtual one of write-only access.
  package var storedIdentifier: String? { saved == nil || isVirtual ? nil : value.id.rawValue }
}

extension EKEvent {
  /// The identifier in the store; `nil` for a new event.
  package var storedIdentifier: String? { original?.item.id.rawValue }

  /// The occurrence of a series; `nil` for other events.
  package var seriesOccurrence: CalendarTime? { isDetached ? nil : occurrence }

  /// The app's name in the store's decisions about access.
  package var appName: String { session.app.name }

  /// The zones of its store, and the default one.
  package var resolver: TimeResolver { session.resolver }

  /// The control socket of its store's daemon; `nil` if the location rules out a daemon.
  package var daemonSocket: String? { session.daemonSocket }

  /// The event with the app's changes.
  package var draft: CalendarItem { storedItem }

  /// Loads a value that was saved outside of the app, if the app may read it.
  package func adoptSaved(_ identifier: String) {
    guard session.hasFullAccess(to: .event), let item = session.storedItem(Identifier(rawValue: identifier))
    else { return }
    adopt(item, keepingChanges: false)
    session.lookForChanges()
  }

  /// Records that it was deleted outside of the app.
  package func adoptDeletion() {
    guard session.hasFullAccess(to: .event) else { return }
    forget()
    session.lookForChanges()
  }
}
