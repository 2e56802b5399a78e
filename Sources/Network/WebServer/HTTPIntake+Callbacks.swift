import CFencepostLinux
import CFencepostMicroHTTPD
import Glibc

/// The callbacks of libmicrohttpd, on its own thread. None of them may retain an ``HTTPServer``.
extension HTTPIntake {
  private static func from(_ data: UnsafeMutableRawPointer?) -> HTTPIntake? {
    data.map { Unmanaged<HTTPIntake>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether a peer may connect.
  static let accept: MHD_AcceptPolicyCallback = { data, address, _ in
    guard let intake = from(data), let address else { return .NO }
    return intake.admits(PeerAddress(address)) ? .YES : .NO
  }

  /// A connection was opened or closed.
  static let notify: MHD_NotifyConnectionCallback = { data, connection, _, event in
    guard let intake = from(data), let connection else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
      intake.add(
        ConnectionID(connection), descriptor: cmicrohttpd_descriptor(connection),
        peer: cmicrohttpd_peer(connection).flatMap { PeerAddress($0) })
    } else {
      intake.remove(ConnectionID(connection))
    }
  }

  /// The first line of a request has arrived and is not parsed yet. The result is the `context` of later
  /// calls: the exchange, with the target as sent.
  ///
  /// A target that is too long is refused later, with the head. Until then its fields must not be parsed, because
  /// many fields don't fit in a connection's memory, and libmicrohttpd would give no answer. So this call ends
  /// the text after its question mark.
  static let target: CMicroHTTPDTarget = { data, target, connection in
    guard let intake = from(data), let target, let connection else { return nil }
    let refusal = intake.refusal(ofTarget: target)
    let exchange = HTTPExchange(
      connection, target: refusal == nil ? String(cString: target) : "/", intake: intake)
    exchange.refusal = refusal
    if refusal != nil, let mark = strchr(target, Int32(UInt8(ascii: "?"))) { mark[1] = 0 }
    intake.noteBegin()
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  /// The head of a request, a part of its body, or its end has arrived.
  static let handle: MHD_AccessHandlerCallback = {
    data, connection, _, method, _, upload, uploadSize, context in
    guard let intake = from(data), let uploadSize, let pointer = context?.pointee else { return .NO }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    guard exchange.head != nil else {
      intake.begin(exchange, method: method.map { String(cString: $0) } ?? "")
      // Refuse a large body at once; then the connection ends.
      if let refusal = exchange.refusal, exchange.head?.length ?? 0 > 65_536 {
        return exchange.queue(refusal)
      }
      return .YES
    }
    if uploadSize.pointee > 0 {
      intake.take(UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee), of: exchange)
      uploadSize.pointee = 0
      return .YES
    }
    return intake.submit(exchange).map(exchange.queue) ?? .YES
  }

  /// A request has ended, with or without a response.
  static let completed: MHD_RequestCompletedCallback = { data, _, context, _ in
    guard let intake = from(data), let context, let pointer = context.pointee else { return }
    context.pointee = nil
    intake.end(Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue())
  }
}
