import CFencepostSystemd
import FencepostTestSupport
import Foundation
import Synchronization

@testable package import FencepostDBus

/// A D-Bus bus for one test.
package final class PrivateBus {
  /// Whether dbus-daemon is installed.
  package static let isInstalled = Counterpart.isInstalled("dbus-daemon")

  /// The bus, for ``DBusConnection``.
  package let bus: DBusConnection.Bus
  private let directory: TemporaryDirectory
  private let daemon: Counterpart

  /// Starts a bus.
  package init() throws {
    directory = try TemporaryDirectory()
    daemon = try Counterpart(
      "dbus-daemon",
      ["--session", "--nofork", "--print-address=1", "--address=unix:path=\(directory.path("bus"))"])
    bus = .address(try daemon.nextLine())
  }

  /// Ends it like a crash.
  package func stop() { daemon.stop() }
}

/// A service on a private bus, with the responses that a test sets. It records the calls.
///
/// `@unchecked Sendable`: the connection belongs to the thread that `init` starts; the rest is locked.
package final class DBusStandIn: @unchecked Sendable {
  /// A method call.
  package struct Call: Hashable, Sendable {
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [DBusValue]

    package init(path: String, interface: String, member: String, arguments: [DBusValue]) {
      self.path = path
      self.interface = interface
      self.member = member
      self.arguments = arguments
    }
  }

  /// The response to a call; `nil` for an error.
  package typealias Answer = @Sendable (Call) -> [DBusValue]?

  private typealias Task = @Sendable (DBusConnection) -> Void

  private final class Context {
    let answer: Answer
    let record: (Call) -> Void

    init(answer: @escaping Answer, record: @escaping (Call) -> Void) {
      self.answer = answer
      self.record = record
    }
  }

  private let recorded = Mutex<[Call]>([])
  private let tasks = Mutex<[Task]>([])
  private let wake = Pipe()
  private let isStopped = Mutex(false)
  private let hasLeft = DispatchGroup()

  /// Serves all objects below `path` of the service `name`.
  package init(_ bus: PrivateBus, name: String, path: String, answer: @escaping Answer) throws {
    let ready = DispatchSemaphore(value: 0)
    let kind = bus.bus
    let context = Context(answer: answer) { [weak self] call in self?.recorded.withLock { $0.append(call) } }
    nonisolated(unsafe) let handed = context
    let stop = wake.fileHandleForReading
    let hasLeft = hasLeft
    hasLeft.enter()
    let thread = Thread { [weak self] in
      defer { hasLeft.leave() }
      let context = handed
      guard let connection = try? DBusConnection(kind) else {
        ready.signal()
        return
      }
      let data = Unmanaged.passUnretained(context).toOpaque()
      sd_bus_add_fallback(connection.bus, nil, path, DBusStandIn.serve, data)
      sd_bus_request_name(connection.bus, name, 0)
      ready.signal()
      while (try? connection.process(stop: stop.fileDescriptor)) != nil {
        guard let self, !self.isStopped.withLock({ $0 }) else { break }
        _ = stop.availableData
        for task in self.tasks.withLock({ tasks in
          defer { tasks = [] }; return tasks
        }) { task(connection) }
      }
      withExtendedLifetime(context) {}
    }
    thread.start()
    ready.wait()
  }

  deinit { askToLeave() }

  /// The calls so far.
  package var calls: [Call] { recorded.withLock { $0 } }

  /// Leaves the bus. When this returns, the name is free for another.
  package func stop() {
    askToLeave()
    hasLeft.wait()
  }

  private func askToLeave() {
    isStopped.withLock { $0 = true }
    wake.fileHandleForWriting.write(Data([0]))
  }

  /// Emits a signal.
  package func emit(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue]) {
    tasks.withLock {
      $0.append { connection in
        var message: OpaquePointer?
        sd_bus_message_new_signal(connection.bus, &message, path, interface, member)
        guard let message else { return }
        _ = DBusMessage.append(arguments, to: message)
        sd_bus_send(connection.bus, message, nil)
        sd_bus_message_unref(message)
      }
    }
    wake.fileHandleForWriting.write(Data([0]))
  }

  private static let serve: sd_bus_message_handler_t = { message, data, _ in
    guard let message, let data, sd_bus_message_is_method_call(message, nil, nil) > 0 else { return 0 }
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
    let context = Unmanaged<Context>.fromOpaque(data).takeUnretainedValue()
    let call = Call(
      path: text(sd_bus_message_get_path(message)), interface: text(sd_bus_message_get_interface(message)),
      member: text(sd_bus_message_get_member(message)), arguments: (try? DBusMessage.read(message)) ?? [])
    context.record(call)
    var reply: OpaquePointer?
    if let values = context.answer(call) {
      sd_bus_message_new_method_return(message, &reply)
      if let reply { _ = DBusMessage.append(values, to: reply) }
    } else {
      sd_bus_message_new_method_errno(message, &reply, EACCES, nil)
    }
    if let reply { sd_bus_send(sd_bus_message_get_bus(message), reply, nil) }
    sd_bus_message_unref(reply)
    return 1
  }
}
