import FencepostCalendarModel
import FencepostPositionFeeds
import FencepostSystem
import FencepostWebServer

/// Takes posted positions from a queue, and answers after they are stored.
struct PhonePosts {
  let desk: FeedDesk
  /// The number of fences that a phone with OwnTracks gets to watch.
  var mostWaypoints = 0

  private static let misnamed = HTTPResponse.refusal(
    400, "a device name has at most \(NetworkFixes.longestName) bytes and no control characters")

  private static let notKept = HTTPResponse.refusal(
    503, "the store can't be used for now; send it again later", headers: ["Retry-After": "10"])

  /// Answers requests until `interrupter` is readable.
  func serve(_ queue: HTTPQueue, until interrupter: Int32) {
    while true {
      let exchanges = queue.next(stop: interrupter)
      if exchanges.isEmpty { return }
      var answers: [(exchange: HTTPExchange, answer: HTTPResponse, phone: Fix?, name: String)] = []
      var received: [NetworkFixes] = []
      for exchange in exchanges {
        guard let request = exchange.request else { continue }
        do throws(MessageError) {
          let read = DeviceRegistry()
          let post = PhonePost(reader: MessageReader(devices: read))
          let (message, answer) = try post.read(request, now: .wallClock())
          if message.rejected > 0 { desk.board.reject(message.rejected) }
          let sender = request.head.sender.map { "\($0.address)" } ?? ""
          let (heard, names) = own(message.fixes, read, of: request.principal)
          let fixes = NetworkFixes(heard, namedBy: names, sender: sender)
          if fixes.misnamed > 0 {
            desk.board.reject(fixes.misnamed)
            exchange.answer(Self.misnamed)
          } else if fixes.fixes.isEmpty {
            exchange.answer(answer)
          } else {
            received.append(fixes)
            let phone = message.kind == .ownTracks ? heard.last : nil
            answers.append((exchange, answer, phone, phone.map { names.name(of: $0.device) } ?? ""))
          }
        } catch {
          desk.board.reject(1)
          exchange.answer(.refusal(400, error.description))
        }
      }
      let refusal: HTTPResponse? =
        switch desk.keep(received) {
        case .kept: nil
        case .busy: HTTPResponse.busy
        case .failed: Self.notKept
        }
      for (exchange, answer, phone, name) in answers {
        if let refusal {
          exchange.answer(refusal)
          continue
        }
        let command = phone.flatMap { phone in
          desk.waypoints?.command(for: name, at: phone.coordinate, phone.time, most: mostWaypoints)
        }
        exchange.answer(command.map { HTTPResponse.json("[\($0)]") } ?? answer)
      }
    }
  }

  /// The positions with the name of their client as the device, so that no client can move the device of another.
  private func own(_ fixes: [Fix], _ names: DeviceRegistry, of principal: Principal?) -> (
    [Fix], DeviceRegistry
  ) {
    guard let principal, principal.way == .client else { return (fixes, names) }
    let registry = DeviceRegistry()
    let number = registry.number(of: principal.name)
    return (
      fixes.map { fix in
        var fix = fix
        fix.device = number
        return fix
      }, registry
    )
  }
}
