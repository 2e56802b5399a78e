public import Foundation

/// An action for a reservation.
public enum INReservationActionType: Int, Sendable {
  case unknown = 0
  case checkIn = 1
}

/// An action that is possible for a reservation in a span of time.
open class INReservationAction: NSObject, NSCopying {
  /// The kind.
  public let type: INReservationActionType
  /// When it is possible.
  public let validDuration: INDateComponentsRange
  /// How to do it: its web page opens in a browser.
  public let userActivity: NSUserActivity

  /// An action.
  public init(
    type: INReservationActionType, validDuration: INDateComponentsRange, userActivity: NSUserActivity
  ) {
    self.type = type
    self.validDuration = validDuration
    self.userActivity = userActivity
  }

  /// Returns the same object, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
