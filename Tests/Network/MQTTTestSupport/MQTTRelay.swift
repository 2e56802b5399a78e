import FencepostTestSupport
import Foundation
import Glibc
import Synchronization

/// A relay between an MQTT client and a broker on loopback. It records the packets.
package final class MQTTRelay: Sendable {
  /// A control packet (MQTT 3.1.1, section 2.2).
  package struct Packet: Hashable, Sendable {
    package enum Kind: UInt8, Sendable {
      case connect = 1
      case connectAnswer, publish, publishAnswer, received, release, complete, subscribe, subscribeAnswer
      case unsubscribe, unsubscribeAnswer, ping, pingAnswer, disconnect
    }

    package var kind: Kind
    /// Whether it is marked as a duplicate.
    package var isRepeated: Bool
    package var isFromClient: Bool
    /// The identifier of the message that it acknowledges.
    package var message: UInt16?
  }

  /// Its port.
  package var port: UInt16 { listener.port }
  private let listener: LoopbackListener
  private struct State {
    var packets: [Packet] = []
    var open: [Link] = []
  }
  private let state = Mutex(State())

  /// The two connections of a client.
  private final class Link: Sendable {
    let client: Int32
    let server: Int32

    init(client: Int32, server: Int32) {
      self.client = client
      self.server = server
    }

    func cut() {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  /// A relay to the broker at a port.
  package init(to broker: UInt16) throws {
    listener = try LoopbackListener()
    listener.start(concurrently: true) { [weak self] client in
      guard let server = MQTTRelay.connection(to: broker) else { return }
      defer { close(server) }
      let link = Link(client: client, server: server)
      self?.state.withLock { $0.open.append(link) }
      let hasEnded = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [weak self] in
        MQTTRelay.hand(on: link, isFromClient: false) { self }
        hasEnded.signal()
      }
      MQTTRelay.hand(on: link, isFromClient: true) { self }
      hasEnded.wait()
      self?.state.withLock { $0.open.removeAll { $0 === link } }
    }
  }

  deinit { cut() }

  /// True if each side has closed its connections, so that both have seen all packets.
  package var isQuiet: Bool { state.withLock { $0.open.isEmpty } }

  /// The number of packets of a kind.
  package func count(_ kind: Packet.Kind, isRepeated: Bool? = nil) -> Int {
    state.withLock { state in
      state.packets.count { $0.kind == kind && (isRepeated == nil || $0.isRepeated == isRepeated) }
    }
  }

  /// The number of messages that were acknowledged, each once.
  package var acknowledgedCount: Int { state.withLock { Set($0.packets.compactMap(\.message)).count } }

  /// Drops all connections like a network failure, without notice.
  package func cut() {
    state.withLock { state in
      for link in state.open { link.cut() }
      state.open.removeAll()
    }
  }

  /// Hands on what comes, until the source has closed. Then the target can still read all of it.
  private static func hand(on link: Link, isFromClient: Bool, for relay: () -> MQTTRelay?) {
    let (source, target) = isFromClient ? (link.client, link.server) : (link.server, link.client)
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(source, &buffer, buffer.count), count > 0 {
      rest += buffer[..<count]
      _ = send(target, buffer, count, Int32(MSG_NOSIGNAL))
      // A packet counts when the other end has it.
      relay()?.note(&rest, isFromClient: isFromClient)
    }
    shutdown(target, Int32(SHUT_WR))
  }

  /// Removes complete packets from the start of `bytes`.
  private func note(_ bytes: inout [UInt8], isFromClient: Bool) {
    while bytes.count >= 2 {
      var (length, shift, header) = (0, 0, 1)
      while header < bytes.count {
        length |= Int(bytes[header] & 0x7F) << shift
        shift += 7
        header += 1
        if bytes[header - 1] & 0x80 == 0 { break }
      }
      guard bytes[header - 1] & 0x80 == 0, bytes.count >= header + length,
        let kind = Packet.Kind(rawValue: bytes[0] >> 4)
      else { return }
      var packet = Packet(
        kind: kind, isRepeated: kind == .publish && bytes[0] & 8 != 0, isFromClient: isFromClient)
      if kind == .publishAnswer, length == 2 {
        packet.message = UInt16(bytes[header]) << 8 | UInt16(bytes[header + 1])
      }
      state.withLock { $0.packets.append(packet) }
      bytes.removeFirst(header + length)
    }
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
    return address
  }

  private static func connection(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = loopback(port: port)
    let answer = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if answer == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
