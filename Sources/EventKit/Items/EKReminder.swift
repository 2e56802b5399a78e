import CalendarModel
public import Foundation

/// Something to be done.
open class EKReminder: EKCalendarItem {
  /// A new reminder.
  public init(eventStore: EKEventStore) {
    let session = eventStore.session
    super.init(new: ItemState(.reminder, zone: session.defaultZone), session: session)
  }

  /// A reminder of no store, for subclasses in tests. No store takes it.
  public init() { super.init(.reminder) }

  init(_ item: CalendarItem, session: StoreSession) {
    super.init(ItemState(reminder: item), session: session)
  }

  private var details: ReminderDetails {
    get { state.item.reminder ?? ReminderDetails() }
    set { state.item.reminder = newValue }
  }

  // MARK: Dates

  /// When work on it is to begin: with no hour, minute and second a whole day, with no zone a floating time.
  ///
  /// Its zone is the item's ``EKCalendarItem/timeZone``: setting either sets both.
  open var startDateComponents: DateComponents? {
    get { state.start }
    set {
      state.start = newValue
      if let newValue { state.item.timeZone = newValue.timeZone.map { TimeZoneID($0) } }
    }
  }

  /// When it is to be done: with no hour, minute and second a whole day, with no zone a floating time.
  open var dueDateComponents: DateComponents? {
    get { state.due }
    set { state.due = newValue }
  }

  /// The zone of ``startDateComponents``; `nil` where it floats.
  open override var timeZone: TimeZone? {
    get { super.timeZone }
    set {
      super.timeZone = newValue
      state.start?.timeZone = newValue
    }
  }

  // MARK: Completion

  /// True once it is done. Setting it sets ``completionDate``: to now, or to none.
  ///
  /// A reminder that repeats is moved to its next due date when it is saved, and is then not completed.
  open var isCompleted: Bool {
    get { details.isCompleted }
    set {
      guard newValue != details.isCompleted else { return }
      if newValue { details.complete(at: Date().instant) } else { details.reopen() }
    }
  }

  /// When it was done; setting it sets ``isCompleted``. `nil` for a completed reminder where another program
  /// didn't say.
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

  /// 0 for none, 1 to 4 high, 5 medium, 6 to 9 low. Another one fails to be saved.
  open var priority: Int {
    get { state.item.priority }
    set { state.item.priority = newValue }
  }

  // MARK: Changes

  /// The reminder as it would be stored.
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

  /// Loads what the store says now, but for what was changed here.
  ///
  /// - Returns: False where the store no longer has it: let go of the reminder then.
  @discardableResult
  open override func refresh() -> Bool {
    guard !isInvalid else { return false }
    guard let original else { return true }
    guard let stored = session.storedItem(original.item.id) else { return false }
    let fresh = ItemState(reminder: stored)
    rebase(onto: fresh, original: fresh)
    return true
  }

  /// True where both are the same reminder of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKReminder else { return false }
    return other === self || (other.session === session && other.state.item.id == state.item.id)
  }
}
