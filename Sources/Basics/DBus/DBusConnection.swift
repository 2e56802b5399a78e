import CFencepostLinux
import CFencepostSystemd
import FencepostSystem
import Glibc

/// A connection to a D-Bus bus, through sd-bus: calls, properties and signals.
///
/// Confined to one thread, which calls methods and receives signals in ``process(until:stop:)``. The
/// connection closes with the object. After an error, for example because the bus has ended, create another
/// one.
package final class DBusConnection {
  /// The bus.
  package enum Bus: Hashable, Sendable {
    /// The bus of the user's session.
    case session
    /// The bus of the system.
    case system
    /// A bus at an address such as `unix:path=/run/bus`.
    case address(String)
  }

  /// Handles a signal: the path of the sending object, and the arguments.
  package typealias SignalHandler = (_ path: String, _ arguments: [DBusValue]) -> Void

  /// The context of sd-bus's callback.
  private final class Listener {
    let handler: SignalHandler

    init(_ handler: @escaping SignalHandler) { self.handler = handler }
  }

  let bus: OpaquePointer
  private var listeners: [Listener] = []
  private var isEnding = false

  /// Connects to a bus.
  package init(_ kind: Bus) throws(DBusFailure) {
    var bus: OpaquePointer?
    let result: Int32
    switch kind {
    case .session: result = sd_bus_open_user(&bus)
    case .system: result = sd_bus_open_system(&bus)
    case .address(let address):
      result = DBusConnection.open(address, &bus)
    }
    guard result >= 0, let bus else {
      sd_bus_unref(bus)
      throw DBusFailure("connect to D-Bus", code: -result)
    }
    self.bus = bus
  }

  private static func open(_ address: String, _ bus: inout OpaquePointer?) -> Int32 {
    var result = sd_bus_new(&bus)
    if result >= 0 { result = sd_bus_set_address(bus, address) }
    if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
    return result < 0 ? result : sd_bus_start(bus)
  }

  deinit { sd_bus_flush_close_unref(bus) }

  /// Whether the connection still works.
  package var isOpen: Bool { sd_bus_is_open(bus) > 0 }

  // MARK: Calls

  /// Calls a method of a service's object, and waits at most `timeout` seconds for the reply.
  ///
  /// - Returns: The returned values.
  @discardableResult
  package func call(
    _ service: String, path: String, interface: String, _ member: String, _ arguments: [DBusValue] = [],
    timeout: Double = 25
  ) throws(DBusFailure) -> [DBusValue] {
    let action = "call \(interface).\(member) of \(service)"
    let message = try message(service, path, interface, member, arguments, action)
    defer { sd_bus_message_unref(message) }
    var error = sd_bus_error()
    defer { sd_bus_error_free(&error) }
    var reply: OpaquePointer?
    let microseconds = UInt64(min(max(timeout, 0.001), 86_400) * 1e6)
    let result = sd_bus_call(bus, message, microseconds, &error, &reply)
    defer { sd_bus_message_unref(reply) }
    guard result >= 0, let reply else { throw DBusFailure(action, error: error, code: -result) }
    return try DBusMessage.read(reply)
  }

  /// The message of a call. The caller releases it.
  private func message(
    _ service: String, _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue],
    _ action: String
  ) throws(DBusFailure) -> OpaquePointer {
    var message: OpaquePointer?
    _ = try DBusFailure.check(
      sd_bus_message_new_method_call(bus, &message, service, path, interface, member), action)
    guard let message else { throw DBusFailure(action, code: ENOMEM) }
    let result = DBusMessage.append(arguments, to: message)
    if result < 0 { sd_bus_message_unref(message) }
    _ = try DBusFailure.check(result, action)
    return message
  }

  /// The reply to a call that is still out.
  private final class Reply {
    let action: String
    let connection: DBusConnection
    var result: Result<[DBusValue], DBusFailure>?

    init(_ action: String, _ connection: DBusConnection) {
      self.action = action
      self.connection = connection
    }

    func receive(_ message: OpaquePointer) {
      if sd_bus_message_is_method_error(message, nil) > 0 {
        let error = sd_bus_message_get_error(message)?.pointee ?? sd_bus_error()
        result = .failure(DBusFailure(action, error: error, code: sd_bus_message_get_errno(message)))
      } else {
        result = Result { () throws(DBusFailure) in try DBusMessage.read(message) }
      }
      connection.endProcessing()
    }
  }

  /// Calls a method that may take minutes, as one that asks a person does. Handles signals meanwhile.
  ///
  /// - Parameters:
  ///   - deadline: When to give up.
  ///   - stop: A descriptor that becomes ready when the reply is no longer needed; -1 for none.
  /// - Returns: The returned values; `nil` without a reply in time.
  package func call(
    _ service: String, path: String, interface: String, _ member: String, _ arguments: [DBusValue] = [],
    until deadline: ContinuousClock.Instant, stop: Int32
  ) throws(DBusFailure) -> [DBusValue]? {
    let action = "call \(interface).\(member) of \(service)"
    let message = try message(service, path, interface, member, arguments, action)
    defer { sd_bus_message_unref(message) }
    let reply = Reply(action, self)
    var slot: OpaquePointer?
    let result = sd_bus_call_async(
      bus, &slot, message,
      { message, data, _ in
        if let message, let data { Unmanaged<Reply>.fromOpaque(data).takeUnretainedValue().receive(message) }
        return 0
      }, Unmanaged.passUnretained(reply).toOpaque(), .max)
    // This also forgets the call.
    defer { sd_bus_slot_unref(slot) }
    _ = try DBusFailure.check(result, action)
    try withExtendedLifetime(reply) { () throws(DBusFailure) in
      try process(until: deadline, stop: stop)
    }
    return try reply.result?.get()
  }

  private static let properties = "org.freedesktop.DBus.Properties"

  /// All properties of an interface, by name (`a{sv}`).
  package func properties(_ service: String, path: String, interface: String) throws(DBusFailure) -> DBusValue
  {
    let reply = try call(
      service, path: path, interface: DBusConnection.properties, "GetAll", [.string(interface)])
    return reply.first ?? .dictionary([])
  }

  /// Sets a property.
  package func set(
    _ property: String, to value: DBusValue, _ service: String, path: String, interface: String
  ) throws(DBusFailure) {
    try call(
      service, path: path, interface: DBusConnection.properties, "Set",
      [.string(interface), .string(property), .variant(value)])
  }

  // MARK: Signals

  /// Calls `handler` for each matching signal, while this connection exists.
  ///
  /// - Parameters:
  ///   - service: The sender, by a name that it owns.
  ///   - path: The object; `nil` for any.
  ///   - interface: The interface.
  ///   - member: The signal.
  ///   - first: The required first argument, a string; `nil` for any.
  ///   - handler: Called in ``process(until:stop:)``.
  package func onSignal(
    of service: String, path: String? = nil, interface: String, _ member: String, first: String? = nil,
    _ handler: @escaping SignalHandler
  ) throws(DBusFailure) {
    let listener = Listener(handler)
    // Before the match, because sd-bus keeps a pointer to the listener.
    listeners.append(listener)
    var rule = "type='signal',sender='\(service)',interface='\(interface)',member='\(member)'"
    if let path { rule += ",path='\(path)'" }
    if let first { rule += ",arg0='\(first)'" }
    let result = sd_bus_add_match(
      bus, nil, rule,
      { message, data, _ in
        guard let message, let data else { return 0 }
        let listener = Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue()
        // Ignore unreadable signals.
        guard let arguments = try? DBusMessage.read(message) else { return 0 }
        listener.handler(sd_bus_message_get_path(message).map { String(cString: $0) } ?? "", arguments)
        return 0
      }, Unmanaged.passUnretained(listener).toOpaque())
    _ = try DBusFailure.check(result, "listen to \(interface).\(member) of \(service)")
  }

  // MARK: Waiting

  /// Ends ``process(until:stop:)`` after the current signal.
  package func endProcessing() { isEnding = true }

  /// Handles incoming signals, and sleeps in between, until a deadline, until a descriptor is readable, or
  /// until a handler calls ``endProcessing()``.
  ///
  /// - Parameters:
  ///   - deadline: When to end; `nil` for never.
  ///   - stop: A descriptor that becomes ready when this should end; -1 for none.
  ///
  /// - Throws: If the connection fails.
  package func process(until deadline: ContinuousClock.Instant? = nil, stop: Int32 = -1) throws(DBusFailure) {
    isEnding = false
    while true {
      while try DBusFailure.check(sd_bus_process(bus, nil), "receive from D-Bus") > 0 {
        if isEnding { return }
        if let deadline, deadline <= .now { return }
      }
      let descriptor = try DBusFailure.check(sd_bus_get_fd(bus), "receive from D-Bus")
      let events = try DBusFailure.check(sd_bus_get_events(bus), "receive from D-Bus")
      let outcome = Readiness.wait(
        for: descriptor, Readiness(rawValue: Int16(truncatingIfNeeded: events)),
        until: nextWork(before: deadline),
        interruptedBy: stop)
      if outcome == .interrupted { return }
      if let deadline, deadline <= .now { return }
    }
  }

  /// When sd-bus has work of its own, or `deadline`; `nil` for neither.
  private func nextWork(before deadline: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
    var due = UInt64.max
    guard sd_bus_get_timeout(bus, &due) >= 0, due != .max else { return deadline }
    // sd-bus uses microseconds of the monotonic clock.
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    let work = ContinuousClock.now + .microseconds(Int64(clamping: due > now ? due - now : 0))
    return deadline.map { min($0, work) } ?? work
  }
}

/// D-Bus, or a service on it, reported an error. Its description is one line.
package struct DBusFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The failed action, as in "can't …".
  package var action: String
  /// The error's name, such as `org.freedesktop.DBus.Error.ServiceUnknown`; `nil` for an error of the system.
  package var name: String?
  /// The error message.
  package var message: String

  /// A failure with an error number.
  package init(_ action: String, code: Int32) {
    self.action = action
    // What the system calls "No medium found": there is no session, or it has no bus.
    message = code == ENOMEDIUM ? "there is no desktop session here" : String(cString: strerror(code))
  }

  /// A failure with the error of a service.
  init(_ action: String, error: sd_bus_error, code: Int32) {
    self.init(action, code: code)
    name = error.name.map { String(cString: $0) }
    if let text = error.message { message = String(cString: text) }
  }

  package var description: String { "can't \(action): \(message)" }

  /// Returns the result of an sd-bus call, or throws if it is negative.
  package static func check(_ result: Int32, _ action: @autoclosure () -> String) throws(DBusFailure) -> Int32
  {
    guard result >= 0 else { throw DBusFailure(action(), code: -result) }
    return result
  }
}
