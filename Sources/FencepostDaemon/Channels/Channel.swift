public import CalendarStore

/// A way to tell somebody of a firing. Belongs to one thread, which it may keep waiting.
public protocol Channel: AnyObject {
  /// Tells of a firing.
  ///
  /// - Parameters:
  ///   - delivery: What is to be told. The key of its firing stays the same however often it is tried.
  ///   - line: The firing as JSON, without a line end.
  func deliver(_ delivery: Delivery, line: String) throws(DeliveryFailure)
}

/// A channel did not take a firing.
public struct DeliveryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in one line.
  public var description: String
  /// True where trying again is of no use.
  public var isFinal: Bool

  /// A failure.
  public init(_ description: String, isFinal: Bool = false) {
    self.description = description
    self.isFinal = isFinal
  }
}
