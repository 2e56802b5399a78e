import CLinux
import CMicroHTTPD
import Glibc

/// What libmicrohttpd calls, on its own thread. None of it may hold an ``HTTPServer``.
extension HTTPIntake {
  private static func from(_ data: UnsafeMutableRawPointer?) -> HTTPIntake? {
    data.map { Unmanaged<HTTPIntake>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether somebody may connect.
  static let accept: MHD_AcceptPolicyCallback = { data, address, _ in
    guard let intake = from(data), let address else { return .NO }
    return intake.admits(PeerAddress(address)) ? .YES : .NO
  }

  /// A connection was made or closed.
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

  /// What stands for the exchange of a request that was refused before its head came.
  private static var refused: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

  /// The first line of a request came, and was not taken apart yet. What this returns is the `context` of the calls that
  /// follow: the exchange, with the target as it was sent.
  ///
  /// There is no way to refuse it here but to answer past libmicrohttpd and end the connection: nothing else was written
  /// to it that is not sent yet, as requests are answered one after the other. Where the head has come too, the request must
  /// not be carried out.
  static let target: CMicroHTTPDTarget = { data, target, connection in
    guard let intake = from(data), let target, let connection else { return nil }
    guard let refusal = intake.refusal(ofTarget: target) else {
      let exchange = HTTPExchange(connection, target: String(cString: target), intake: intake)
      return Unmanaged.passRetained(exchange).toOpaque()
    }
    let descriptor = cmicrohttpd_descriptor(connection)
    if !intake.isSecure {
      let bytes = refusal.lastMessage
      _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    shutdown(descriptor, Int32(SHUT_RDWR))
    return refused
  }

  /// A request's head came, a piece of its body, or its end.
  static let handle: MHD_AccessHandlerCallback = {
    data, connection, _, method, _, upload, uploadSize, context in
    guard let intake = from(data), let uploadSize, let pointer = context?.pointee, pointer != refused
    else { return .NO }
    let exchange = Unmanaged<HTTPExchange>.fromOpaque(pointer).takeUnretainedValue()
    guard exchange.head != nil else {
      intake.begin(exchange, method: method.map { String(cString: $0) } ?? "")
      // Who sends much for nothing is told so at once; then the connection ends.
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

  /// A request is over, answered or not.
  static let completed: MHD_RequestCompletedCallback = { data, _, context, _ in
    guard let intake = from(data), let context, let pointer = context.pointee else { return }
    context.pointee = nil
    if pointer == refused { return }
    intake.end(Unmanaged<HTTPExchange>.fromOpaque(pointer).takeRetainedValue())
  }
}
