import CMicroHTTPD
import Glibc

/// A connection of libmicrohttpd's, told from others.
struct ConnectionID: Hashable, Sendable {
  private let address: UInt

  init(_ connection: OpaquePointer) { address = UInt(bitPattern: connection) }

  /// The connection, for libmicrohttpd, as long as it is open.
  var pointer: OpaquePointer? { OpaquePointer(bitPattern: address) }
}

/// The connections that a server has, by whom and since when, so that nobody takes all of them, and none is held open
/// by whoever sends a byte now and then. Reached only under its owner's lock.
struct HTTPConnections {
  private struct Entry {
    var descriptor: Int32
    var peer: PeerAddress?
    /// When the request must have arrived whole; `nil` while it is being answered.
    var deadline: ContinuousClock.Instant?
  }

  /// How many one address may have; more where it is this machine, since a proxy may stand there for many.
  let limitPerAddress: Int
  /// How long a request may take to arrive.
  let timeout: Duration
  private var entries: [ConnectionID: Entry] = [:]
  private var counts: [PeerAddress: Int] = [:]

  /// No connections yet.
  init(limitPerAddress: Int, timeout: Duration) {
    self.limitPerAddress = limitPerAddress
    self.timeout = timeout
  }

  /// How many there are.
  var count: Int { entries.count }

  /// When the first of them is to be closed; `nil` for none.
  var nextDeadline: ContinuousClock.Instant? { entries.values.compactMap(\.deadline).min() }

  /// Whether another one of `peer` is welcome.
  func admits(_ peer: PeerAddress?) -> Bool {
    guard let peer, !peer.isLoopback else { return true }
    return counts[peer, default: 0] < limitPerAddress
  }

  /// Notes one that was made.
  mutating func add(_ connection: ConnectionID, descriptor: Int32, peer: PeerAddress?) {
    entries[connection] = Entry(descriptor: descriptor, peer: peer, deadline: .now + timeout)
    if let peer { counts[peer, default: 0] += 1 }
  }

  /// Notes one that was closed; its descriptor is still open.
  mutating func remove(_ connection: ConnectionID) {
    guard let peer = entries.removeValue(forKey: connection)?.peer else { return }
    counts[peer, default: 0] -= 1
    if counts[peer] == 0 { counts[peer] = nil }
  }

  /// Notes that the request of one arrived whole.
  mutating func hasArrived(_ connection: ConnectionID) { entries[connection]?.deadline = nil }

  /// Notes that one was answered, and may ask again.
  mutating func wasAnswered(_ connection: ConnectionID) { entries[connection]?.deadline = .now + timeout }

  /// Who is at the other end.
  func peer(of connection: ConnectionID) -> PeerAddress? { entries[connection]?.peer }

  /// Cuts off those whose time is up. The server notices, and closes them.
  mutating func cutOff(at now: ContinuousClock.Instant) {
    for (connection, entry) in entries {
      guard let deadline = entry.deadline, deadline <= now else { continue }
      shutdown(entry.descriptor, Int32(SHUT_RDWR))
      entries[connection]?.deadline = nil
    }
  }
}
