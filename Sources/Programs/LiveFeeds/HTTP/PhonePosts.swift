import FencepostCalendarModel
import FencepostPositionFeeds
import FencepostSystem
package import FencepostWebServer

/// Takes posted positions from a queue, and answers after they are stored.
package struct PhonePosts {
  package let output: FeedOutput
  /// The number of fences that a phone with OwnTracks gets to watch.
  package var maximumWaypoints = 0

  package init(output: FeedOutput, maximumWaypoints: Int = 0) {
    self.output = output
    self.maximumWaypoints = maximumWaypoints
  }

  private static let misnamed = HTTPResponse.refusal(
    400, "a device name has at most \(NetworkFixes.maximumName) bytes and no control characters")

  private static let notKept = HTTPResponse.refusal(
    503, "the store can't be used for now; send it again later", headers: ["Retry-After": "10"])

  /// Answers requests until `interrupter` is readable.
  package func serve(_ queue: HTTPQueue, until interrupter: Int32) {
    while true {
      let exchanges = queue.next(stop: interrupter)
      if exchanges.isEmpty { return }
      var answers: [(exchange: HTTPExchange, answer: HTTPResponse, phone: Fix?, name: String)] = []
      var received: [NetworkFixes] = []
      for exchange in exchanges {
        guard let request = exchange.request else { continue }
        do throws(MessageError) {
          let names = DeviceRegistry()
          let post = PhonePost(reader: MessageReader(devices: names))
          let (message, answer) = try post.read(request, now: .wallClock())
          if message.rejected > 0 { output.status.reject(message.rejected) }
          let sender = request.head.sender.map { "\($0.address)" } ?? ""
          let fixes =
            if let client = request.principal, client.way == .client {
              NetworkFixes(message.fixes, of: client.name, sender: sender)
            } else {
              NetworkFixes(message.fixes, namedBy: names, sender: sender)
            }
          if fixes.misnamed > 0 {
            output.status.reject(fixes.misnamed)
            exchange.answer(Self.misnamed)
          } else if fixes.fixes.isEmpty {
            exchange.answer(answer)
          } else {
            received.append(fixes)
            let phone = message.kind == .ownTracks ? fixes.fixes.last : nil
            answers.append((exchange, answer, phone, phone.flatMap(fixes.name(of:)) ?? ""))
          }
        } catch {
          output.status.reject(1)
          exchange.answer(.refusal(400, error.description))
        }
      }
      let refusal: HTTPResponse? =
        switch output.store(received) {
        case .stored: nil
        case .busy: HTTPResponse.busy
        case .failed: Self.notKept
        }
      for (exchange, answer, phone, name) in answers {
        if let refusal {
          exchange.answer(refusal)
          continue
        }
        let command = phone.flatMap { phone in
          output.waypoints?.command(
            for: name, at: phone.coordinate, phone.time, most: maximumWaypoints,
            lists: exchange.request?.principal?.lists)
        }
        exchange.answer(command.map { HTTPResponse.json("[\($0)]") } ?? answer)
      }
    }
  }
}

/// Reads a phone's request, and chooses the response that the phone expects.
struct PhonePost {
  /// The reader of positions.
  let reader: MessageReader

  /// Reads a request.
  ///
  /// - Returns: The message, and the response after it is stored.
  func read(
    _ request: HTTPRequest, now: Instant
  ) throws(MessageError) -> (message: PositionMessage, answer: HTTPResponse) {
    let message = try message(in: request, now: now)
    let answer: HTTPResponse =
      switch message.kind {
      // The list of commands for the phone, which is empty.
      case .ownTracks: .json("[]")
      case .overland: .json(#"{"result":"ok"}"#)
      case .traccar, .osmAnd: .done
      }
    return (message, answer)
  }

  private func message(in request: HTTPRequest, now: Instant) throws(MessageError) -> PositionMessage {
    guard let first = request.body.first(where: { $0 > 0x20 }) else {
      // OwnTracks clears a retained message with an empty one; other apps put all fields in the query.
      if request.head.method == "POST", request.head.field("lat") == nil,
        request.head.field("location") == nil,
        PhonePost.ownTracksDevice(request) != nil || request.head.query.allSatisfy({ $0.name == "token" })
      {
        return PositionMessage(kind: .ownTracks, fixes: [], rejections: [:])
      }
      return try reader.read(
        osmAnd: request.head.query.map { ($0.name, $0.value) }, now: now, device: request.principal?.name)
    }
    if first == 0x7B || first == 0x5B {
      if let device = PhonePost.ownTracksDevice(request) {
        return try reader.read(request.body, of: .given(device))
      }
      return try reader.read(request.body, of: .named(orElse: request.principal?.name ?? "phone"))
    }
    guard let form = request.form else { throw .notJSON }
    return try reader.read(
      osmAnd: (request.head.query + form).map { ($0.name, $0.value) }, now: now,
      device: request.principal?.name)
  }

  /// `user/device` from OwnTracks' headers or query; `nil` if the request has neither.
  private static func ownTracksDevice(_ request: HTTPRequest) -> String? {
    let user = request.head.headers["x-limit-u"] ?? request.head.field("u")
    let device = request.head.headers["x-limit-d"] ?? request.head.field("d")
    let parts = [user, device].compactMap(\.self).filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: "/")
  }
}
