import CFencepostMosquitto
import FencepostSystem
import Glibc

/// A client of an MQTT broker (MQTT 3.1.1), over libmosquitto. It has no thread: its owner's calls send and
/// receive.
///
/// A message is acknowledged only by ``acknowledge()``, so that the broker repeats a message that can't be
/// stored. libmosquitto queues an acknowledgement when a message arrives. It writes nothing by itself if it
/// believes that another thread does so; therefore nothing is written until ``acknowledge()``.
package final class MQTTClient {
  /// A received message.
  package struct Message {
    package var topic: String
    package var payload: [UInt8]
    /// True if the broker retained it, so it may be old.
    package var isRetained: Bool
  }

  /// The maximum bytes of a message; longer ones are dropped.
  package static let maximumPayload = 1 << 20
  /// The maximum messages and bytes that ``receive()`` takes at once.
  private static let batch = (messages: 1_000, bytes: 8 << 20)
  /// The seconds between keep-alive messages on an idle connection.
  private static let keepAlive: Int32 = 60

  private static let library: Void = {
    mosquitto_lib_init()
  }()

  private let address: MQTTAddress
  private let client: OpaquePointer
  private var messages: [Message] = []
  private var bytes = 0
  /// The number of messages that were too long.
  private var dropped = 0
  /// The broker's response to the connection; `nil` if it has not arrived yet.
  private var connectAnswer: Int32?
  private var subscribeAnswer: Int32?
  private var published: Set<Int32> = []
  /// The last error message of libmosquitto, for example about a certificate.
  private var detail: String?

  /// A client that is not connected yet.
  ///
  /// - Parameters:
  ///   - address: The broker.
  ///   - id: The identifier of a persistent session, in which the broker keeps messages while the client is
  ///     away; `nil` for a temporary session.
  ///   - will: The retained message that the broker publishes if the connection ends unexpectedly.
  package init(
    _ address: MQTTAddress, id: String? = nil, will: (topic: String, payload: String)? = nil
  ) throws(MQTTFailure) {
    _ = MQTTClient.library
    self.address = address
    guard let client = mosquitto_new(id, id == nil, nil) else { throw MQTTFailure("can't create a client") }
    self.client = client
    mosquitto_user_data_set(client, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_threaded_set(client, true)
    mosquitto_connect_callback_set(client) { _, data, code in MQTTClient.from(data)?.connectAnswer = code }
    mosquitto_subscribe_callback_set(client) { _, data, _, count, granted in
      MQTTClient.from(data)?.subscribeAnswer = count > 0 ? granted?.pointee : 128
    }
    mosquitto_publish_callback_set(client) { _, data, number in
      MQTTClient.from(data)?.published.insert(number)
    }
    mosquitto_message_callback_set(client) { _, data, message in
      guard let message else { return }
      MQTTClient.from(data)?.take(message.pointee)
    }
    mosquitto_log_callback_set(client) { _, data, level, text in
      guard level == MOSQ_LOG_ERR, let text else { return }
      MQTTClient.from(data)?.detail = String(cString: text)
    }
    if let will {
      let bytes = Array(will.payload.utf8)
      try check(
        mosquitto_will_set(client, will.topic, Int32(clamping: bytes.count), bytes, 1, true), "set a will")
    }
    if let user = address.user {
      try check(mosquitto_username_pw_set(client, user, address.password), "sign in")
    }
    if address.isEncrypted {
      if let authorities = address.authorities {
        try check(
          mosquitto_tls_set(client, authorities, nil, nil, nil, nil),
          "read the certificates in \(authorities)")
      } else {
        try check(mosquitto_int_option(client, MOSQ_OPT_TLS_USE_OS_CERTS, 1), "use the system's certificates")
      }
    }
  }

  deinit { mosquitto_destroy(client) }

  // MARK: Operations

  /// Connects, and waits at most `timeout` until the broker accepts.
  package func connect(timeout: Duration = .seconds(20)) throws(MQTTFailure) {
    let action = "connect to \(address.place)"
    detail = nil
    connectAnswer = nil
    try check(
      mosquitto_connect(client, address.host, Int32(address.port), MQTTClient.keepAlive), action)
    try run(until: { $0.connectAnswer != nil }, timeout, action)
    if let refusal { throw refusal }
  }

  /// Subscribes to `filters` with QoS 1. Only the first one must be granted.
  ///
  /// - Precondition: The result of ``takeReceived()`` was acknowledged, because this call writes its
  ///   acknowledgements too.
  package func subscribe(to filters: [String], timeout: Duration = .seconds(20)) throws(MQTTFailure) {
    guard let first = filters.first else { return }
    subscribeAnswer = nil
    let action = "subscribe to \(first)"
    var texts = filters.map { strdup($0) }
    defer { for text in texts { free(text) } }
    try check(
      mosquitto_subscribe_multiple(client, nil, Int32(texts.count), &texts, 1, 0, nil), action)
    try run(until: { $0.subscribeAnswer != nil }, timeout, action)
    // 128 is a refusal (MQTT 3.1.1, section 3.9.3).
    if let answer = subscribeAnswer, answer >= 128 {
      throw MQTTFailure("the broker refused a subscription to \(first)")
    }
  }

  /// The errors of libmosquitto for messages that can't be published.
  private static let refusals = [
    MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET,
  ]

  /// Publishes a message, and waits until the broker has acknowledged it (QoS 1).
  package func publish(
    _ payload: String, to topic: String, isRetained: Bool = false, timeout: Duration = .seconds(20)
  ) throws(MQTTFailure) {
    let action = "publish to \(topic)"
    let bytes = Array(payload.utf8)
    var number: Int32 = 0
    let code = mosquitto_publish(
      client, &number, topic, Int32(clamping: bytes.count), bytes, 1, isRetained)
    do {
      try check(code, action)
    } catch {
      var failure = error
      failure.isFinal = MQTTClient.refusals.contains { $0.rawValue == code }
      throw failure
    }
    try run(until: { $0.published.contains(number) }, timeout, action)
    published.remove(number)
  }

  /// Waits for messages and returns at least one. If `stop` becomes readable, it returns none.
  ///
  /// The messages are not acknowledged yet.
  package func receive(stop: Int32 = -1) throws(MQTTFailure) -> [Message] {
    while messages.isEmpty {
      guard try step(within: .seconds(30), stop: stop) else { return [] }
    }
    // Add the messages that have arrived since.
    while messages.count < MQTTClient.batch.messages, bytes < MQTTClient.batch.bytes, isReadable() {
      try check(mosquitto_loop_read(client, 1), "receive from the broker")
    }
    return takeReceived()
  }

  /// The messages that have already arrived, for example those that the broker kept and sent with its first
  /// response.
  package func takeReceived() -> [Message] {
    defer {
      messages.removeAll()
      bytes = 0
    }
    return messages
  }

  /// The number of messages that were too long since the last call.
  package func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Acknowledges all received messages.
  package func acknowledge() throws(MQTTFailure) { try write() }

  /// Disconnects.
  package func disconnect() {
    mosquitto_disconnect(client)
    mosquitto_loop_write(client, 1)
  }

  // MARK: Implementation

  private static func from(_ data: UnsafeMutableRawPointer?) -> MQTTClient? {
    data.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(_ message: mosquitto_message) {
    let count = Int(message.payloadlen)
    let isTooLong = count > MQTTClient.maximumPayload
    if isTooLong { dropped += 1 } else { bytes += count }
    messages.append(
      Message(
        topic: message.topic.map { String(cString: $0) } ?? "",
        payload: isTooLong ? [] : Array(UnsafeRawBufferPointer(start: message.payload, count: count)),
        isRetained: message.retain))
  }

  /// Reads and writes until `isDone`.
  private func run(
    until isDone: (MQTTClient) -> Bool, _ timeout: Duration, _ action: String
  ) throws(MQTTFailure) {
    let deadline = ContinuousClock.now + timeout
    try write()
    while !isDone(self) {
      guard ContinuousClock.now < deadline else { throw MQTTFailure("can't \(action): no answer") }
      _ = try step(within: .seconds(1), stop: -1)
      // During the TLS handshake, libmosquitto doesn't say what it waits for.
      if connectAnswer == nil { usleep(2_000) }
    }
  }

  /// Waits for incoming bytes, and reads them. False if `stop` is readable.
  private func step(within limit: Duration, stop: Int32) throws(MQTTFailure) -> Bool {
    let socket = mosquitto_socket(client)
    guard socket >= 0 else { throw lost() }
    let isBusy = mosquitto_want_write(client)
    let outcome = Readiness.wait(
      for: socket, isBusy ? [.readable, .writable] : .readable, until: .now + limit, interruptedBy: stop)
    if outcome == .interrupted { return false }
    // Reading also reports errors of the connection.
    if case .ready(let events) = outcome, events != .writable {
      try check(mosquitto_loop_read(client, 1), "receive from the broker")
    }
    // Writing would acknowledge messages that are not stored yet.
    if messages.isEmpty { try write() }
    // Keep-alive messages.
    try check(mosquitto_loop_misc(client), "receive from the broker")
    return true
  }

  private func isReadable() -> Bool {
    Readiness.now(mosquitto_socket(client)).contains(.readable)
  }

  private func write() throws(MQTTFailure) {
    while mosquitto_want_write(client) {
      try check(mosquitto_loop_write(client, 1), "write to the broker")
      guard mosquitto_want_write(client) else { return }
      // A peer that reads nothing for so long is gone.
      let limit: Duration = connectAnswer == nil ? .milliseconds(20) : .seconds(20)
      guard Readiness.wait(for: mosquitto_socket(client), .writable, until: .now + limit) != .timedOut else {
        if connectAnswer == nil { return }
        throw lost()
      }
      if connectAnswer == nil { return }
    }
  }

  /// The reason if the broker rejected this client.
  private var refusal: MQTTFailure? {
    guard let answer = connectAnswer, answer != 0 else { return nil }
    return MQTTFailure(
      "\(address.place): \(String(cString: mosquitto_connack_string(answer)))")
  }

  private func lost() -> MQTTFailure {
    MQTTFailure(detail ?? "the connection to \(address.place) was lost")
  }

  private func check(_ code: Int32, _ action: @autoclosure () -> String) throws(MQTTFailure) {
    let code = mosq_err_t(rawValue: code)
    guard code != MOSQ_ERR_SUCCESS else { return }
    if let refusal { throw refusal }
    if code == MOSQ_ERR_CONN_LOST || code == MOSQ_ERR_NO_CONN { throw lost() }
    throw MQTTFailure(action(), code: code, detail: detail)
  }
}

/// A broker refused something, or can't be reached. Its description is one line.
package struct MQTTFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  /// True if no broker can accept the message.
  package var isFinal = false

  /// A failure in words.
  package init(_ description: String) { self.description = description }

  /// A failure to do `action`, with libmosquitto's reason.
  ///
  /// - Parameters:
  ///   - action: The failed action, as in "can't …".
  ///   - code: The error number of libmosquitto.
  ///   - detail: Additional text of libmosquitto.
  init(_ action: String, code: mosq_err_t, detail: String? = nil) {
    let words =
      code == MOSQ_ERR_ERRNO
      ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code.rawValue))
    description = "can't \(action): \(detail ?? words)"
  }
}
