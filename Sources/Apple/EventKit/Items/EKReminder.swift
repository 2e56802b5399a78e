import FencepostApps
import FencepostCalendarModel
public import Foundation

/// A reminder.
open class EKReminder: EKCalendarItem {
  /// A new reminder.
  public init(eventStore: EKEventStore) {
    let session = eventStore.session
    super.init(new: ItemState(.reminder, zone: session.defaultZone), session: session)
  }

  /// A reminder without a store, for subclasses in tests. It can't be saved.
  public init() { super.init(.reminder) }

  init(_ item: CalendarItem, session: StoreSession) {
    super.init(ItemState(reminder: item), session: session)
  }

  private var details: ReminderDetails {
    get { state.item.reminder ?? ReminderDetails() }
    set { state.item.reminder = newValue }
  }

  // MARK: Dates

  /// The start: a whole day without hour, minute and second; floating without a zone.
  ///
  /// Its zone is the item's ``EKCalendarItem/timeZone``. Setting one sets the other.
  open var startDateComponents: DateComponents? {
    get { state.start }
    set {
      state.start = newValue
      if let newValue { state.item.timeZone = newValue.timeZone.map { TimeZoneID($0) } }
    }
  }

  /// The due date: a whole day without hour, minute and second; floating without a zone.
  open var dueDateComponents: DateComponents? {
    get { state.due }
    set { state.due = newValue }
  }

  /// The zone of ``startDateComponents``; `nil` if it floats.
  open override var timeZone: TimeZone? {
    get { super.timeZone }
    set {
      super.timeZone = newValue
      state.start?.timeZone = newValue
    }
  }

  // MARK: Completion

  /// True if it is completed. Setting it sets ``completionDate`` to the current time or `nil`.
  ///
  /// Saving a completed recurring reminder moves it to its next due date. It is then not completed.
  open var isCompleted: Bool {
    get { details.isCompleted }
    set {
      guard newValue != details.isCompleted else { return }
      if newValue { details.complete(at: Date().instant) } else { details.reopen() }
    }
  }

  /// The time of completion. Setting it sets ``isCompleted``. `nil` if another program completed the reminder
  /// without a time.
  open var completionDate: Date? {
    get { details.completed.map { Date($0) } }
    set {
      if let newValue {
        details.complete(at: newValue.instant)
      } else if details.isCompleted {
        details.reopen()
      }
    }
  }

  /// The priority: 0 for none, 1 to 4 high, 5 medium, 6 to 9 low. Other values can't be saved.
  open var priority: Int {
    get { state.item.priority }
    set { state.item.priority = newValue }
  }

  // MARK: Changes

  /// The reminder to store.
  var storedItem: CalendarItem {
    var item = current.item
    guard var details = item.reminder else { return item }
    if state.start != original?.start { details.start = state.start?.stored }
    if state.due != original?.due { details.due = state.due?.stored }
    item.reminder = details
    if item.anchor?.isDate == true {
      item.endRulesWithDays(since: original?.item, resolver: session.resolver)
    }
    return item
  }

  /// Loads the store's value, but keeps unsaved changes.
  ///
  /// - Returns: False if the store no longer has it: release the reminder then.
  @discardableResult
  open override func refresh() -> Bool {
    guard !isInvalid else { return false }
    guard let original else { return true }
    guard let stored = session.storedItem(original.item.id) else { return false }
    let fresh = ItemState(reminder: stored)
    rebase(onto: fresh, original: fresh)
    return true
  }

  /// True if both are the same reminder of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKReminder else { return false }
    return other === self || (other.session === session && other.state.item.id == state.item.id)
  }
}

/// Makes `reminder.priority = EKReminderPriority.medium.rawValue` compile, which tutorials use: the raw value
/// is a `UInt`, but the property an `Int`. A class's own member takes precedence over a protocol's, so
/// `priority` is an `Int` unless the context requires a `UInt`.
public protocol _EKUnsignedPriority: AnyObject {}

extension _EKUnsignedPriority where Self: EKReminder {
  /// ``EKReminder/priority`` as the raw value of an ``EKReminderPriority``.
  public var priority: UInt {
    get { UInt(clamping: (self as EKReminder).priority as Int) }
    set { (self as EKReminder).priority = Int(clamping: newValue) as Int }
  }
}

extension EKReminder: _EKUnsignedPriority {}
