import FencepostApps
import FencepostCalendarModel
import FencepostRecurrence
public import Foundation

/// An event, or one occurrence of a recurring event.
open class EKEvent: EKCalendarItem {
  /// The occurrence of a series, identified by its original start; `nil` for an event that does not recur.
  var occurrence: CalendarTime?
  private var placeObject: EKStructuredLocation?
  private var isPlaceLoaded = false

  /// A new event.
  public init(eventStore: EKEventStore) {
    let session = eventStore.session
    super.init(new: ItemState(.event, zone: session.defaultZone), session: session)
  }

  /// An event without a store, for subclasses in tests. It can't be saved.
  public init() { super.init(.event) }

  /// An event or occurrence from the store.
  init(_ state: ItemState, occurrence: CalendarTime?, session: StoreSession) {
    self.occurrence = occurrence
    super.init(state, session: session)
  }

  private var details: EventDetails {
    get {
      state.item.event
        ?? EventDetails(start: .date(CivilDay(dayNumber: 0)), end: .date(CivilDay(dayNumber: 0)))
    }
    set { state.item.event = newValue }
  }

  override func load(_ state: ItemState, original: ItemState?) {
    super.load(state, original: original)
    isPlaceLoaded = false
    if let placeObject, let place = Self.place(of: state.item) {
      // The app may hold the object.
      placeObject.load(place)
      isPlaceLoaded = true
    } else {
      placeObject = nil
    }
  }

  /// The place of an item. It may have only a name.
  private static func place(of item: CalendarItem) -> StructuredLocation? {
    item.structuredLocation ?? item.location.map { StructuredLocation(title: $0) }
  }

  /// True if the app has set or changed the place. An unchanged place object may contain less than the item.
  private var isPlaceChanged: Bool {
    isPlaceLoaded && placeObject?.value != Self.place(of: state.item).map { EKStructuredLocation($0).value }
  }

  override var current: ItemState {
    var state = super.current
    guard isPlaceChanged else { return state }
    let place = placeObject?.value
    // A place with only a name is just the item's location text.
    let isNameOnly = place.map { $0.coordinate == nil && $0.outline.isEmpty && $0.radius == 0 } ?? true
    if place != nil || state.item.structuredLocation != nil {
      state.item.structuredLocation = isNameOnly ? nil : place
      state.item.location = place.flatMap { $0.title.isEmpty ? nil : $0.title }
    }
    return state
  }

  // MARK: Identity

  /// The identifier for ``EKEventStore/event(withIdentifier:)``; `nil` until the first save. All occurrences
  /// of a series share it, except detached ones.
  open var eventIdentifier: String! { original?.item.id.rawValue }

  /// The original start of an occurrence, even if it is detached; the start of an event that does not recur.
  open var occurrenceDate: Date! {
    occurrence.map { session.resolver.date(of: $0) } ?? startDate
  }

  /// True for an occurrence that was changed and differs from its series.
  open var isDetached: Bool { state.item.detachment != nil }

  // MARK: Times

  /// True if it takes whole days. Then ``startDate`` is the first day's midnight in the default time zone,
  /// and ``endDate`` the last day's 23:59:59. You can set either to any time of its day, including midnight.
  open var isAllDay: Bool {
    get { state.times.isAllDay }
    set { state.times.isAllDay = newValue }
  }

  /// The start; `nil` for a new event until the app sets it.
  open var startDate: Date! {
    get { state.times.start }
    set { state.times.start = newValue }
  }

  /// The end; `nil` for a new event until the app sets it.
  open var endDate: Date! {
    get { state.times.end }
    set { state.times.end = newValue }
  }

  /// The time zone; `nil` if the event floats. Setting it does not move the event.
  open override var timeZone: TimeZone? {
    get { state.times.zone?.foundation }
    set {
      state.times.zone = newValue.map { TimeZoneID($0) }
      state.item.timeZone = state.times.zone
    }
  }

  /// Compares the starts of two events. An event without a start comes last.
  @discardableResult
  open func compareStartDate(with other: EKEvent) -> ComparisonResult {
    let (mine, theirs): (Date, Date) = (startDate ?? .distantFuture, other.startDate ?? .distantFuture)
    return mine < theirs ? .orderedAscending : mine > theirs ? .orderedDescending : .orderedSame
  }

  // MARK: Content

  /// The location as text: the title of ``structuredLocation`` if it has one. Setting it makes that a place
  /// with only a name.
  open override var location: String? {
    get {
      if isPlaceChanged { return placeObject?.title }
      if let title = state.item.structuredLocation?.title, !title.isEmpty { return title }
      return state.item.location
    }
    set {
      structuredLocation = newValue.map { EKStructuredLocation(title: $0) }
    }
  }

  /// The place. The setter copies it.
  open var structuredLocation: EKStructuredLocation? {
    get {
      if !isPlaceLoaded {
        placeObject = Self.place(of: state.item).map { EKStructuredLocation($0) }
        isPlaceLoaded = true
      }
      return placeObject
    }
    set {
      isPlaceLoaded = true
      placeObject = newValue?.copy() as? EKStructuredLocation
      if newValue == nil {
        state.item.structuredLocation = nil
        state.item.location = nil
      }
    }
  }

  /// The organizer, or `nil`.
  open var organizer: EKParticipant? { state.item.organizer.map { EKParticipant($0) } }

  /// The availability; ``EKEventAvailability/notSupported`` if the calendar does not support it.
  open var availability: EKEventAvailability {
    get {
      let availability = EKEventAvailability(rawValue: details.availability.rawValue) ?? .notSupported
      guard let calendar else { return availability }
      return calendar.supportedEventAvailabilities.isEmpty ? .notSupported : availability
    }
    set { details.availability = EventDetails.Availability(rawValue: newValue.rawValue) ?? .notSupported }
  }

  /// The status. Only ``EKEventStatus/canceled`` is reliable.
  open var status: EKEventStatus { EKEventStatus(rawValue: details.status.rawValue) ?? .none }

  /// The contact in the birthdays calendar; `nil` elsewhere.
  open var birthdayContactIdentifier: String? { details.birthdayContact }

  /// -1: contacts have no numbers here.
  @available(*, deprecated, renamed: "birthdayContactIdentifier")
  open var birthdayPersonID: Int { -1 }

  /// The older name of ``birthdayContactIdentifier``.
  @available(*, deprecated, renamed: "birthdayContactIdentifier")
  open var birthdayPersonUniqueID: String? { birthdayContactIdentifier }

  // MARK: Changes

  /// The event to store. For an occurrence, with that occurrence's times.
  var storedItem: CalendarItem {
    let now = current
    var item = now.item
    if now.times != original?.times, let times = now.times.stored(session.resolver) {
      item.event?.start = times.start
      item.event?.end = times.end
      item.timeZone = now.times.isAllDay ? item.timeZone : now.times.zone
    } else if let original, !isDetached, let times = occurrenceTimes(original) {
      item.event?.start = times.start
      item.event?.end = times.end
    }
    if item.event?.isAllDay == true {
      item.endRulesWithDays(since: original?.item, resolver: session.resolver)
    }
    return item
  }

  /// The times of this occurrence in the form of its series; `nil` for an event that is not an occurrence.
  func occurrenceTimes(_ state: ItemState) -> (start: CalendarTime, end: CalendarTime)? {
    guard occurrence != nil, let details = state.item.event, let start = state.times.start,
      let end = state.times.end
    else { return nil }
    let resolver = session.resolver
    if details.start.isDate { return state.times.stored(resolver) }
    return (resolver.time(start.instant, like: details.start), resolver.time(end.instant, like: details.end))
  }

  /// Loads the store's value, but keeps unsaved changes.
  ///
  /// - Returns: False if the store no longer has it: release the event then.
  @discardableResult
  open override func refresh() -> Bool {
    guard !isInvalid else { return false }
    guard let original else { return true }
    guard let fresh = session.storedState(of: original.item.id, occurrence: occurrence) else { return false }
    rebase(onto: fresh, original: fresh)
    return true
  }

  /// True if both are the same event or occurrence of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKEvent else { return false }
    return other === self
      || (other.session === session && other.state.item.id == state.item.id
        && other.occurrence == occurrence)
  }
}
