import CalendarModel
import CoreLocation
public import Foundation

/// What is called back with when access was asked for: whether it was given, and what went wrong.
///
/// The requests are `@preconcurrency`, as what is imported from Objective-C is: a closure that an app wrote before
/// it thought of `Sendable` earns it a warning, not an error.
public typealias EKEventStoreRequestAccessCompletionHandler = @Sendable (Bool, (any Error)?) -> Void

/// What an enumeration of events calls; setting the second argument to true ends it.
public typealias EKEventSearchCallback = (EKEvent, UnsafeMutablePointer<ObjCBool>) -> Void

/// The way to an app's events and reminders.
///
/// Make one and keep it: objects of one store can't be used with another. Making one is cheap and needs no
/// database; that is opened, and if need be begun, once access is asked for.
///
/// The store is the one that the program `fencepost` uses: the file that `FENCEPOST_STORE` names, else the setting
/// `store`, else `fencepost/calendar.sqlite` in `$XDG_DATA_HOME`, else in `~/.local/share`; ``init(storePath:)`` takes
/// another one.
///
/// Use a store and its objects from one thread at a time.
///
/// Results may be passed over without a warning, as everywhere in Apple's API.
open class EKEventStore: NSObject {
  private(set) var session: StoreSession

  /// The store of this user.
  public override init() {
    session = StoreSession(location: .standard)
    super.init()
    begin(session)
  }

  /// The store of this user, of which only what belongs to `sources` can be seen.
  public convenience init(sources: [EKSource]) {
    self.init(
      session: StoreSession(
        location: sources.first?.session.location ?? .standard, sourceFilter: Set(sources.map(\.value.id)),
        zone: sources.first?.session.zoneOverride))
  }

  /// The store of this user. Which kinds of items may be reached is asked for, as everywhere.
  @available(*, deprecated, renamed: "init()")
  public convenience init(accessToEntityTypes: EKEntityMask) {
    self.init(session: StoreSession(location: .standard))
  }

  /// A convenience, so that an app's subclass that brings no initializer of its own has all of these.
  convenience init(session: StoreSession) {
    self.init()
    begin(session)
  }

  private func begin(_ session: StoreSession) {
    self.session = session
    session.eventStore = self
    PlaceBooks.add(session)
  }

  deinit { session.storeIsGone() }

  /// What tells this object from others that were made; not the same from one run of the app to the next.
  open var eventStoreIdentifier: String { identifier }
  private lazy var identifier = UUID().uuidString

  // MARK: Access

  /// What the app may do with events, or with reminders, in the store of this user.
  @discardableResult
  open class func authorizationStatus(for entityType: EKEntityType) -> EKAuthorizationStatus {
    StoreSession(location: .standard).status(for: entityType)
  }

  /// Asks to read and change events. `completion` is called on a background queue.
  @preconcurrency
  open func requestFullAccessToEvents(
    completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    session.request(.fullEvents, completion: completion)
  }

  /// Asks to add events, and read none. `completion` is called on a background queue.
  @preconcurrency
  open func requestWriteOnlyAccessToEvents(
    completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    session.request(.writeOnlyEvents, completion: completion)
  }

  /// Asks to read and change reminders. `completion` is called on a background queue.
  @preconcurrency
  open func requestFullAccessToReminders(
    completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    session.request(.fullReminders, completion: completion)
  }

  /// Asks nobody, as since macOS 14: calls back with what was decided before, or with an error.
  @available(
    *, deprecated,
    message: "Use requestFullAccessToEvents, requestWriteOnlyAccessToEvents or requestFullAccessToReminders."
  )
  @preconcurrency
  open func requestAccess(
    to entityType: EKEntityType, completion: @escaping EKEventStoreRequestAccessCompletionHandler
  ) {
    let session = session
    DispatchQueue.global().async {
      let isGranted = session.status(for: entityType) == .fullAccess
      completion(
        isGranted, isGranted ? nil : EKError.make(.eventStoreNotAuthorized, Self.useInstead(entityType)))
    }
  }

  private static func useInstead(_ type: EKEntityType) -> String {
    "requestAccess(to:) no longer asks; call requestFullAccessTo\(type == .event ? "Events" : "Reminders")"
  }

  /// Asks to read and change events.
  ///
  /// - Returns: Whether access was given.
  /// - Throws: ``EKError`` where the store can't be opened.
  @discardableResult
  open nonisolated(nonsending) func requestFullAccessToEvents() async throws -> Bool {
    try await Self.awaited { self.requestFullAccessToEvents(completion: $0) }
  }

  /// Asks to add events, and read none.
  ///
  /// - Returns: Whether access was given.
  /// - Throws: ``EKError`` where the store can't be opened.
  @discardableResult
  open nonisolated(nonsending) func requestWriteOnlyAccessToEvents() async throws -> Bool {
    try await Self.awaited { self.requestWriteOnlyAccessToEvents(completion: $0) }
  }

  /// Asks to read and change reminders.
  ///
  /// - Returns: Whether access was given.
  /// - Throws: ``EKError`` where the store can't be opened.
  @discardableResult
  open nonisolated(nonsending) func requestFullAccessToReminders() async throws -> Bool {
    try await Self.awaited { self.requestFullAccessToReminders(completion: $0) }
  }

  /// Asks nobody, as since macOS 14: says what was decided before, or throws.
  @available(
    *, deprecated,
    message: "Use requestFullAccessToEvents, requestWriteOnlyAccessToEvents or requestFullAccessToReminders."
  )
  @discardableResult
  open nonisolated(nonsending) func requestAccess(to entityType: EKEntityType) async throws -> Bool {
    guard session.status(for: entityType) == .fullAccess else {
      throw EKError.make(.eventStoreNotAuthorized, Self.useInstead(entityType))
    }
    return true
  }

  /// What a request calls back with.
  private nonisolated(nonsending) static func awaited(
    _ request: (@escaping EKEventStoreRequestAccessCompletionHandler) -> Void
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      request { isGranted, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: isGranted)
        }
      }
    }
  }

  // MARK: Sources

  /// The accounts that the app may see.
  open var sources: [EKSource] { session.sources() }

  /// The accounts that somebody delegated access to. They are among ``sources`` too.
  open var delegateSources: [EKSource] { session.sources().filter(\.isDelegate) }

  /// The account with an identifier; `nil` where there is none, or the app may not see it.
  @discardableResult
  open func source(withIdentifier identifier: String) -> EKSource? {
    session.sources().first { $0.sourceIdentifier == identifier }
  }

  /// Looks for changes of other processes, which are otherwise noticed within moments. Objects take them on by
  /// ``EKObject/refresh()``.
  open func refreshSourcesIfNecessary() { session.lookForChanges() }

  // MARK: Calendars

  /// The calendars, or lists, that may hold items of a kind and that the app may see.
  @discardableResult
  open func calendars(for entityType: EKEntityType) -> [EKCalendar] {
    session.calendars(for: [entityType])
  }

  /// All calendars of events.
  @available(*, deprecated, renamed: "calendars(for:)")
  open var calendars: [EKCalendar] { session.calendars(for: [.event]) }

  /// The calendar into which the user wants new events to go; `nil` without access.
  open var defaultCalendarForNewEvents: EKCalendar? { session.defaultCalendar(for: .event) }

  /// The list into which the user wants new reminders to go; `nil` without access.
  @discardableResult
  open func defaultCalendarForNewReminders() -> EKCalendar? { session.defaultCalendar(for: .reminder) }

  /// The calendar, or list, with an identifier; `nil` where there is none, or the app may not see it.
  @discardableResult
  open func calendar(withIdentifier identifier: String) -> EKCalendar? {
    session.calendars(for: [.event, .reminder]).first { $0.calendarIdentifier == identifier }
  }

  /// Saves a calendar or list, and, with `commit`, all else that waits.
  ///
  /// - Throws: ``EKError``: no source, one that takes no such calendars, a calendar that can't be changed.
  open func saveCalendar(_ calendar: EKCalendar, commit: Bool) throws {
    try session.givingUpPending(if: commit) { try session.save(calendar, commit: commit) }
  }

  /// Removes a calendar or list with all that is in it, and, with `commit`, commits all else that waits.
  ///
  /// Where it also holds items of a kind that the app has no access to, those stay, and the calendar with them.
  ///
  /// - Throws: ``EKError``: the calendar, or its source, does not allow it.
  open func removeCalendar(_ calendar: EKCalendar, commit: Bool) throws {
    try session.givingUpPending(if: commit) { try session.remove(calendar, commit: commit) }
  }

  // MARK: Items

  /// The reminder, or the first occurrence of the event, with an identifier; `nil` where there is none, or the app
  /// may not see it.
  @discardableResult
  open func calendarItem(withIdentifier identifier: String) -> EKCalendarItem? {
    session.item(withIdentifier: identifier)
  }

  /// The items with an external identifier: copies in several calendars, and detached occurrences.
  @discardableResult
  open func calendarItems(withExternalIdentifier externalIdentifier: String) -> [EKCalendarItem] {
    session.items(withExternalIdentifier: externalIdentifier)
  }

  // MARK: Events

  /// The event with an identifier; of one that repeats the first occurrence, as its rule gives it.
  @discardableResult
  open func event(withIdentifier identifier: String) -> EKEvent? {
    session.item(withIdentifier: identifier) as? EKEvent
  }

  /// Saves an event and commits it, and all else that waits. An event that was not changed is left alone.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - span: For an occurrence of a series, whether the later ones change too.
  /// - Throws: ``EKError`` where the event is not complete, or its calendar does not take it.
  open func save(_ event: EKEvent, span: EKSpan) throws {
    try save(event, span: span, commit: true)
  }

  /// Saves an event, and, with `commit`, commits it and all else that waits. Where that fails, all that waited is
  /// given up.
  ///
  /// - Throws: ``EKError`` where the event is not complete, or its calendar does not take it.
  open func save(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    try session.givingUpPending(if: commit) { try session.save(event, span: span, commit: commit) }
  }

  /// Removes an event and commits that, and all else that waits.
  ///
  /// - Throws: ``EKError`` where its calendar does not allow it.
  open func remove(_ event: EKEvent, span: EKSpan) throws {
    try remove(event, span: span, commit: true)
  }

  /// Removes an event, and, with `commit`, commits that and all else that waits.
  ///
  /// - Throws: ``EKError`` where its calendar does not allow it.
  open func remove(_ event: EKEvent, span: EKSpan, commit: Bool) throws {
    try session.givingUpPending(if: commit) { try session.remove(event, span: span, commit: commit) }
  }

  /// A predicate for the events, and occurrences, that take place between two dates.
  ///
  /// A range of more than four years is cut to its first four.
  ///
  /// - Parameters:
  ///   - startDate: Events that end by then are left out.
  ///   - endDate: Events that start then or later are left out.
  ///   - calendars: The calendars to look in; `nil` for all.
  @discardableResult
  open func predicateForEvents(
    withStart startDate: Date, end endDate: Date, calendars: [EKCalendar]?
  ) -> NSPredicate {
    let limit = Calendar(identifier: .gregorian).date(byAdding: .year, value: 4, to: startDate) ?? endDate
    let start = startDate.instant
    let end = max(start, min(endDate, limit).instant)
    return StorePredicate(
      .events(start..<end, calendars: calendars.map { $0.map(\.value.id) }), session: session)
  }

  /// The events that a predicate of this store's asks for, in no order. Events that are saved and not committed
  /// are among them. A predicate of anybody else's finds none.
  ///
  /// Cost: a microsecond or two an event.
  @discardableResult
  open func events(matching predicate: NSPredicate) -> [EKEvent] {
    guard let predicate = predicate as? StorePredicate, predicate.session === session,
      case .events(let range, let calendars) = predicate.query
    else { return [] }
    return (try? session.events(in: range, calendars: calendars)) ?? []
  }

  /// Calls `block` with each event that a predicate asks for, until it says to stop.
  open func enumerateEvents(matching predicate: NSPredicate, using block: @escaping EKEventSearchCallback) {
    var stop: ObjCBool = false
    for event in events(matching: predicate) {
      block(event, &stop)
      if stop.boolValue { return }
    }
  }

  // MARK: Reminders

  /// Saves a reminder, and, with `commit`, commits it and all else that waits. A reminder that was not changed is
  /// left alone.
  ///
  /// A reminder that repeats and was completed moves on to its next due date; what was done is kept as a completed
  /// reminder of its own.
  ///
  /// - Throws: ``EKError`` where its list does not take it.
  open func save(_ reminder: EKReminder, commit: Bool) throws {
    try session.givingUpPending(if: commit) { try session.save(reminder, commit: commit) }
  }

  /// Removes a reminder, and, with `commit`, commits that and all else that waits.
  ///
  /// - Throws: ``EKError`` where its list does not allow it.
  open func remove(_ reminder: EKReminder, commit: Bool) throws {
    try session.givingUpPending(if: commit) { try session.remove(reminder, commit: commit) }
  }

  /// Fetches the reminders that a predicate of this store's asks for; only those that are committed.
  ///
  /// - Parameters:
  ///   - predicate: The predicate. Anybody else's is answered with `nil`.
  ///   - completion: Called on a background queue, with `nil` where the store can't be read; not called once the
  ///     request was canceled.
  /// - Returns: What ``cancelFetchRequest(_:)`` takes.
  @discardableResult
  open func fetchReminders(
    matching predicate: NSPredicate, completion: @escaping ([EKReminder]?) -> Void
  ) -> Any {
    let request = FetchRequest()
    let callback = Handover(value: completion)
    let session = session
    let query: ReminderQuery? =
      if let predicate = predicate as? StorePredicate, predicate.session === session,
        case .reminders(let query) = predicate.query
      {
        query
      } else { nil }
    DispatchQueue.global(qos: .userInitiated).async {
      let reminders = query.flatMap { try? session.reminders($0) }
      if request.end() { callback.value(reminders) }
    }
    return request
  }

  /// Cancels a fetch: its completion is not called any more.
  open func cancelFetchRequest(_ fetchIdentifier: Any) {
    _ = (fetchIdentifier as? FetchRequest)?.end()
  }

  /// A predicate for all reminders in some lists; `nil` for all lists.
  @discardableResult
  open func predicateForReminders(in calendars: [EKCalendar]?) -> NSPredicate {
    predicate(.all, calendars)
  }

  /// A predicate for reminders that are not completed and due between two dates, both included.
  ///
  /// - Parameters:
  ///   - startDate: `nil` for all that are due until `endDate`.
  ///   - endDate: `nil` for all that are due from `startDate` on. With either date, reminders that have no due
  ///     date are left out.
  ///   - calendars: The lists to look in; `nil` for all.
  @discardableResult
  open func predicateForIncompleteReminders(
    withDueDateStarting startDate: Date?, ending endDate: Date?, calendars: [EKCalendar]?
  ) -> NSPredicate {
    predicate(.incomplete(from: startDate?.instant, to: endDate?.instant), calendars)
  }

  /// A predicate for reminders that were completed between two dates, both included.
  ///
  /// - Parameters:
  ///   - startDate: `nil` for all that were completed until `endDate`.
  ///   - endDate: `nil` for all that were completed from `startDate` on.
  ///   - calendars: The lists to look in; `nil` for all.
  @discardableResult
  open func predicateForCompletedReminders(
    withCompletionDateStarting startDate: Date?, ending endDate: Date?, calendars: [EKCalendar]?
  ) -> NSPredicate {
    predicate(.completed(from: startDate?.instant, to: endDate?.instant), calendars)
  }

  private func predicate(_ kind: ReminderQuery.Kind, _ calendars: [EKCalendar]?) -> NSPredicate {
    StorePredicate(
      .reminders(ReminderQuery(kind: kind, calendars: calendars.map { $0.map(\.value.id) })), session: session
    )
  }

  // MARK: Committing

  /// Puts on disk what was saved and removed without being committed: all of it or, where it throws, nothing.
  ///
  /// - Throws: ``EKError``. What was saved and not committed is given up then.
  open func commit() throws { try session.commit() }

  /// Gives up what was saved and removed without being committed. Items that were made or fetched before are no
  /// longer the store's: fetch them again.
  open func reset() { session.reset() }
}

extension EKEventStore {
  /// The store in the file at `path`, begun there once access is asked for. Fencepost's own.
  public convenience init(storePath path: String) {
    self.init(session: StoreSession(location: .file(path)))
  }

  /// A store in memory, for tests and previews, gone with the last of this object and what came out of it. Fencepost's
  /// own.
  public static func inMemory() -> EKEventStore {
    EKEventStore(session: StoreSession(location: .memory(UUID())))
  }
}
