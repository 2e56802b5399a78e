import Foundation
import Glibc

/// The desktop's notifications, on a thread of its own that hears what becomes of them.
///
/// `@unchecked Sendable`: what the thread uses is confined to it; `keys` is reached only under `lock`.
final class NotificationService: @unchecked Sendable {
  /// What the user said to a notification.
  enum Answer: Sendable {
    case done, snooze, seen
  }

  private enum Job: Sendable {
    case show(DesktopNotification, Reply)
    case close([String])
    case stop
  }

  /// What the thread says to whoever waits for it.
  private final class Reply: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    /// Written before the signal, read after the wait.
    private var failure: DBusFailure?

    func give(_ failure: DBusFailure?) {
      self.failure = failure
      semaphore.signal()
    }

    func wait() -> DBusFailure? {
      semaphore.wait()
      return failure
    }
  }

  private let bus: DBusConnection.Bus
  private let answer: @Sendable (String, Answer) -> Void
  private let jobs: Mailbox<Job>
  private let lock = NSLock()
  /// The keys of the firings that are shown, by the desktop's number.
  private var keys: [UInt32: String] = [:]

  // The thread's own.
  private var connection: DBusConnection?
  private var capabilities: Set<String> = []

  private static let name = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  /// More are not followed, the oldest first: a desktop with so many on it is not looked at.
  private static let mostFollowed = 1_000

  /// - Parameter answer: Called with a firing's key and what the user said, on the thread.
  init(
    _ bus: DBusConnection.Bus, answer: @escaping @Sendable (String, Answer) -> Void
  ) throws(SystemFailure) {
    self.bus = bus
    self.answer = answer
    jobs = try Mailbox(capacity: 16)
    let thread = Thread { self.run() }
    thread.name = "desktop"
    thread.start()
  }

  /// The firings that are shown.
  var shown: [String] { lock.withLock { Array(keys.values) } }

  /// Shows a notification, and waits until the desktop has it.
  ///
  /// - Returns: Why it could not; `nil` where it could.
  func show(_ notification: DesktopNotification) -> DBusFailure? {
    let reply = Reply()
    jobs.post(.show(notification, reply))
    return reply.wait()
  }

  /// Takes the notifications of firings away.
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
          var waiting = pollfd(fd: jobs.descriptor, events: Int16(POLLIN), revents: 0)
          poll(&waiting, 1, -1)
        }
      } catch {
        forget()
      }
      for job in jobs.drain() {
        switch job {
        case .show(let notification, let reply): reply.give(put(notification))
        case .close(let keys): takeAway(keys)
        case .stop: return
        }
      }
    }
  }

  /// The desktop went: what it showed is gone, and its numbers mean nothing any more.
  private func forget() {
    connection = nil
    lock.withLock { keys.removeAll() }
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
    let answer = try made.call(Self.name, path: Self.path, interface: Self.name, "GetCapabilities")
    capabilities = Set((answer.first?.elements ?? []).compactMap(\.text))
    connection = made
    return made
  }

  private func put(_ notification: DesktopNotification) -> DBusFailure? {
    do throws(DBusFailure) {
      let reply = try connect().call(
        Self.name, path: Self.path, interface: Self.name, "Notify", notification.arguments(capabilities))
      guard case .uint32(let number) = reply.first else { return nil }
      lock.withLock {
        keys[number] = notification.key
        if keys.count > Self.mostFollowed, let oldest = keys.keys.min() { keys[oldest] = nil }
      }
      return nil
    } catch {
      // It may be another one next time, with other capabilities.
      forget()
      return error
    }
  }

  private func takeAway(_ keys: [String]) {
    let wanted = Set(keys)
    let numbers = lock.withLock {
      let numbers = self.keys.filter { wanted.contains($0.value) }.map(\.key)
      for number in numbers { self.keys[number] = nil }
      return numbers
    }
    for number in numbers {
      // One that is gone already is refused, which is as good.
      _ = try? connection?.call(
        Self.name, path: Self.path, interface: Self.name, "CloseNotification", [.uint32(number)])
    }
  }

  private func acted(_ arguments: [DBusValue]) {
    guard arguments.count == 2, case .uint32(let number) = arguments[0],
      let action = arguments[1].text.flatMap(DesktopNotification.Action.init), let key = take(number)
    else { return }
    switch action {
    case .done: answer(key, .done)
    case .snooze: answer(key, .snooze)
    case .open: answer(key, .seen)
    }
  }

  private func closed(_ arguments: [DBusValue]) {
    guard arguments.count == 2, case .uint32(let number) = arguments[0],
      case .uint32(let reason) = arguments[1]
    else { return }
    // 2: the user dismissed it. Others: it expired, or somebody took it away, and nobody may have seen it.
    if reason == 2 {
      if let key = take(number) { answer(key, .seen) }
    } else {
      _ = take(number)
    }
  }

  /// The firing that was shown under a number, which is answered once.
  private func take(_ number: UInt32) -> String? { lock.withLock { keys.removeValue(forKey: number) } }
}
