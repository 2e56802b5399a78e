import CalendarModel
import Foundation

/// Which reminders to find.
struct ReminderQuery: Sendable {
  enum Kind: Sendable {
    case all
    case incomplete(from: Instant?, to: Instant?)
    case completed(from: Instant?, to: Instant?)
  }

  var kind: Kind
  /// The lists to look in; `nil` for all.
  var calendars: [Identifier<ItemCalendar>]?
}

/// A predicate that an `EKEventStore` made: a query of the store's in the shape that the API passes around.
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

  /// `nil`: a query is bound to its store and can't be archived.
  required init?(coder: NSCoder) { nil }

  override func copy(with zone: NSZone? = nil) -> Any { self }
}
