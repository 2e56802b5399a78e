import FencepostCalendarModel
import FencepostStoreAccess
import Foundation
import Synchronization

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

/// A running fetch of reminders.
final class FetchRequest: Sendable {
  private let isOver = Atomic(false)

  /// Ends it; true for the first caller.
  func end() -> Bool { !isOver.exchange(true, ordering: .acquiringAndReleasing) }
}

/// Carries a value that is not `Sendable` into a queue.
///
/// `@unchecked Sendable`: the sender does not use the value afterwards.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
}
