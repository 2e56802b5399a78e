import EventKit
import Testing

/// Programs like those of apps, which only import EventKit.
@Suite("Programs that keep a calendar")
struct CalendarPrograms {
  let store = EKEventStore.inMemory()
  let start = Date(timeIntervalSince1970: 1_795_000_000)

  private func authorize() async throws {
    guard try await store.requestFullAccessToEvents() else { throw EKError(.eventStoreNotAuthorized) }
  }

  @Test("Write an appointment and read the month, in order")
  func appointment() async throws {
    try await authorize()
    for hours in [5, 1, 3] {
      let event = EKEvent(eventStore: store)
      event.title = "Appointment \(hours)"
      event.startDate = start.addingTimeInterval(TimeInterval(hours) * 3600)
      event.endDate = Calendar.current.date(byAdding: .minute, value: 30, to: event.startDate)
      event.timeZone = TimeZone(identifier: "America/Los_Angeles")
      event.location = "Room A"
      event.calendar = store.defaultCalendarForNewEvents
      try store.save(event, span: .thisEvent)
    }
    let interval = try #require(
      Calendar.current.dateInterval(of: .month, for: start.addingTimeInterval(3600)))
    let predicate = store.predicateForEvents(
      withStart: interval.start, end: interval.end.addingTimeInterval(86_400), calendars: nil)
    let events = store.events(matching: predicate)
      .sorted { $0.compareStartDate(with: $1) == .orderedAscending }
    #expect(events.map { $0.title } == ["Appointment 1", "Appointment 3", "Appointment 5"])
    #expect(events.allSatisfy { $0.location == "Room A" })
  }

  @Test("Two saves and one commit")
  func batch() async throws {
    try await authorize()
    let events = (0..<2).map { number in
      let event = EKEvent(eventStore: store)
      event.title = "Batch \(number)"
      event.startDate = start
      event.endDate = start.addingTimeInterval(60)
      event.calendar = store.defaultCalendarForNewEvents
      return event
    }
    do {
      for event in events { try store.save(event, span: .thisEvent, commit: false) }
      try store.commit()
    } catch {
      store.reset()
      throw error
    }
    #expect(events.allSatisfy { store.event(withIdentifier: $0.eventIdentifier) != nil })
  }

  @Test("A weekly course on two days, ten times; one evening is moved, and the rest are cancelled")
  func course() async throws {
    try await authorize()
    let event = EKEvent(eventStore: store)
    event.title = "Course"
    event.startDate = start
    event.endDate = start.addingTimeInterval(5400)
    event.calendar = store.defaultCalendarForNewEvents
    event.addRecurrenceRule(
      EKRecurrenceRule(
        recurrenceWith: .weekly, interval: 1,
        daysOfTheWeek: [EKRecurrenceDayOfWeek(.monday), EKRecurrenceDayOfWeek(.wednesday)],
        daysOfTheMonth: nil, monthsOfTheYear: nil, weeksOfTheYear: nil, daysOfTheYear: nil, setPositions: nil,
        end: EKRecurrenceEnd(occurrenceCount: 10)))
    try store.save(event, span: .futureEvents)
    func evenings() -> [EKEvent] {
      let predicate = store.predicateForEvents(
        withStart: start, end: start.addingTimeInterval(90 * 86_400), calendars: nil)
      return store.events(matching: predicate).sorted { $0.startDate < $1.startDate }
    }
    #expect(evenings().count == 10)
    let moved = try #require(evenings().dropFirst(2).first)
    moved.startDate = moved.startDate.addingTimeInterval(3600)
    moved.endDate = moved.endDate.addingTimeInterval(3600)
    try store.save(moved, span: .thisEvent)
    #expect(evenings().filter(\.isDetached).count == 1)
    let last = try #require(evenings().dropFirst(6).first)
    try store.remove(last, span: .futureEvents, commit: true)
    #expect(evenings().count == 6)
  }

  @Test("Find the account, or create the missing calendar")
  func ownCalendar() async throws {
    try await authorize()
    func calendar(named name: String) throws -> EKCalendar {
      for source in store.sources {
        if let known = source.calendars(for: .event).first(where: { $0.title == name }) { return known }
      }
      let calendar = EKCalendar(for: .event, eventStore: store)
      calendar.title = name
      calendar.cgColor = leafGreen()
      calendar.source =
        store.sources.first { $0.sourceType == .calDAV && $0.title == "iCloud" }
        ?? store.sources.first { $0.sourceType == .local }
      try store.saveCalendar(calendar, commit: true)
      return calendar
    }
    let made = try calendar(named: "Own")
    #expect(made.type == .local)
    #expect(try calendar(named: "Own") == made)
    #expect(store.calendars(for: .event).count == 2)
  }

  @Test("Errors are caught by their names")
  func errors() async throws {
    try await authorize()
    let event = EKEvent(eventStore: store)
    event.title = "Nowhere"
    event.startDate = start
    event.endDate = start
    do {
      try store.save(event, span: .thisEvent)
      Issue.record("saved without a calendar")
    } catch EKError.noCalendar {
    }
    do {
      event.calendar = store.defaultCalendarForNewEvents
      event.endDate = start.addingTimeInterval(-1)
      try store.save(event, span: .thisEvent)
      Issue.record("saved with dates inverted")
    } catch let error as EKError {
      switch error.code {
      case .datesInverted: break
      default: Issue.record("\(error)")
      }
    }
  }

  @Test("A provider of rooms for calls")
  func rooms() async throws {
    final class Rooms: EKVirtualConferenceProvider {
      override func fetchAvailableRoomTypes() async throws -> [EKVirtualConferenceRoomTypeDescriptor] {
        [EKVirtualConferenceRoomTypeDescriptor(title: "My room", identifier: "mine")]
      }

      override func fetchVirtualConference(
        identifier: EKVirtualConferenceRoomTypeIdentifier
      ) async throws -> EKVirtualConferenceDescriptor {
        let url = try #require(URL(string: "https://example.org/\(identifier)"))
        return EKVirtualConferenceDescriptor(
          title: nil, urlDescriptors: [EKVirtualConferenceURLDescriptor(title: nil, url: url)],
          conferenceDetails: "Code 12345")
      }
    }
    let rooms = Rooms()
    let type = try #require(try await rooms.fetchAvailableRoomTypes().first)
    let conference = try await rooms.fetchVirtualConference(identifier: type.identifier)
    #expect(conference.urlDescriptors.first?.url.path == "/mine")
  }

  @Test("A mock for tests overrides methods")
  func standIn() async throws {
    final class StandIn: EKEventStore {
      override class func authorizationStatus(for entityType: EKEntityType) -> EKAuthorizationStatus {
        .fullAccess
      }
      override func calendars(for entityType: EKEntityType) -> [EKCalendar] { [] }
      override var sources: [EKSource] { [] }
      override func events(matching predicate: NSPredicate) -> [EKEvent] { [EKEvent(eventStore: self)] }
      override func predicateForEvents(
        withStart startDate: Date, end endDate: Date, calendars: [EKCalendar]?
      ) -> NSPredicate { NSPredicate(value: true) }
      override func requestFullAccessToEvents() async throws -> Bool { true }
      override func requestFullAccessToEvents(
        completion: @escaping EKEventStoreRequestAccessCompletionHandler
      ) { completion(true, nil) }
      override func fetchReminders(
        matching predicate: NSPredicate, completion: @escaping ([EKReminder]?) -> Void
      ) -> Any {
        completion([])
        return 0
      }
      override func save(_ event: EKEvent, span: EKSpan) throws {}
    }
    let stand = StandIn()
    #expect(StandIn.authorizationStatus(for: .event) == .fullAccess)
    #expect(try await stand.requestFullAccessToEvents())
    let predicate = stand.predicateForEvents(withStart: start, end: start, calendars: nil)
    #expect(stand.events(matching: predicate).count == 1)
  }

  @Test("Wait for changes with an asynchronous sequence")
  func changes() async throws {
    try await authorize()
    var changes = NotificationCenter.default.notifications(named: .EKEventStoreChanged, object: store)
      .makeAsyncIterator()
    let event = EKEvent(eventStore: store)
    event.title = "New"
    event.startDate = start
    event.endDate = start
    event.calendar = store.defaultCalendarForNewEvents
    try store.save(event, span: .thisEvent)
    let change = await changes.next()
    #expect(change?.name == .EKEventStoreChanged)
  }

  @Test("Stop waiting for changes when the task is cancelled")
  func cancelledChanges() async throws {
    let screen = ReloadingScreen()
    let task = await screen.observe()
    task.cancel()
    // Would never come back.
    await task.value
    #expect(task.isCancelled)
  }
}

/// A screen that reloads as long as it is visible.
@MainActor
private final class ReloadingScreen {
  private(set) var reloads = 0

  func observe() -> Task<Void, Never> {
    Task { [weak self] in
      for await _ in NotificationCenter.default.notifications(named: .EKEventStoreChanged) {
        guard let self else { return }
        reloads += 1
      }
    }
  }
}

/// Conformances that apps may add, which must not conflict with ours.
extension EKReminder: Encodable {
  /// The title.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(title)
  }
}

extension EKCalendar: Identifiable {
  /// The identifier.
  public var id: String { calendarIdentifier }
}

extension CLLocationCoordinate2D: Equatable {
  /// Compares both numbers.
  public static func == (a: CLLocationCoordinate2D, b: CLLocationCoordinate2D) -> Bool {
    a.latitude == b.latitude && a.longitude == b.longitude
  }
}
