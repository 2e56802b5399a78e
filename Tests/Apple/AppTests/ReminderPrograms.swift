import CoreLocation
import EventKit
import Testing

@Suite("Programs that keep reminders")
struct ReminderPrograms {
  let store = EKEventStore.inMemory()

  private func authorize() async throws {
    #expect(try await store.requestFullAccessToReminders())
  }

  /// Awaits reminders that don't leave the callback, as programs do.
  private func titles(_ predicate: NSPredicate, where condition: @escaping (EKReminder) -> Bool) async throws
    -> [String]
  {
    try await withCheckedThrowingContinuation { continuation in
      store.fetchReminders(matching: predicate) { reminders in
        if let reminders {
          continuation.resume(returning: reminders.filter(condition).map { $0.title })
        } else {
          continuation.resume(throwing: EKError(.internalFailure))
        }
      }
    }
  }

  @Test("A reminder with a due date and a priority")
  func due() async throws {
    try await authorize()
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Review"
    reminder.calendar = store.defaultCalendarForNewReminders()
    reminder.dueDateComponents = Calendar.current.dateComponents(
      [.year, .month, .day, .hour, .minute], from: Date().addingTimeInterval(3600))
    reminder.priority = Int(EKReminderPriority.medium.rawValue)
    try store.save(reminder, commit: true)
    let predicate = store.predicateForIncompleteReminders(
      withDueDateStarting: Date(), ending: Date().addingTimeInterval(86_400), calendars: nil)
    #expect(try await titles(predicate) { $0.priority == 5 } == ["Review"])
    #expect(reminder.dueDateComponents?.date != nil)
    reminder.priority = EKReminderPriority.high.rawValue
    #expect(reminder.priority == 1)
  }

  @Test("A new list")
  func list() async throws {
    try await authorize()
    let list = EKCalendar(for: .reminder, eventStore: store)
    list.title = "Sprint"
    let source =
      store.sources.first { $0.sourceType == .local || $0.sourceType == .calDAV }
      ?? store.defaultCalendarForNewReminders()?.source
    list.source = source
    try store.saveCalendar(list, commit: true)
    #expect(Set(store.calendars(for: .reminder).map { $0.title }) == ["Sprint", "Reminders"])
  }

  @Test("A reminder at a place is found among others")
  func place() async throws {
    try await authorize()
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Dry cleaning"
    reminder.calendar = store.defaultCalendarForNewReminders()
    let location = EKStructuredLocation(title: "Dry cleaner's")
    location.geoLocation = CLLocation(latitude: 37.33, longitude: -122.03)
    location.radius = 200
    let alarm = EKAlarm()
    alarm.structuredLocation = location
    alarm.proximity = .enter
    reminder.addAlarm(alarm)
    try store.save(reminder, commit: true)
    let plain = EKReminder(eventStore: store)
    plain.title = "Plain"
    plain.calendar = store.defaultCalendarForNewReminders()
    try store.save(plain, commit: true)
    let found = try await titles(store.predicateForReminders(in: nil)) { reminder in
      reminder.alarms?.contains { $0.structuredLocation != nil && $0.proximity != .none } ?? false
    }
    #expect(found == ["Dry cleaning"])
  }

  @Test("A program that blocks its thread while it waits")
  func blocking() throws {
    let semaphore = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var isGranted = false
    store.requestFullAccessToReminders { granted, _ in
      isGranted = granted
      semaphore.signal()
    }
    semaphore.wait()
    #expect(isGranted)
    nonisolated(unsafe) var count = -1
    store.fetchReminders(matching: store.predicateForReminders(in: nil)) { reminders in
      count = reminders?.count ?? -1
      semaphore.signal()
    }
    semaphore.wait()
    #expect(count == 0)
  }

  @Test("An address is looked up but not found, as without a network")
  func geocoder() async {
    do {
      _ = try await CLGeocoder().geocodeAddressString("1 Main Street")
      Issue.record("found")
    } catch CLError.geocodeFoundNoResult {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("A program that observes the store's notifications", .timeLimit(.minutes(1)))
  @MainActor
  func messages() async throws {
    let isGranted = try await store.requestFullAccessToReminders()
    #expect(isGranted)
    let changes = AsyncStream<Void>.makeStream()
    let token = NotificationCenter.default.addObserver(of: store, for: .changed) { _ in
      changes.continuation.yield()
    }
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Milk"
    reminder.calendar = store.defaultCalendarForNewReminders()
    try store.save(reminder, commit: true)
    for await _ in changes.stream { break }
    NotificationCenter.default.removeObserver(token)
  }

  @Test("Alarms are created by functions, and compared")
  func alarms() {
    let date: Date? = Date(timeIntervalSince1970: 1_000)
    let alarm = date.map(EKAlarm.init(absoluteDate:))
    #expect(alarm?.absoluteDate == date)
    #expect([-300.0, -60].map(EKAlarm.init(relativeOffset:)).map { $0.relativeOffset } == [-300, -60])
  }

  /// A clock that a test controls.
  final class TestClock: EKAlarmClock, @unchecked Sendable {
    /// Guards `current`.
    private let lock = NSLock()
    private var current: Date

    init(_ date: Date) { current = date }

    var now: Date { lock.withLock { current } }

    func move(to date: Date) { lock.withLock { current = date } }

    func sleep(until date: Date) async throws { try await Task.sleep(for: .milliseconds(2)) }
  }

  @Test("The engine triggers an alarm once on arrival at the shop", .timeLimit(.minutes(1)))
  func engine() async throws {
    try await authorize()
    let shop = CLLocation(latitude: 52.52, longitude: 13.405)
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Milk"
    reminder.calendar = store.defaultCalendarForNewReminders()
    let place = EKStructuredLocation(title: "Shop")
    place.geoLocation = shop
    place.radius = 100
    let arrival = EKAlarm()
    arrival.structuredLocation = place
    arrival.proximity = .enter
    reminder.addAlarm(arrival)
    let start = Date(timeIntervalSince1970: 4_000_000_000)
    reminder.addAlarm(EKAlarm(absoluteDate: start.addingTimeInterval(600)))
    try store.save(reminder, commit: true)

    let clock = TestClock(start)
    let engine = store.alarmEngine(policy: .exact, clock: clock)
    let firings = await engine.firings()
    // From a kilometre south to the door, in steps of 50 m.
    let way = (0...20).map { step in
      CLLocation(
        coordinate: CLLocationCoordinate2D(
          latitude: 52.511 + Double(step) * 0.00045, longitude: 13.405), altitude: 0, horizontalAccuracy: 5,
        verticalAccuracy: -1, timestamp: start.addingTimeInterval(Double(step) * 20))
    }
    let fired = try await engine.process(way)
    #expect(fired.map(\.kind) == [.enter])
    #expect(fired.first?.placeTitle == "Shop")
    #expect(try await engine.process(way).isEmpty)
    clock.move(to: start.addingTimeInterval(601))
    let running = Task { try await engine.run() }
    var kinds: [EKAlarmFiring.Kind] = []
    for await firing in firings {
      #expect(store.calendarItem(withIdentifier: firing.calendarItemIdentifier)?.title == "Milk")
      kinds.append(firing.kind)
      if kinds.count == 2 { break }
    }
    #expect(kinds == [.enter, .absolute])
    running.cancel()
    _ = try? await running.value
  }
}
