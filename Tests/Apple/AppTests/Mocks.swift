import EventKit
import Testing

// Mocks of EventKit as in test suites of apps.

private final class MockSource: EKSource {
  override init() { super.init() }
  override var title: String { "Mock" }
  override var sourceType: EKSourceType { .calDAV }
}

private final class MockCalendar: EKCalendar {
  private let name: String
  init(name: String) {
    self.name = name
    super.init()
  }
  override var title: String {
    get { name }
    set {}
  }
}

private final class MockEvent: EKEvent {
  private let identifier: String
  init(identifier: String) {
    self.identifier = identifier
    super.init()
  }
  override var eventIdentifier: String! { identifier }
}

private final class MockReminder: EKReminder {
  override init() { super.init() }
}

private final class MockParticipant: EKParticipant {
  override init() { super.init() }
  override var name: String? { "Ann" }
}

private final class MockRule: EKRecurrenceRule {
  override init() { super.init() }
}

private final class MockStore: EKEventStore {
  var events: [EKEvent] = []

  override func enumerateEvents(matching predicate: NSPredicate, using block: @escaping EKEventSearchCallback)
  {
    var stop = ObjCBool(false)
    for event in events where !stop.boolValue { block(event, &stop) }
  }
}

private final class RoomProvider: EKVirtualConferenceProvider {
  override func beginRequest(with context: NSExtensionContext) { context.completeRequest(returningItems: []) }
}

@Suite("Programs that mock EventKit")
struct Mocks {
  @Test("Classes can be subclassed and created without a store, and return the values of the mock")
  func subclasses() {
    #expect(MockSource().title == "Mock" && MockSource().sourceIdentifier != MockSource().sourceIdentifier)
    #expect(MockCalendar(name: "Work").title == "Work")
    #expect(MockCalendar(name: "Work").source == nil && MockCalendar(name: "Work").isNew)
    let event = MockEvent(identifier: "1")
    event.title = "Lunch"
    event.calendar = MockCalendar(name: "Work")
    #expect(event.eventIdentifier == "1" && event.title == "Lunch" && event.calendar.title == "Work")
    let reminder = MockReminder()
    reminder.addAlarm(EKAlarm(relativeOffset: -60))
    reminder.isCompleted = true
    #expect(reminder.alarms?.count == 1 && reminder.completionDate != nil)
    #expect(MockParticipant().name == "Ann")
    #expect(MockRule().frequency == .daily)
    RoomProvider().beginRequest(with: NSExtensionContext())
  }

  @Test("No store accepts an object without a store")
  func foreign() async throws {
    let store = EKEventStore.inMemory()
    #expect(try await store.requestFullAccessToEvents())
    let event = MockEvent(identifier: "1")
    #expect(throws: EKError.self) { try store.save(event, span: .thisEvent) }
  }

  @Test("A mocked store returns its events")
  func store() {
    let store = MockStore()
    store.events = [MockEvent(identifier: "1"), MockEvent(identifier: "2")]
    var seen: [String] = []
    store.enumerateEvents(matching: NSPredicate(value: true)) { event, stop in
      seen.append(event.eventIdentifier)
      stop.pointee = true
    }
    #expect(seen == ["1"])
  }

  @Test("Old names of initializers work")
  @available(*, deprecated)
  func oldNames() {
    let end = EKRecurrenceEnd(endDate: Date(timeIntervalSince1970: 0))
    let rule = EKRecurrenceRule(recurrenceWithFrequency: .weekly, interval: 2, end: end)
    #expect(rule.interval == 2 && rule.recurrenceEnd?.endDate == Date(timeIntervalSince1970: 0))
    let store = EKEventStore.inMemory()
    #expect(EKCalendar(forEntityType: .reminder, eventStore: store).allowedEntityTypes == .reminder)
  }
}
