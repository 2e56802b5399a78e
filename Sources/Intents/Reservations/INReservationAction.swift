public import Foundation

/// An action for a reservation.
public enum INReservationActionType: Int, Sendable {
  case unknown = 0
  case checkIn = 1
}

/// An action that is possible for a reservation in a span of time.
open class INReservationAction: NSObject, NSCopying {
  /// What.
  public let type: INReservationActionType
  /// When.
  public let validDuration: INDateComponentsRange
  /// How: its page opens in a browser.
  public let userActivity: NSUserActivity

  /// An action.
  public init(
    type: INReservationActionType, validDuration: INDateComponentsRange, userActivity: NSUserActivity
  ) {
    self.type = type
    self.validDuration = validDuration
    self.userActivity = userActivity
  }

  /// The same object, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
