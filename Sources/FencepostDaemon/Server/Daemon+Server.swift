import AlarmEngine
import CalendarModel
import CalendarStore
import Recurrence
import Synchronization
import WebApp

/// The server that runs now, for the threads that ask for it.
final class WebHolder: Sendable {
  private let state = Mutex<WebService?>(nil)

  /// The server; `nil` for none.
  var service: WebService? { state.withLock { $0 } }

  /// Sets another one. The one before ends here, once nobody uses it any more.
  func set(_ service: WebService?) {
    let old = state.withLock { state in
      defer { state = service }
      return state
    }
    withExtendedLifetime(old) {}
  }
}

extension Daemon {
  /// Serves as `configuration` says; goes on where nothing has changed.
  ///
  /// - Throws: Where the new server can't start. Then the one before serves on.
  func replaceServer(with configuration: DaemonConfiguration, resolver: TimeResolver) throws {
    let plan = try WebService.Plan(configuration, resolver: resolver)
    let old = web.service?.plan
    guard plan != old else { return }
    func serve(_ plan: WebService.Plan) throws {
      web.set(
        try WebService(
          plan, store: store, resolver: resolver, devices: devices, mailbox: mailbox, log: log))
    }
    guard let plan else { return web.set(nil) }
    // The port is free only once the server before is gone.
    if plan.address.place == old?.address.place { web.set(nil) }
    do {
      try serve(plan)
    } catch {
      if web.service == nil, let old { try? serve(old) }
      throw error
    }
  }

  /// Tells pages that are open what has happened.
  func tellPages(of firings: [Firing], hasChanged: Bool, haveMoved: Bool) {
    guard let app = web.service?.app, !app.events.isEmpty else { return }
    let lines = FiringLines(resolver: resolver)
    for firing in firings {
      guard let entry = try? store.read({ try $0.firing(key: firing.key) }) else { continue }
      app.note(.firing(lines.line(entry), id: firing.key))
    }
    if hasChanged, let number = try? store.read({ try $0.lastChange() }) { app.note(.change(number)) }
    if haveMoved { app.note(.positions) }
  }
}
