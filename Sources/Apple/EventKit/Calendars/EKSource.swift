import FencepostCalendarModel
import Foundation

/// An account with calendars, from the store.
open class EKSource: EKObject {
  let session: StoreSession
  var value: Source

  /// An account without a store, for subclasses in tests.
  public override init() {
    value = Source(title: "")
    session = .none
  }

  init(_ source: Source, session: StoreSession) {
    value = source
    self.session = session
  }

  /// The identifier of the account.
  open var sourceIdentifier: String { value.id.rawValue }
  /// The kind of account.
  open var sourceType: EKSourceType { EKSourceType(rawValue: value.kind.rawValue) ?? .local }
  /// Its name.
  open var title: String { value.title }
  /// True if somebody else owns the account and delegated access.
  open var isDelegate: Bool { value.isDelegate }

  /// The calendars or lists of this account for a kind of items.
  @discardableResult
  open func calendars(for entityType: EKEntityType) -> Set<EKCalendar> {
    Set(session.calendars(for: [entityType]).filter { $0.value.source == value.id })
  }

  /// All calendars of events in this account.
  @available(*, deprecated, renamed: "calendars(for:)")
  open var calendars: Set<EKCalendar> { calendars(for: .event) }

  /// False: only the store creates sources.
  open override var isNew: Bool { false }

  /// True if both are the same account of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKSource else { return false }
    return other.session === session && other.value.id == value.id
  }

  /// Hashes the identifier.
  open override var hash: Int { value.id.hashValue }

  /// Name and identifier, for logs.
  open override var description: String { "EKSource \(title) (\(sourceIdentifier))" }
}
