import CalendarModel
import Foundation
public import GraphicsTypes

/// A calendar of events, or a list of reminders.
open class EKCalendar: EKObject {
  let session: StoreSession
  /// The calendar as it is here; its source is empty until it is set.
  var value: ItemCalendar
  /// The calendar as it was last saved or loaded; `nil` for a new one.
  var saved: ItemCalendar?
  /// The source that was set here, which may be of another store.
  private(set) var assignedSource: EKSource?
  /// True for the one calendar that an app sees which may only write.
  let isVirtual: Bool

  /// A new calendar for items of a kind, with no name, source or colour.
  public init(for entityType: EKEntityType, eventStore: EKEventStore) {
    session = eventStore.session
    value = ItemCalendar(
      source: Identifier(rawValue: ""), title: "", entities: ItemCalendar.Entities(entityType))
    isVirtual = false
  }

  /// A calendar of no store, for subclasses in tests. No store takes it.
  public override init() {
    session = .none
    value = ItemCalendar(source: Identifier(rawValue: ""), title: "", entities: .events)
    isVirtual = false
  }

  /// What ``init(for:eventStore:)`` was called.
  @available(*, deprecated, renamed: "init(for:eventStore:)")
  public convenience init(forEntityType entityType: EKEntityType, eventStore: EKEventStore) {
    self.init(for: entityType, eventStore: eventStore)
  }

  /// A new calendar for events.
  @available(*, deprecated, renamed: "init(for:eventStore:)")
  public convenience init(eventStore: EKEventStore) {
    self.init(for: .event, eventStore: eventStore)
  }

  init(_ calendar: ItemCalendar, session: StoreSession, isVirtual: Bool = false) {
    value = calendar
    saved = calendar
    self.session = session
    self.isVirtual = isVirtual
  }

  /// The account that it belongs to. Can be set until the calendar is first saved.
  open var source: EKSource! {
    get { assignedSource ?? session.source(value.source) }
    set {
      assignedSource = newValue
      value.source = newValue?.value.id ?? Identifier(rawValue: "")
    }
  }

  /// What tells it from other calendars. Does not outlive a full synchronization.
  open var calendarIdentifier: String { value.id.rawValue }

  /// Its name.
  open var title: String {
    get { value.title }
    set { value.title = newValue }
  }

  /// What kind of calendar it is.
  open var type: EKCalendarType { EKCalendarType(rawValue: value.kind.rawValue) ?? .local }

  /// True where items can be added, changed and removed.
  open var allowsContentModifications: Bool { value.allowsContentModifications }

  /// True where it is kept from an address elsewhere.
  open var isSubscribed: Bool { value.isSubscribed || value.kind == .subscription }

  /// True where the calendar itself can't be changed or removed. Its items may be changed all the same: see
  /// ``allowsContentModifications``.
  open var isImmutable: Bool { value.isImmutable }

  /// Its colour; `nil` for a new calendar whose colour was not set.
  open var cgColor: CGColor! {
    get {
      if let color = value.color { return color.cgColor }
      return saved == nil ? nil : CGColor(red: 0.11, green: 0.68, blue: 0.97, alpha: 1)
    }
    set { value.color = newValue.flatMap(Color.init) }
  }

  /// Which availabilities its events may have.
  open var supportedEventAvailabilities: EKCalendarEventAvailabilityMask {
    guard value.entities.contains(.events) else { return [] }
    return EKCalendarEventAvailabilityMask(rawValue: UInt(clamping: value.availabilities.rawValue))
  }

  /// Which kinds of items may be in it.
  open var allowedEntityTypes: EKEntityMask {
    EKEntityMask(rawValue: UInt(clamping: value.entities.rawValue))
  }

  // MARK: Changes

  /// True where it was changed and not saved.
  open override var hasChanges: Bool { saved != value }

  /// True where it was never saved.
  open override var isNew: Bool { saved == nil }

  /// Takes back all changes.
  open override func rollback() {
    guard let saved else { return }
    value = saved
    assignedSource = nil
  }

  /// Takes back all changes and loads what the store says now.
  open override func reset() {
    rollback()
    refresh()
  }

  /// Loads what the store says now, but for what was changed here.
  ///
  /// - Returns: False where the store no longer has it.
  @discardableResult
  open override func refresh() -> Bool {
    guard !isVirtual, let saved else { return true }
    guard let stored = session.storedCalendar(value.id) else { return false }
    value = value.merging(stored, since: saved)
    self.saved = stored
    return true
  }

  /// True where both are the same calendar of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKCalendar else { return false }
    return other.session === session && other.value.id == value.id
  }

  /// By identifier.
  open override var hash: Int { value.id.hashValue }

  /// Name and identifier, for a log.
  open override var description: String { "EKCalendar \(title) (\(calendarIdentifier))" }
}

extension ItemCalendar.Entities {
  /// One kind of items.
  init(_ type: EKEntityType) { self = type == .event ? .events : .reminders }
}

extension ItemCalendar {
  /// This calendar, with what was not changed in it since `base` taken from `stored`.
  func merging(_ stored: ItemCalendar, since base: ItemCalendar) -> ItemCalendar {
    var merged = stored
    if title != base.title { merged.title = title }
    if color != base.color { merged.color = color }
    if source != base.source { merged.source = source }
    return merged
  }
}

extension Color {
  var cgColor: CGColor { CGColor(srgbRed: red, green: green, blue: blue, alpha: alpha) }

  /// The colour of a `CGColor`, in sRGB; `nil` where it has none.
  init?(_ color: CGColor) {
    let converted = color.converted(to: CGColorSpaceCreateDeviceRGB(), intent: .defaultIntent, options: nil)
    guard let parts = converted?.components?.map({ Double($0) }), parts.count == 4 else { return nil }
    self.init(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
  }
}
