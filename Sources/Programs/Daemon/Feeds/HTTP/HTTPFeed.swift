import FencepostCalendarModel
import FencepostPositionFeeds
import FencepostSystem
import FencepostWebServer

/// Positions that phones post: OwnTracks in its HTTP mode, Overland, and apps with OsmAnd's protocol, such as
/// Traccar Client. The content of a request shows which one it is, so any path works unless the address has
/// one.
///
/// A request is answered after the engine's step was committed, because the phone then forgets the positions.
/// Requests that arrive during a commit form the next step.
final class HTTPFeed: LiveFeed {
  private let address: HTTPAddress
  private let limits: HTTPServer.Limits
  private let bodyLimit: Int
  private let interrupter: Int32
  private let onOpen: (UInt16) -> Void

  /// A feed of posted positions.
  ///
  /// - Parameters:
  ///   - address: The address of the server, and the secret of senders.
  ///   - limits: The limits of the server.
  ///   - bodyLimit: The most bytes of a body.
  ///   - interrupter: A descriptor that becomes ready when the feed should end; -1 for never.
  ///   - onOpen: Called with the port when the server listens.
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
  /// - Throws: Also if others can reach the address and no secret is required.
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
    // Keep the server alive until here.
    defer { withExtendedLifetime(server) {} }
    PhonePosts(desk: desk, mostWaypoints: address.waypoints).serve(site.queue, until: interrupter)
  }
}
