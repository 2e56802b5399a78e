import CalendarModel
import PositionFeeds
import System
import WebServer

/// Positions that phones post: OwnTracks in its HTTP mode, Overland, and what speaks OsmAnd's protocol, such as
/// Traccar Client; each is known by what it sends, at any path unless the address names one.
///
/// A request is answered once its positions are kept, that is after the engine's step was committed: what a phone was
/// told that we have, it forgets. Requests that come while a step is being committed make up the next one.
final class HTTPFeed: LiveFeed {
  private let address: HTTPAddress
  private let limits: HTTPServer.Limits
  private let bodyLimit: Int
  private let interrupter: Int32
  private let onOpen: (UInt16) -> Void

  /// A feed of what is posted.
  ///
  /// - Parameters:
  ///   - address: Where to listen, and who may post.
  ///   - limits: What its server holds at most.
  ///   - bodyLimit: Bytes of a body at most.
  ///   - interrupter: A descriptor that is ready when the feed is to end; -1 for never.
  ///   - onOpen: Told of the port once it is listened on.
  init(
    _ address: HTTPAddress, limits: HTTPServer.Limits = .init(), bodyLimit: Int = 4 << 20,
    interruptedBy interrupter: Int32 = -1,
    onOpen: @escaping (UInt16) -> Void = { _ in }
  ) {
    self.address = address
    self.limits = limits
    self.bodyLimit = bodyLimit
    self.interrupter = interrupter
    self.onOpen = onOpen
  }

  /// Listens at the address.
  ///
  /// - Throws: Also where the name stands for an address that others can reach, and no secret is asked for.
  private func listener() throws -> HTTPListener {
    try HTTPListener(host: address.host, port: address.port) { [address] peer in
      guard address.asksForSecret || peer?.isLoopback == true else {
        throw AddressError(address.description, address.advice)
      }
    }
  }

  func run(_ desk: FeedDesk) throws {
    var gate = PhoneGate(address)
    gate.bodyLimit = bodyLimit
    let site = try HTTPSite(gate)
    let server = try HTTPServer(listener(), sites: [site], limits: limits) { sender, attempts in
      desk.note(
        .notice,
        "rejected \(sender): missing or wrong secret" + (attempts > 1 ? " (\(attempts) more attempts)" : ""))
    }
    desk.opened()
    if address.port == 0 { desk.note(.info, "listens on port \(server.port)") }
    onOpen(server.port)
    // The server ends with its last use.
    defer { withExtendedLifetime(server) {} }
    PhonePosts(desk: desk, mostWaypoints: address.waypoints).serve(site.queue, until: interrupter)
  }
}
