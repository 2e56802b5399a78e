import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostCryptography

/// A way to deliver notices. It belongs to one thread, which it may block.
public protocol Channel: AnyObject {
  /// Delivers a notice.
  ///
  /// - Parameters:
  ///   - delivery: The delivery. Retries have the same key.
  ///   - line: The notice as JSON, without a line end.
  func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure)

  /// Reviews delivered notices before new ones are delivered. Also called at the start, but not during a
  /// pause after a failure. Must be cheap if there is nothing to do.
  func review(_ store: CalendarStore) throws

  /// Whether it is reviewed after each position too. Does not change.
  var followsDevices: Bool { get }

  /// Replaces another channel with the same name.
  func takeOver(from predecessor: any Channel)

  /// Ends the current delivery, which took too long as the daemon ends. May be called on any thread.
  func abandon()
}

extension Channel {
  /// Does nothing.
  public func review(_ store: CalendarStore) throws {}

  /// False.
  public var followsDevices: Bool { false }

  /// Does nothing.
  public func takeOver(from predecessor: any Channel) {}

  /// Does nothing: the delivery ends with the process.
  public func abandon() {}
}

/// A channel rejected a notice.
public struct DeliveryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, one line.
  public var description: String
  /// True if a retry is useless.
  public var isFinal: Bool
  /// True if the receiver refuses us, and not this firing: it helps only to change the settings. The firing
  /// waits for that.
  public var isRefusal: Bool
  /// The minimum seconds before a retry, at most a day.
  public var retryAfter: Double?

  /// A failure.
  public init(
    _ description: String, isFinal: Bool = false, isRefusal: Bool = false, retryAfter: Double? = nil
  ) {
    self.description = description
    self.isFinal = isFinal
    self.isRefusal = isRefusal
    self.retryAfter = retryAfter
  }
}

extension Delivery {
  /// The notice's key as letters and digits: the same for each attempt, and unique for each notice, for each
  /// content of it, and for each time that it is told again.
  public var identifier: String {
    let revision = notice.revision.map { "@\($0)" } ?? ""
    return Self.digest(notice.key + revision + (told > 0 ? "#\(told)" : ""))
  }

  /// As ``identifier``, but the same for each content of a suggestion: a later one takes the place of the one
  /// before.
  public var place: String { Self.digest(notice.key + (told > 0 ? "#\(told)" : "")) }

  private static func digest(_ name: String) -> String { MessageDigest.digits(of: name, count: 32) }
}
