import CalendarModel
public import CalendarStore

/// A way to tell somebody of a firing. Belongs to one thread, which it may keep waiting.
public protocol Channel: AnyObject {
  /// Tells of a firing.
  ///
  /// - Parameters:
  ///   - delivery: What is to be told. The key of its firing stays the same however often it is tried.
  ///   - line: The firing as JSON, without a line end.
  func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure)

  /// Looks at what became of firings that were told, before others are, and gets ready to tell them; called when the
  /// channel begins, too, where there is nothing to tell, and not while the channel is left alone after a failure. Cost: what it takes to see that nothing is to be done.
  func review(_ store: CalendarStore) throws

  /// Goes on in the place of another channel of the same name, which is not used any more.
  func takeOver(from predecessor: any Channel)
}

extension Channel {
  /// Nothing, for a channel that tells and forgets.
  public func review(_ store: CalendarStore) throws {}

  /// Takes nothing over.
  public func takeOver(from predecessor: any Channel) {}
}

/// A channel did not take a firing.
public struct DeliveryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in one line.
  public var description: String
  /// True where trying again is of no use.
  public var isFinal: Bool
  /// How many seconds to wait at least before trying again; at most a day is waited.
  public var retryAfter: Double?

  /// A failure.
  public init(_ description: String, isFinal: Bool = false, retryAfter: Double? = nil) {
    self.description = description
    self.isFinal = isFinal
    self.retryAfter = retryAfter
  }
}

extension Delivery {
  /// The firing's key where only letters and digits may stand: the same for each attempt, other for each firing.
  public var identifier: String {
    MessageDigest.hexadecimal(MessageDigest.sha256(Array(entry.firing.key.utf8)).prefix(16))
  }
}
