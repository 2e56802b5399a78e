import CMosquitto
import Glibc
import System

/// A client of an MQTT broker (MQTT 3.1.1), over libmosquitto. It has no thread: whoever made it, calls, and whatever
/// comes is taken in by those calls.
///
/// A message that came is acknowledged by ``acknowledge()`` and not before, so that one which can't be kept comes
/// again. libmosquitto queues an acknowledgement when a message comes, and writes nothing by itself when it believes
/// that another thread will: so nothing is written until ``acknowledge()`` does.
final class MQTTClient {
  /// A message that came.
  struct Message {
    var topic: String
    var payload: [UInt8]
    /// True where the broker kept it, and it may be old.
    var isRetained: Bool
  }

  /// What a message of more bytes says is dropped.
  static let maximumPayload = 1 << 20
  /// How many messages, and bytes of them, ``receive()`` takes at once.
  private static let batch = (messages: 1_000, bytes: 8 << 20)
  /// Seconds between signs of life where nothing else is said.
  private static let keepAlive: Int32 = 60

  private static let library: Void = {
    mosquitto_lib_init()
  }()

  private let address: MQTTAddress
  private let client: OpaquePointer
  private var messages: [Message] = []
  private var bytes = 0
  /// Messages that were too long.
  private var dropped = 0
  /// What the broker answered to the connection; `nil` where it didn't yet.
  private var connectAnswer: Int32?
  private var subscribeAnswer: Int32?
  private var published: Set<Int32> = []
  /// The last error that libmosquitto told of, such as what is wrong with a certificate.
  private var detail: String?

  /// A client that is not connected yet.
  ///
  /// - Parameters:
  ///   - address: The broker.
  ///   - id: How the broker knows it again; `nil` for not at all. With one, the broker keeps what comes while the
  ///     client is away.
  init(_ address: MQTTAddress, id: String? = nil) throws(MQTTFailure) {
    _ = MQTTClient.library
    self.address = address
    guard let client = mosquitto_new(id, id == nil, nil) else { throw MQTTFailure("can't make a client") }
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

  // MARK: What it does

  /// Connects, and waits until the broker agrees, for at most `timeout`.
  func connect(timeout: Duration = .seconds(20)) throws(MQTTFailure) {
    let action = "connect to \(address.place)"
    detail = nil
    connectAnswer = nil
    try check(
      mosquitto_connect(client, address.host, Int32(address.port), MQTTClient.keepAlive), action)
    try run(until: { $0.connectAnswer != nil }, timeout, action)
    if let refusal { throw refusal }
  }

  /// Asks for the messages that fit any of `filters`, each at least once. Only the first must be granted.
  ///
  /// - Precondition: ``takeReceived()`` was called and acknowledged, as what was received goes with it.
  func subscribe(to filters: [String], timeout: Duration = .seconds(20)) throws(MQTTFailure) {
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

  /// What libmosquitto answers where a message is none.
  private static let refusals = [
    MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8, MOSQ_ERR_PAYLOAD_SIZE, MOSQ_ERR_OVERSIZE_PACKET,
  ]

  /// Publishes a message, and waits until the broker has it (QoS 1).
  func publish(
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

  /// The messages that came, at least one; waits for them, for ever or until `stop` can be read: then none.
  ///
  /// They are not acknowledged yet.
  func receive(stop: Int32 = -1) throws(MQTTFailure) -> [Message] {
    while messages.isEmpty {
      guard try step(within: .seconds(30), stop: stop) else { return [] }
    }
    // What came meanwhile goes with them.
    while messages.count < MQTTClient.batch.messages, bytes < MQTTClient.batch.bytes, isReadable() {
      try check(mosquitto_loop_read(client, 1), "hear from the broker")
    }
    return takeReceived()
  }

  /// The messages that came already, such as those that the broker had kept and sent with its first word.
  func takeReceived() -> [Message] {
    defer {
      messages.removeAll()
      bytes = 0
    }
    return messages
  }

  /// How many messages were too long, since this was asked last.
  func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// Tells the broker that all messages that were received are kept.
  func acknowledge() throws(MQTTFailure) { try write() }

  /// Takes leave.
  func disconnect() {
    mosquitto_disconnect(client)
    mosquitto_loop_write(client, 1)
  }

  // MARK: How it does it

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
      // While the connection is being encrypted, libmosquitto doesn't say what it waits for.
      if connectAnswer == nil { usleep(2_000) }
    }
  }

  /// Waits for something to read, and reads it. False where `stop` can be read.
  private func step(within limit: Duration, stop: Int32) throws(MQTTFailure) -> Bool {
    let socket = mosquitto_socket(client)
    guard socket >= 0 else { throw lost() }
    let isBusy = mosquitto_want_write(client)
    let outcome = Readiness.wait(
      for: socket, isBusy ? [.readable, .writable] : .readable, until: .now + limit, interruptedBy: stop)
    if outcome == .interrupted { return false }
    // Reading also says what is wrong with the connection.
    if case .ready(let events) = outcome, events != .writable {
      try check(mosquitto_loop_read(client, 1), "hear from the broker")
    }
    // Nothing that came may be acknowledged yet.
    if messages.isEmpty { try write() }
    // Signs of life.
    try check(mosquitto_loop_misc(client), "hear from the broker")
    return true
  }

  private func isReadable() -> Bool {
    Readiness.now(mosquitto_socket(client)).contains(.readable)
  }

  private func write() throws(MQTTFailure) {
    while mosquitto_want_write(client) {
      try check(mosquitto_loop_write(client, 1), "write to the broker")
      guard mosquitto_want_write(client) else { return }
      // A peer that takes nothing for so long is gone.
      let limit: Duration = connectAnswer == nil ? .milliseconds(20) : .seconds(20)
      guard Readiness.wait(for: mosquitto_socket(client), .writable, until: .now + limit) != .timedOut else {
        if connectAnswer == nil { return }
        throw lost()
      }
      if connectAnswer == nil { return }
    }
  }

  /// What the broker said where it doesn't want this client.
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
