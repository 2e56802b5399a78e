public import FencepostCalendarStore
public import FencepostReservations

extension SuggestionInbox {
  /// Adds the reservations that an app donated. The app needs no access, because nothing goes into a calendar
  /// without an answer of the user. If the user accepted a suggestion of the same app, its updates and
  /// cancellations need no further answer.
  ///
  /// - Returns: A change for each reservation. The cancellation of something unknown returns no change.
  @discardableResult
  public func take(
    _ donation: Donation, of reservations: [Reservation], in writer: borrowing StoreWriter
  ) throws -> [Change] {
    var document = ScannedDocument()
    document.app = donation.app
    document.reservations = reservations
    let changes = try take(document, in: writer)
    for change in changes { try writer.save(donation, of: change.suggestion.id) }
    return changes
  }
}
