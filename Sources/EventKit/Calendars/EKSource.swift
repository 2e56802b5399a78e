import CalendarModel
import Foundation

/// An account that calendars belong to. Comes out of the store.
open class EKSource: EKObject {
  let session: StoreSession
  var value: Source

  /// An account of no store, for subclasses in tests.
  public override init() {
    value = Source(title: "")
    session = .none
  }

  init(_ source: Source, session: StoreSession) {
    value = source
    self.session = session
  }

  /// What tells it from other sources.
  open var sourceIdentifier: String { value.id.rawValue }
  /// What kind of account it is.
  open var sourceType: EKSourceType { EKSourceType(rawValue: value.kind.rawValue) ?? .local }
  /// Its name.
  open var title: String { value.title }
  /// True where the account belongs to somebody who delegated access.
  open var isDelegate: Bool { value.isDelegate }

  /// The calendars, or lists, of this account that may hold items of a kind.
  @discardableResult
  open func calendars(for entityType: EKEntityType) -> Set<EKCalendar> {
    Set(session.calendars(for: [entityType]).filter { $0.value.source == value.id })
  }

  /// All calendars of events of this account.
  @available(*, deprecated, renamed: "calendars(for:)")
  open var calendars: Set<EKCalendar> { calendars(for: .event) }

  /// False: sources come out of the store.
  open override var isNew: Bool { false }

  /// True where both are the same account of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKSource else { return false }
    return other.session === session && other.value.id == value.id
  }

  /// By identifier.
  open override var hash: Int { value.id.hashValue }

  /// Name and identifier, for a log.
  open override var description: String { "EKSource \(title) (\(sourceIdentifier))" }
}
