import CalendarModel
public import Foundation
import Recurrence

/// Something that takes place: an event, or one occurrence of an event that repeats.
open class EKEvent: EKCalendarItem {
  /// Which occurrence of a series it is, by the start that the rule gave it; `nil` for an event that does not
  /// repeat.
  var occurrence: CalendarTime?
  private var placeObject: EKStructuredLocation?
  private var isPlaceLoaded = false

  /// A new event.
  public init(eventStore: EKEventStore) {
    let session = eventStore.session
    super.init(new: ItemState(.event, zone: session.defaultZone), session: session)
  }

  /// An event of no store, for subclasses in tests. No store takes it.
  public init() { super.init(.event) }

  /// An event out of the store, or an occurrence.
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
      // An app may still hold it.
      placeObject.load(place)
      isPlaceLoaded = true
    } else {
      placeObject = nil
    }
  }

  /// Where an item takes place: a name only, where it says no more.
  private static func place(of item: CalendarItem) -> StructuredLocation? {
    item.structuredLocation ?? item.location.map { StructuredLocation(title: $0) }
  }

  /// True where its place was set or changed. One that was only looked at may say less than the item does.
  private var isPlaceChanged: Bool {
    isPlaceLoaded && placeObject?.value != Self.place(of: state.item).map { EKStructuredLocation($0).value }
  }

  override var current: ItemState {
    var state = super.current
    guard isPlaceChanged else { return state }
    let place = placeObject?.value
    // A place that is a name only is the item's location and no more.
    let isNameOnly = place.map { $0.coordinate == nil && $0.outline.isEmpty && $0.radius == 0 } ?? true
    if place != nil || state.item.structuredLocation != nil {
      state.item.structuredLocation = isNameOnly ? nil : place
      state.item.location = place.flatMap { $0.title.isEmpty ? nil : $0.title }
    }
    return state
  }

  // MARK: Identity

  /// What ``EKEventStore/event(withIdentifier:)`` finds it by; `nil` until it is saved. All occurrences of a
  /// series share it, but for detached ones.
  open var eventIdentifier: String! { original?.item.id.rawValue }

  /// When an occurrence was to take place by its series' rule, detached or not; an event's start where it does
  /// not repeat.
  open var occurrenceDate: Date! {
    occurrence.map { session.resolver.date(of: $0) } ?? startDate
  }

  /// True for an occurrence that was changed, and so is no longer as its series says.
  open var isDetached: Bool { state.item.detachment != nil }

  // MARK: Times

  /// True where it takes whole days. ``startDate`` is then the first one's midnight in the default time zone,
  /// ``endDate`` the last one's 23:59:59; either may be set to any time of its day, midnight included.
  open var isAllDay: Bool {
    get { state.times.isAllDay }
    set { state.times.isAllDay = newValue }
  }

  /// When it starts; `nil` for a new event until it is set.
  open var startDate: Date! {
    get { state.times.start }
    set { state.times.start = newValue }
  }

  /// When it ends; `nil` for a new event until it is set.
  open var endDate: Date! {
    get { state.times.end }
    set { state.times.end = newValue }
  }

  /// The zone in which it takes place; `nil` where it floats. Setting it does not move the event.
  open override var timeZone: TimeZone? {
    get { state.times.zone?.foundation }
    set {
      state.times.zone = newValue.map { TimeZoneID($0) }
      state.item.timeZone = state.times.zone
    }
  }

  /// Which of two events starts first. One without a start comes last.
  @discardableResult
  open func compareStartDate(with other: EKEvent) -> ComparisonResult {
    let (mine, theirs): (Date, Date) = (startDate ?? .distantFuture, other.startDate ?? .distantFuture)
    return mine < theirs ? .orderedAscending : mine > theirs ? .orderedDescending : .orderedSame
  }

  // MARK: What it says

  /// Where, in words: the title of ``structuredLocation``, where that has one. Setting it makes that a place with a name only.
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

  /// Where; a copy of what it is set to.
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

  /// Who invited to it; `nil` for nobody.
  open var organizer: EKParticipant? { state.item.organizer.map { EKParticipant($0) } }

  /// Whether it takes the time; ``EKEventAvailability/notSupported`` in calendars that don't say such things.
  open var availability: EKEventAvailability {
    get {
      let availability = EKEventAvailability(rawValue: details.availability.rawValue) ?? .notSupported
      guard let calendar else { return availability }
      return calendar.supportedEventAvailabilities.isEmpty ? .notSupported : availability
    }
    set { details.availability = EventDetails.Availability(rawValue: newValue.rawValue) ?? .notSupported }
  }

  /// Whether it takes place. Only ``EKEventStatus/canceled`` is reliable.
  open var status: EKEventStatus { EKEventStatus(rawValue: details.status.rawValue) ?? .none }

  /// The contact whose birthday it is, in the birthdays calendar; `nil` elsewhere.
  open var birthdayContactIdentifier: String? { details.birthdayContact }

  /// -1: contacts have no numbers here.
  @available(*, deprecated, renamed: "birthdayContactIdentifier")
  open var birthdayPersonID: Int { -1 }

  /// What ``birthdayContactIdentifier`` was called.
  @available(*, deprecated, renamed: "birthdayContactIdentifier")
  open var birthdayPersonUniqueID: String? { birthdayContactIdentifier }

  // MARK: Changes

  /// The event as it would be stored: for an occurrence, with that occurrence's times.
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

  /// The times of this occurrence in the form in which its series says them; `nil` where it is none.
  func occurrenceTimes(_ state: ItemState) -> (start: CalendarTime, end: CalendarTime)? {
    guard occurrence != nil, let details = state.item.event, let start = state.times.start,
      let end = state.times.end
    else { return nil }
    let resolver = session.resolver
    if details.start.isDate { return state.times.stored(resolver) }
    return (resolver.time(start.instant, like: details.start), resolver.time(end.instant, like: details.end))
  }

  /// Loads what the store says now, but for what was changed here.
  ///
  /// - Returns: False where the store no longer has it: let go of the event then.
  @discardableResult
  open override func refresh() -> Bool {
    guard !isInvalid else { return false }
    guard let original else { return true }
    guard let fresh = session.storedState(of: original.item.id, occurrence: occurrence) else { return false }
    rebase(onto: fresh, original: fresh)
    return true
  }

  /// True where both are the same event, or occurrence, of the same store.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? EKEvent else { return false }
    return other === self
      || (other.session === session && other.state.item.id == state.item.id
        && other.occurrence == occurrence)
  }
}
