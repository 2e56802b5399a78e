import FencepostCalendarModel
import FencepostPositionFeeds
import FencepostWebServer

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
