import CalendarModel
import PositionFeeds

/// Positions that phones post: OwnTracks in its HTTP mode, Overland, and what speaks OsmAnd's protocol, such as
/// Traccar Client; each is known by what it sends, at any path unless the address names one.
///
/// A request is answered once its positions are kept, that is after the engine's step was committed: what a phone was
/// told that we have, it forgets. Requests that come while a step is being committed make up the next one.
final class HTTPFeed: LiveFeed {
  private let address: HTTPAddress
  private let limits: HTTPServer.Limits
  private let interrupter: Int32
  private let onOpen: (HTTPServer) -> Void

  /// A feed of what is posted.
  ///
  /// - Parameters:
  ///   - address: Where to listen, and who may post.
  ///   - limits: What it holds at most.
  ///   - interrupter: A descriptor that is ready when the feed is to end; -1 for never.
  ///   - onOpen: Told of the server once it listens.
  init(
    _ address: HTTPAddress, limits: HTTPServer.Limits = .init(), interruptedBy interrupter: Int32 = -1,
    onOpen: @escaping (HTTPServer) -> Void = { _ in }
  ) {
    self.address = address
    self.limits = limits
    self.interrupter = interrupter
    self.onOpen = onOpen
  }

  private static let misnamed = HTTPResponse.refusal(
    400, "a device's name has at most \(AdmittedFixes.longestName) bytes and no control characters")

  func run(_ desk: FeedDesk) throws {
    let server = try HTTPServer(address, limits: limits) { sender, attempts in
      desk.note(
        .notice, "\(sender) knows no secret" + (attempts > 1 ? "; it has tried \(attempts) more" : ""))
    }
    desk.opened()
    onOpen(server)
    while true {
      let exchanges = server.next(stop: interrupter)
      if exchanges.isEmpty { return }
      var answers: [(exchange: HTTPExchange, answer: HTTPResponse)] = []
      var fixes: [Fix] = []
      for exchange in exchanges {
        guard let request = exchange.request else { continue }
        do throws(MessageError) {
          // What the names are worth is seen before any is kept.
          let names = DeviceRegistry()
          let post = PhonePost(reader: MessageReader(devices: names))
          let (message, answer) = try post.read(request, now: .wallClock())
          if message.rejected > 0 { desk.board.reject(message.rejected) }
          let admitted = desk.admit(message.fixes, namedBy: names)
          guard admitted.misnamed == 0 else {
            server.answer(exchange, HTTPFeed.misnamed)
            continue
          }
          fixes += admitted.fixes
          if admitted.fixes.isEmpty {
            server.answer(exchange, answer)
          } else {
            answers.append((exchange, answer))
          }
        } catch {
          desk.board.reject(1)
          server.answer(exchange, .refusal(400, error.description))
        }
      }
      let isKept = desk.keep(fixes)
      for (exchange, answer) in answers { server.answer(exchange, isKept ? answer : HTTPServer.busy) }
    }
  }
}
