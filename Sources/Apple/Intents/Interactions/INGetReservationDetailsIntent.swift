public import Foundation

/// A person wants the details of a reservation.
open class INGetReservationDetailsIntent: INIntent {
  /// The booking.
  public let reservationContainerReference: INSpeakableString?
  /// The booked items.
  public let reservationItemReferences: [INSpeakableString]?

  /// An intent.
  public init(
    reservationContainerReference: INSpeakableString? = nil,
    reservationItemReferences: [INSpeakableString]? = nil
  ) {
    self.reservationContainerReference = reservationContainerReference
    self.reservationItemReferences = reservationItemReferences
  }

  /// A new intent with the same parts.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = INGetReservationDetailsIntent(
      reservationContainerReference: reservationContainerReference,
      reservationItemReferences: reservationItemReferences)
    copy.identifier = identifier
    return copy
  }
}

/// Whether the app has the details.
public enum INGetReservationDetailsIntentResponseCode: Int, Sendable {
  case unspecified = 0
  case ready = 1
  case inProgress = 2
  case success = 3
  case failure = 4
  case failureRequiringAppLaunch = 5
}

/// The details of reservations.
open class INGetReservationDetailsIntentResponse: INIntentResponse {
  /// Whether the app has them.
  public let code: INGetReservationDetailsIntentResponseCode
  /// The reservations.
  open var reservations: [INReservation]?

  /// An answer without reservations yet.
  public init(code: INGetReservationDetailsIntentResponseCode, userActivity: NSUserActivity?) {
    self.code = code
    super.init()
    self.userActivity = userActivity
  }
}
