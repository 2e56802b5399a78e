import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostWebApp
import FencepostWebServer
import Synchronization

/// The current server, shared between threads.
final class CurrentServer: Sendable {
  private let state = Mutex<WebService?>(nil)

  /// The server; `nil` if there is no server.
  var service: WebService? { state.withLock { $0 } }

  /// Replaces the server. The old one ends here, after its last use.
  func set(_ service: WebService?) {
    let old = state.withLock { state in
      defer { state = service }
      return state
    }
    withExtendedLifetime(old) {}
  }
}

extension Daemon {
  /// Starts, replaces or stops the server according to `configuration`; keeps it if nothing has changed.
  ///
  /// - Throws: If the new server can't start. Then the old one stays.
  func replaceServer(with configuration: DaemonConfiguration, resolver: TimeResolver) throws {
    let plan = try WebService.Plan(configuration, resolver: resolver)
    accounts.setPublicAddress(plan?.address.publicAddress)
    let old = web.service?.plan
    guard plan != old else { return }
    guard let plan else { return web.set(nil) }
    func serve(_ plan: WebService.Plan, on listener: consuming HTTPListener) throws {
      web.set(
        try WebService(
          plan, on: listener, store: store, resolver: resolver, openPages: openPages, current: web,
          devices: devices, mailbox: mailbox, accounts: accounts, daemon: status,
          changeSettings: { [requests] in try ReloadRequest(after: $0).run(over: requests) }, log: log))
    }
    // The same socket serves on, so that no request is lost.
    if let old, plan.address.place == old.address.place,
      (plan.certificate == nil) == (old.certificate == nil), let listener = web.service?.handOver()
    {
      do {
        try serve(plan, on: listener)
      } catch {
        // The socket is closed then.
        web.set(nil)
        try? serve(old, on: WebService.listener(for: old))
        throw error
      }
      return
    }
    if plan.address.place == old?.address.place { web.set(nil) }
    do {
      try serve(plan, on: WebService.listener(for: plan))
    } catch {
      if web.service == nil, let old { try? serve(old, on: WebService.listener(for: old)) }
      throw error
    }
  }

  /// Notifies open pages of events.
  func tellPages(of firings: [Firing], hasChanged: Bool, haveMoved: Bool) {
    guard let app = web.service?.app, !app.events.isEmpty else { return }
    let lines = FiringJSON(resolver: resolver)
    for firing in firings {
      guard let entry = try? store.read({ try $0.firing(key: firing.key) }) else { continue }
      app.note(.firing(lines.line(entry), id: firing.key))
    }
    if hasChanged, let number = engine.lastChange { app.note(.change(number)) }
    if haveMoved { app.note(.positions) }
    // Without an event of its own, what woke the daemon may be that somebody lost access.
    if !hasChanged, !haveMoved, firings.isEmpty { app.note(.access) }
  }
}
