public import FencepostCryptography

/// The receiver of pushes: it reads what ``PushSender`` sends (RFC 8291).
public struct PushReceiver: Hashable, Sendable {
  /// The key that senders encrypt for.
  public let key: EllipticKey
  /// The 16 bytes that only the sender and this receiver know.
  public let secret: [UInt8]

  /// A receiver.
  public init(key: EllipticKey, secret: [UInt8]) {
    self.key = key
    self.secret = secret
  }

  /// The most bytes of a body that push services have to accept (RFC 8030, section 7.2).
  public static let maximumBytes = 4_096

  /// Decrypts the body of a request.
  ///
  /// - Returns: `nil` if it is not a message for this receiver, or was changed. Cost: about a millisecond in
  ///   any case.
  public func open(_ body: [UInt8]) -> [UInt8]? {
    guard body.count <= Self.maximumBytes else { return nil }
    return PushEncryption.open(body, for: self)
  }
}
