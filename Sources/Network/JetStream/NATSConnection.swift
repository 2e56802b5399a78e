import CFencepostNATS
import Glibc

/// A message to send.
package struct NATSOutgoing: Hashable, Sendable {
  package var subject: String
  package var payload: [UInt8]
  package var headers: [String: String]

  /// A message.
  package init(_ subject: String, _ payload: [UInt8] = [], headers: [String: String] = [:]) {
    self.subject = subject
    self.payload = payload
    self.headers = headers
  }
}

/// A message that was received.
package struct NATSMessage: Hashable, Sendable {
  package var subject: String
  /// Where to answer; empty for none.
  package var reply: String
  package var payload: [UInt8]
  /// The server's status (`404`, `100`) of a message without a payload.
  package var status: String?
  /// Those headers that were asked for.
  package var headers: [String: String] = [:]
}

/// A connection to a NATS server, over libnats. It does not reconnect: its owner makes a new one, and so
/// knows that something may be missing. Confined to one thread.
package final class NATSConnection {
  private let library: NATSLibrary
  private let connection: OpaquePointer
  /// The milliseconds to wait for an answer.
  private static let patience: Int64 = 5_000
  /// The milliseconds between two signs of life of an idle connection. A server that is gone shows after
  /// three.
  private static let pingInterval: Int64 = 5_000

  /// Whether libnats is installed.
  package static var isAvailable: Bool { (try? NATSLibrary.shared.get()) != nil }

  /// Connects.
  ///
  /// - Parameters:
  ///   - address: The server.
  ///   - name: The name of this client, which the server shows.
  package init(_ address: NATSAddress, name: String) throws(NATSFailure) {
    let library = try NATSLibrary.shared.get()
    self.library = library
    var options: OpaquePointer?
    try Self.check(library, library.createOptions(&options), "prepare a connection")
    defer { library.destroyOptions(options) }
    try Self.check(library, Self.setServers(options, address.urls, library), "use the address \(address)")
    try Self.check(library, library.setName(options, name), "name the connection")
    try Self.check(library, library.setTimeout(options, Self.patience), "prepare a connection")
    try Self.check(library, library.setPingInterval(options, Self.pingInterval), "prepare a connection")
    try Self.check(library, library.allowReconnect(options, false), "prepare a connection")
    if address.isEncrypted { try Self.check(library, library.setSecure(options, true), "use TLS") }
    if let file = address.authorities {
      try Self.check(library, library.loadAuthorities(options, file), "read the certificates in \(file)")
    }
    if let file = address.credentials {
      try Self.check(library, library.setCredentials(options, file, nil), "read the credentials in \(file)")
    }
    var connection: OpaquePointer?
    try Self.check(library, library.connect(&connection, options), "connect to \(address)")
    guard let connection else { throw NATSFailure("can't connect to \(address)") }
    self.connection = connection
  }

  deinit { library.destroyConnection(connection) }

  private static func setServers(
    _ options: OpaquePointer?, _ urls: [String], _ library: NATSLibrary
  ) -> natsStatus {
    // The library copies them.
    let copies = urls.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    var texts = copies.map { $0.map { UnsafePointer($0) } }
    return library.setServers(options, &texts, Int32(clamping: texts.count))
  }

  /// Sends a message without waiting.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - reply: Where the receiver answers; `nil` for nowhere.
  package func publish(_ message: NATSOutgoing, reply: String? = nil) throws(NATSFailure) {
    try send(message, reply) { library.publish(connection, $0) }
  }

  /// Sends what was published, and waits until the server has it.
  package func flush() throws(NATSFailure) {
    try check(library.flush(connection, Self.patience), "write to the server")
  }

  /// Sends a request, and returns the answer.
  ///
  /// - Parameter wanted: The headers of the answer to return.
  package func request(
    _ message: NATSOutgoing, wanting wanted: [String] = []
  ) throws(NATSFailure) -> NATSMessage {
    var answer: OpaquePointer?
    try send(message, nil) { library.request(&answer, connection, $0, Self.patience) }
    defer { library.destroyMessage(answer) }
    return read(answer, wanted)
  }

  /// Subscribes to a subject.
  package func subscribe(to subject: String) throws(NATSFailure) -> NATSSubscription {
    var subscription: OpaquePointer?
    try check(library.subscribe(&subscription, connection, subject), "subscribe to \(subject)")
    guard let subscription else { throw NATSFailure("can't subscribe to \(subject)") }
    // The consumers limit what is under way.
    _ = library.setPendingLimits(subscription, -1, -1)
    return NATSSubscription(self, subscription)
  }

  /// A subject that nobody else has, for answers.
  package static func inbox() -> String {
    "_INBOX." + String(UInt64.random(in: .min ... .max), radix: 36)
      + String(UInt64.random(in: .min ... .max), radix: 36)
  }

  fileprivate func next(of subscription: OpaquePointer, _ milliseconds: Int) throws(NATSFailure)
    -> NATSMessage?
  {
    var message: OpaquePointer?
    let status = library.next(&message, subscription, Int64(milliseconds))
    if status == NATS_TIMEOUT { return nil }
    try check(status, "receive from the server")
    defer { library.destroyMessage(message) }
    return read(message, [])
  }

  fileprivate func destroy(_ subscription: OpaquePointer) { library.destroySubscription(subscription) }

  private func send(
    _ message: NATSOutgoing, _ reply: String?, _ body: (OpaquePointer?) -> natsStatus
  ) throws(NATSFailure) {
    var made: OpaquePointer?
    let status = message.payload.withUnsafeBytes {
      library.createMessage(&made, message.subject, reply, $0.baseAddress, Int32(clamping: $0.count))
    }
    try check(status, "make a message for \(message.subject)")
    defer { library.destroyMessage(made) }
    for (name, value) in message.headers {
      try check(library.setHeader(made, name, value), "make a message for \(message.subject)")
    }
    try check(body(made), "send to \(message.subject)")
  }

  private func read(_ message: OpaquePointer?, _ wanted: [String]) -> NATSMessage {
    func header(_ name: String) -> String? {
      var value: NATSLibrary.Text?
      guard library.header(message, name, &value) == NATS_OK, let value else { return nil }
      return String(cString: value)
    }
    let payload = [UInt8](
      UnsafeRawBufferPointer(start: library.data(message), count: Int(max(0, library.dataLength(message)))))
    var headers: [String: String] = [:]
    for name in wanted { headers[name] = header(name) }
    return NATSMessage(
      subject: library.subject(message).map { String(cString: $0) } ?? "",
      reply: library.reply(message).map { String(cString: $0) } ?? "", payload: payload,
      status: payload.isEmpty ? header("Status") : nil, headers: headers)
  }

  private func check(_ status: natsStatus, _ action: @autoclosure () -> String) throws(NATSFailure) {
    try Self.check(library, status, action())
  }

  private static func check(
    _ library: NATSLibrary, _ status: natsStatus, _ action: @autoclosure () -> String
  ) throws(NATSFailure) {
    guard status != NATS_OK else { return }
    let words = library.statusText(status).map { String(cString: $0) } ?? "error \(status.rawValue)"
    // The text of the last error says more, if it is of this one.
    var last = NATS_OK
    // It begins with a line of libnats's source.
    let detail = library.lastError(&last).map {
      String(cString: $0).replacing(#/^\(\w+\.c:\d+\): /#, with: "")
    }
    let reason =
      if last == status, let detail, !detail.isEmpty, detail != words {
        "\(words) (\(detail))"
      } else {
        words
      }
    throw NATSFailure("can't \(action()): \(reason)")
  }
}

/// A subscription. It ends with this object.
package final class NATSSubscription {
  private let connection: NATSConnection
  private let subscription: OpaquePointer

  fileprivate init(_ connection: NATSConnection, _ subscription: OpaquePointer) {
    self.connection = connection
    self.subscription = subscription
  }

  deinit { connection.destroy(subscription) }

  /// The next message; `nil` if none comes within so many milliseconds.
  package func next(within milliseconds: Int) throws(NATSFailure) -> NATSMessage? {
    try connection.next(of: subscription, milliseconds)
  }
}
