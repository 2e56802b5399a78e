import FencepostCalendarStore
import FencepostDBus
import FencepostSystem
import Synchronization

/// The desktop's notifications. Its thread receives the user's responses.
///
/// `@unchecked Sendable`: the properties of the thread are confined to it; `keys` and `handler` need `lock`.
final class NotificationService: @unchecked Sendable {
  /// The user's response to a notification.
  enum Answer: Hashable, Sendable {
    case done, snooze, seen, join, ticket
    /// With the revision that was shown.
    case suggestion(SuggestionAnswer, revision: String)
    case access(AccessLevel)
  }

  /// Called on the thread of the bus, with a notice's key, the user's response, and what can show a
  /// notification without waiting.
  typealias Handler =
    @Sendable (String, Answer, _ show: @escaping @Sendable (DesktopNotification) -> Void) -> Void

  /// The reason if a notification could not be shown; `nil` on success.
  private typealias Reply = Promise<DBusFailure?>

  private enum Job: Sendable {
    case show(DesktopNotification, Reply)
    case close([String])
    case stop
  }

  private let bus: DBusConnection.Bus
  private let jobs: BoundedQueue<Job>
  private let lock = Mutex(())
  /// The keys of the shown firings, by the desktop's number.
  private var keys: [UInt32: String] = [:]
  private var handler: Handler

  // Used only by the thread.
  private var connection: DBusConnection?
  /// The capabilities of the desktop; `nil` if not known yet.
  private var capabilities: Set<String>?

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// The errors without a desktop (D-Bus Specification, "Errors").
  private static let absences = ["ServiceUnknown", "NameHasNoOwner", "NoReply"].map {
    "org.freedesktop.DBus.Error.\($0)"
  }
  /// The limit of notifications to follow; beyond it, the oldest ones are dropped. Users don't read so many.
  private static let maximumFollowed = 1_000

  init(_ bus: DBusConnection.Bus, answer handler: @escaping Handler) throws {
    self.bus = bus
    self.handler = handler
    jobs = try BoundedQueue(capacity: 16)
    try SystemThread.start("desktop") { self.run() }
  }

  /// Calls `handler` for responses from now on.
  func answer(_ handler: @escaping Handler) { lock.withLock { _ in self.handler = handler } }

  /// The keys of the firings that are shown.
  var shown: [String] { lock.withLock { _ in Array(keys.values) } }

  /// Shows a notification, and waits until the desktop has accepted it.
  ///
  /// - Returns: The error; `nil` on success.
  func show(_ notification: DesktopNotification) -> DBusFailure? {
    let reply = Reply()
    jobs.post(.show(notification, reply))
    return reply.wait()
  }

  /// Shows a notification without waiting.
  func tell(_ notification: DesktopNotification) { jobs.post(.show(notification, Reply())) }

  /// Closes the notifications of firings.
  func close(_ keys: [String]) { jobs.post(.close(keys)) }

  /// Ends the thread.
  func stop() { jobs.post(.stop) }

  // MARK: The thread

  private func run() {
    while true {
      do {
        if let connection {
          try connection.process(stop: jobs.descriptor)
        } else {
          _ = Readiness.wait(for: jobs.descriptor)
        }
      } catch {
        forget()
      }
      for job in jobs.drain() {
        switch job {
        case .show(let notification, let reply): reply.fulfill(put(notification))
        case .close(let keys): takeAway(keys)
        case .stop: return
        }
      }
    }
  }

  /// Forgets the notifications and capabilities of a desktop that has ended. Its numbers are no longer valid.
  private func forget(andConnection isBroken: Bool = true) {
    if isBroken { connection = nil }
    capabilities = nil
    lock.withLock { _ in keys.removeAll() }
  }

  private func connect() throws(DBusFailure) -> DBusConnection {
    if let connection { return connection }
    let made = try DBusConnection(bus)
    try made.onSignal(of: Self.name, path: Self.path, interface: Self.name, "ActionInvoked") {
      [unowned self] _, arguments in acted(arguments)
    }
    try made.onSignal(of: Self.name, path: Self.path, interface: Self.name, "NotificationClosed") {
      [unowned self] _, arguments in closed(arguments)
    }
    let messageBus = "org.freedesktop.DBus"
    try made.onSignal(
      of: messageBus, path: "/org/freedesktop/DBus", interface: messageBus, "NameOwnerChanged",
      first: Self.name
    ) { [unowned self] _, arguments in
      // The desktop has ended. The next one numbers its notifications from 1 and may have other capabilities.
      if arguments.count == 3, arguments[1].text != "" { forget(andConnection: false) }
    }
    connection = made
    return made
  }

  private func askedCapabilities(_ connection: DBusConnection) throws(DBusFailure) -> Set<String> {
    if let capabilities { return capabilities }
    let answer = try connection.call(Self.name, path: Self.path, interface: Self.name, "GetCapabilities")
    let found = Set((answer.first?.elements ?? []).compactMap(\.text))
    capabilities = found
    return found
  }

  private func put(_ notification: DesktopNotification) -> DBusFailure? {
    do throws(DBusFailure) {
      let connection = try connect()
      let capabilities = try askedCapabilities(connection)
      // Told again, it takes the place of the one before.
      let old = lock.withLock { _ in
        notification.key.isEmpty ? nil : keys.first { $0.value == notification.key }?.key
      }
      let arguments = notification.arguments(capabilities, replacing: old ?? 0)
      let reply = try connection.call(
        Self.name, path: Self.path, interface: Self.name, "Notify", arguments)
      guard case .uint32(let number) = reply.first else { return nil }
      lock.withLock { _ in
        if let old { keys[old] = nil }
        if !notification.key.isEmpty { keys[number] = notification.key }
        if keys.count > Self.maximumFollowed, let oldest = keys.keys.min() { keys[oldest] = nil }
      }
      return nil
    } catch {
      // A desktop that rejects this notification, for example one of too many, still shows the others.
      let isThere = connection?.isOpen == true && !Self.absences.contains { $0 == error.name }
      // The next desktop may have other capabilities.
      if !isThere { forget() }
      return error
    }
  }

  private func takeAway(_ keys: [String]) {
    let wanted = Set(keys)
    let numbers = lock.withLock { _ in
      let numbers = self.keys.filter { wanted.contains($0.value) }.map(\.key)
      for number in numbers { self.keys[number] = nil }
      return numbers
    }
    for number in numbers {
      // An error means that the notification is already closed.
      _ = try? connection?.call(
        Self.name, path: Self.path, interface: Self.name, "CloseNotification", [.uint32(number)])
    }
  }

  private func acted(_ arguments: [DBusValue]) {
    guard arguments.count == 2, case .uint32(let number) = arguments[0], let name = arguments[1].text else {
      return
    }
    if let (answer, revision) = DesktopNotification.answer(name) {
      if let key = take(number) { respond(key, .suggestion(answer, revision: revision)) }
      return
    }
    if let level = DesktopNotification.access(name) {
      if let key = take(number) { respond(key, .access(level)) }
      return
    }
    guard let action = DesktopNotification.Action(rawValue: name), let key = take(number) else { return }
    switch action {
    case .done: respond(key, .done)
    case .snooze: respond(key, .snooze)
    case .join: respond(key, .join)
    case .ticket: respond(key, .ticket)
    case .open: respond(key, .seen)
    }
  }

  private func respond(_ key: String, _ answer: Answer) {
    lock.withLock { _ in handler }(key, answer) { [weak self] in self?.tell($0) }
  }

  private func closed(_ arguments: [DBusValue]) {
    guard arguments.count == 2, case .uint32(let number) = arguments[0],
      case .uint32(let reason) = arguments[1]
    else { return }
    // 2 means that the user dismissed it. Otherwise it expired or was closed, and the user may not have seen
    // it.
    guard let key = take(number), reason == 2 else { return }
    respond(key, .seen)
  }

  /// Takes the firing with this notification number, so that only the first response counts.
  private func take(_ number: UInt32) -> String? { lock.withLock { _ in keys.removeValue(forKey: number) } }
}
