import FencepostCalendarModel
import Foundation

/// A query for reminders.
struct ReminderQuery: Sendable {
  enum Kind: Sendable {
    case all
    case incomplete(from: Instant?, to: Instant?)
    case completed(from: Instant?, to: Instant?)
  }

  var kind: Kind
  /// The lists to search; `nil` for all.
  var calendars: [Identifier<ItemCalendar>]?
}

/// A predicate of an `EKEventStore`: a query of the store in the form that the API uses.
final class StorePredicate: NSPredicate {
  enum Query: Sendable {
    case events(Range<Instant>, calendars: [Identifier<ItemCalendar>]?)
    case reminders(ReminderQuery)
  }

  let query: Query
  let session: StoreSession

  init(_ query: Query, session: StoreSession) {
    self.query = query
    self.session = session
    super.init(value: true)
  }

  /// `nil`: a query belongs to its store and can't be archived.
  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}
