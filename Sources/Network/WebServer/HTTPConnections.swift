import CFencepostMicroHTTPD
import Glibc

/// Identifies a connection of libmicrohttpd.
struct ConnectionID: Hashable, Sendable {
  private let address: UInt

  init(_ connection: OpaquePointer) { address = UInt(bitPattern: connection) }

  /// The connection for libmicrohttpd, valid while it is open.
  var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
}

/// The connections of a server, with their peers and deadlines. No address can take all of them, and a peer
/// that sends a byte now and then can't keep one open. Use it only under its owner's lock.
struct HTTPConnections {
  private struct Entry {
    var descriptor: Int32
    var peer: PeerAddress?
    /// The time by which the request must have arrived completely; `nil` while it is being answered.
    var deadline: ContinuousClock.Instant?
    /// Whether no request on it was answered yet.
    var isNew = true
    /// Whether a request has begun to arrive, and was not answered yet.
    var hasRequest = false
  }

  /// The limit for each address. This machine has no such limit, because a proxy may use it for many clients.
  let limitPerAddress: Int
  /// The time limit for a request to arrive.
  let timeout: Duration
  /// The limit for all addresses together.
  private let limit: Int
  private var entries: [ConnectionID: Entry] = [:]
  private var counts: [PeerAddress: Int] = [:]

  /// No connections yet.
  ///
  /// - Parameters:
  ///   - limit: The limit for all addresses together.
  ///   - limitPerAddress: The limit for each address.
  ///   - timeout: The time limit for a request to arrive.
  init(limit: Int, limitPerAddress: Int, timeout: Duration) {
    self.limitPerAddress = limitPerAddress
    self.timeout = timeout
    self.limit = limit
  }

  /// The number of connections.
  var count: Int { entries.count }

  /// Whether one of them waits for its first request.
  var hasNew: Bool { entries.values.contains { $0.isNew && $0.deadline != nil } }

  /// The descriptor of a connection.
  func descriptor(of connection: ConnectionID) -> Int32? { entries[connection]?.descriptor }

  /// When the first of them must be closed; `nil` for never.
  var nextDeadline: ContinuousClock.Instant? { entries.values.compactMap(\.deadline).min() }

  /// Whether `peer` may open another connection.
  func admits(_ peer: PeerAddress?) -> Bool {
    guard let peer, !peer.isLoopback else { return true }
    return counts[peer, default: 0] < limitPerAddress
  }

  /// Adds a new connection.
  mutating func add(_ connection: ConnectionID, descriptor: Int32, peer: PeerAddress?) {
    entries[connection] = Entry(descriptor: descriptor, peer: peer, deadline: .now + timeout)
    if let peer { counts[peer, default: 0] += 1 }
    makeRoom()
  }

  /// If too many connections wait for their request, shuts down the oldest of the address with the most. So
  /// no sender can lock others out with connections that send nothing, on this machine either.
  private mutating func makeRoom() {
    let waiting = entries.filter { $0.value.deadline != nil }
    // The others are event streams, or wait for an answer.
    guard waiting.count > (limit - (entries.count - waiting.count)) * 3 / 4 else { return }
    let groups = Dictionary(grouping: waiting, by: \.value.peer).values
    let oldest = groups.max { $0.count < $1.count }?
      .min { ($0.value.deadline ?? .now) < ($1.value.deadline ?? .now) }
    if let oldest { cutOff(oldest.key, oldest.value) }
  }

  private mutating func cutOff(_ connection: ConnectionID, _ entry: Entry) {
    shutdown(entry.descriptor, Int32(SHUT_RDWR))
    entries[connection]?.deadline = nil
  }

  /// Removes a closed connection, whose descriptor is still open.
  mutating func remove(_ connection: ConnectionID) {
    guard let peer = entries.removeValue(forKey: connection)?.peer else { return }
    counts[peer, default: 0] -= 1
    if counts[peer] == 0 { counts[peer] = nil }
  }

  /// Notes that a request begins to arrive.
  mutating func begins(_ connection: ConnectionID) { entries[connection]?.hasRequest = true }

  /// Shuts down the connections that wait for another request.
  mutating func endIdle() {
    for (connection, entry) in entries where !entry.isNew && !entry.hasRequest { cutOff(connection, entry) }
  }

  /// Notes that a request has arrived completely.
  mutating func hasArrived(_ connection: ConnectionID) { entries[connection]?.deadline = nil }

  /// Notes that a request was answered. The connection may send another one.
  mutating func wasAnswered(_ connection: ConnectionID) {
    entries[connection]?.deadline = .now + timeout
    entries[connection]?.isNew = false
    entries[connection]?.hasRequest = false
  }

  /// The peer of a connection.
  func peer(of connection: ConnectionID) -> PeerAddress? { entries[connection]?.peer }

  /// Shuts down connections beyond their deadline. The server notices and closes them.
  mutating func cutOff(at now: ContinuousClock.Instant) {
    for (connection, entry) in entries {
      guard let deadline = entry.deadline, deadline <= now else { continue }
      cutOff(connection, entry)
    }
  }
}
