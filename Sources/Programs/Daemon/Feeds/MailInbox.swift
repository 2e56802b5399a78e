import FencepostCalendarModel
import FencepostCalendarStore
import FencepostInterchange
import FencepostRecurrence
import FencepostReservations

/// What a feed of mails fills: the inbox of suggestions of a store.
struct MailInbox: Sendable {
  /// The store with the inbox.
  var store: CalendarStore
  /// The zones of times.
  var resolver: TimeResolver
  /// The alarms of bookings that trusted senders change.
  var alarms = ReservationAlarms()
  /// Reads PDFs; `nil` if that program is not installed.
  var extractor: BookingExtractor?

  /// A scan for the inbox.
  func scan(at now: Instant) throws -> SuggestionScan {
    try SuggestionScan(store, resolver: resolver, alarms: alarms, at: now, extractor: extractor)
  }

  /// Logs what a mail changed.
  func note(_ change: SuggestionInbox.Change, _ desk: FeedDesk) {
    guard change.outcome != .unchanged else { return }
    desk.note(.info, "\(change.outcome.rawValue): \(change.suggestion.title)")
  }
}
