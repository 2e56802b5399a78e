import FencepostAddresses
import FencepostAlgorithms
public import FencepostCalendarStore
import FencepostJSON
import FencepostSystem
import FencepostWebClient
import FencepostXML

/// `matrix://HOST/ROOM?token-file=PATH`: a room of Matrix at a home server. The room is an identifier such as
/// `!abc:example.org`, or an alias such as `#alarms:example.org`.
public struct MatrixAddress: Hashable, Sendable, CustomStringConvertible {
  /// The home server, with the room as its path.
  package let server: MessageServer

  init(_ words: inout AddressParameters) throws(AddressError) {
    let usage = "matrix://HOST/!ROOM:HOST?token-file=/PATH"
    server = try MessageServer(&words, usage: usage)
    guard server.path.count > 1, server.path.hasPrefix("!") || server.path.hasPrefix("#") else {
      throw words.failure("a room begins with '!', an alias of one with '#': use \(usage)")
    }
    guard server.token != nil else { throw words.failure("missing the access token: use \(usage)") }
  }

  /// The server and the room.
  public var description: String { "matrix://\(server.place)/\(server.path)" }
}

extension MatrixAddress: ServerChannelForm {
  package static let words = MessageServer.words
  package var unnamed: String { "the token" }
  package func open(_ context: ChannelContext) throws -> any Channel { try MatrixChannel(self, context) }
}

/// Sends each notice to a room (Matrix Client-Server API, "Sending events to a room"). The transaction's
/// identifier is the notice's, so a home server sends it once, however often it is asked.
///
/// The room must not be encrypted: the text of the alarm goes to the server as it is.
public final class MatrixChannel: Channel {
  private let address: MatrixAddress
  private let words: NoticeWords
  private let sender: DeliveryClient
  private let token: String
  /// The identifier of the room, once known.
  private var room: String?

  /// An event has at most 65,536 bytes, and its text is in it twice.
  private static let maximumTextBytes = 20_000

  init(_ address: MatrixAddress, _ context: ChannelContext) throws {
    self.address = address
    words = NoticeWords(resolver: context.resolver)
    sender = try DeliveryClient()
    token = try address.server.tokenText() ?? ""
    room = address.server.path.hasPrefix("!") ? address.server.path : nil
  }

  /// Sends the notice.
  public func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure) {
    let notice = delivery.notice
    guard !notice.isAnswered else { return }
    let title = words.title(notice)
    let body = words.lines(notice).joined(separator: "\n").cut(toBytes: Self.maximumTextBytes)
    var message = JSONLine()
    // Clients notify of texts, not of notices.
    message.add("msgtype", delivery.isQuiet ? "m.notice" : "m.text")
    message.add("body", "\(title)\n\(body)")
    message.add("format", "org.matrix.custom.html")
    message.add(
      "formatted_body",
      "<strong>\(XMLEscaping.escaped(title))</strong><br>"
        + XMLEscaping.escaped(body).replacing("\n", with: "<br>"))
    let place = "rooms/\(PercentEncoding.encode(try roomIdentifier()))/send/m.room.message"
    _ = try ask("PUT", "\(place)/\(delivery.identifier)", body: Array(message.line.utf8))
  }

  /// The identifier of the room, which the server knows by its alias.
  private func roomIdentifier() throws(DeliveryFailure) -> String {
    if let room { return room }
    let answer = try ask("GET", "directory/room/\(PercentEncoding.encode(address.server.path))")
    guard let found = (try? JSONValue(reading: answer, maxDepth: 8))?["room_id"]?.text else {
      throw DeliveryFailure("the server does not say which room '\(address.server.path)' is")
    }
    room = found
    return found
  }

  /// Asks the server; its answer's body.
  private func ask(
    _ method: String, _ path: String, body: [UInt8]? = nil
  ) throws(DeliveryFailure) -> [UInt8] {
    var request = HTTPClient.Request(
      url: "\(address.server.origin)/_matrix/client/v3/\(path)",
      headers: ["Authorization: Bearer \(token)"] + (body == nil ? [] : ["Content-Type: application/json"]),
      body: body)
    request.method = method
    return try sender.send(request) { json in
      // Servers before version 1.10 of the specification have no Retry-After.
      let milliseconds = json["retry_after_ms"]?.number
      return .init(
        reason: json["error"]?.text ?? json["errcode"]?.text, retryAfter: milliseconds.map { $0 / 1_000 })
    }.body
  }
}
