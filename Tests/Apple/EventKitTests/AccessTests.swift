import EventKit
import FencepostApps
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Testing

@testable import EventKit

@Suite("Access")
struct AccessTests {
  /// A store in memory with a policy, for an app with usage descriptions.
  private func store(_ policy: AccessPolicy, keys: Set<String> = []) throws -> (EKEventStore, StoreSession) {
    let session = StoreSession(
      location: .memory(UUID()), app: AppIdentity(name: "app", keys: keys),
      zone: TimeZoneID(rawValue: "Europe/Berlin"))
    try session.openStore().store.write { try $0.set(policy) }
    return (EKEventStore(session: session), session)
  }

  private func decide(_ status: EKAuthorizationStatus, _ type: EKEntityType, _ session: StoreSession) throws {
    let open = try session.openStore()
    try open.store.write {
      try $0.save(
        AccessDecision(app: "app", entity: Int(type.rawValue), status: status.rawValue, decided: .epoch))
    }
    open.checkForChanges()
  }

  @Test("Under the open policy a first request is granted and recorded")
  func open() async throws {
    let (store, session) = try store(.open)
    #expect(session.status(for: .event) == .notDetermined)
    #expect(try await store.requestFullAccessToEvents())
    #expect(session.status(for: .event) == .fullAccess)
    #expect(session.status(for: .reminder) == .notDetermined)
    #expect(store.calendars(for: .event).count == 1)
    #expect(store.calendars(for: .reminder).isEmpty)
  }

  @Test("A denied request is denied again without asking")
  func denied() async throws {
    let (store, session) = try store(.open)
    try decide(.denied, .reminder, session)
    #expect(try await store.requestFullAccessToReminders() == false)
    #expect(session.status(for: .reminder) == .denied)
  }

  @Test("The closed policy gives no access, and the status is restricted")
  func closed() async throws {
    let (store, session) = try store(.closed)
    #expect(try await store.requestFullAccessToEvents() == false)
    #expect(session.status(for: .event) == .restricted)
    try decide(.fullAccess, .event, session)
    #expect(try await store.requestFullAccessToEvents())
  }

  @Test(
    "Under the ask policy a request waits for an answer", .timeLimit(.minutes(1)),
    arguments: [EKAuthorizationStatus.fullAccess, .denied])
  func ask(_ answer: EKAuthorizationStatus) async throws {
    let (store, session) = try store(.ask, keys: ["NSRemindersFullAccessUsageDescription"])
    let decisions = AsyncStream<Bool>.makeStream()
    store.requestFullAccessToReminders { isGranted, _ in decisions.continuation.yield(isGranted) }
    while try session.openStore().store.read({ try $0.accessDecisions() }).isEmpty {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(session.status(for: .reminder) == .notDetermined)
    try decide(answer, .reminder, session)
    for await isGranted in decisions.stream {
      #expect(isGranted == (answer == .fullAccess))
      break
    }
  }

  @Test(
    "An app that may add keeps that while it waits for more, and hears the answer",
    .timeLimit(.minutes(1)), arguments: [AccessLevel.full, .writeOnly, .denied])
  func askForMore(_ answer: AccessLevel) async throws {
    let (store, session) = try store(.ask, keys: ["NSCalendarsFullAccessUsageDescription"])
    try decide(.writeOnly, .event, session)
    let decisions = AsyncStream<Bool>.makeStream()
    store.requestFullAccessToEvents { isGranted, _ in decisions.continuation.yield(isGranted) }
    let owner = try session.openStore().store
    var waiting = try owner.read { try $0.accessDecisions() }.first
    while waiting?.wanted == nil {
      try await Task.sleep(for: .milliseconds(1))
      waiting = try owner.read { try $0.accessDecisions() }.first
    }
    #expect(session.status(for: .event) == .writeOnly)
    let decision = try #require(waiting?.answered(answer, at: .epoch))
    try owner.write { try $0.save(decision) }
    try session.openStore().checkForChanges()
    for await isGranted in decisions.stream {
      #expect(isGranted == (answer == .full))
      break
    }
    #expect(session.status(for: .event).rawValue == answer.rawValue)
  }

  @Test("A request is answered after the app has released its store", .timeLimit(.minutes(1)))
  func askAndForget() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let owner = try CalendarStore(path: path)
    try owner.write { try $0.set(AccessPolicy.ask) }
    let decisions = AsyncStream<Bool>.makeStream()
    weak var forgotten: StoreSession?
    do {
      let session = StoreSession(
        location: .file(path),
        app: AppIdentity(name: "app", keys: ["NSCalendarsFullAccessUsageDescription"]))
      forgotten = session
      let store = EKEventStore(session: session)
      store.requestFullAccessToEvents { isGranted, _ in decisions.continuation.yield(isGranted) }
    }
    try await grant(by: owner, decisions.stream)
    // Afterwards nothing is retained.
    while forgotten != nil { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits for a request, grants it, and checks that the app gets the answer.
  private func grant(by owner: CalendarStore, _ decisions: AsyncStream<Bool>) async throws {
    while try owner.read({ try $0.accessDecisions() }).isEmpty { try await Task.sleep(for: .milliseconds(1)) }
    // Not through the session's own connection, so only the files show the change.
    try owner.write {
      try $0.save(
        AccessDecision(app: "app", entity: 0, status: AccessLevel.full.rawValue, decided: .epoch))
    }
    for await isGranted in decisions {
      #expect(isGranted)
      break
    }
  }

  @Test("Another process answers a waiting request", .timeLimit(.minutes(1)))
  func askAcross() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let owner = try CalendarStore(path: path)
    try owner.write { try $0.set(AccessPolicy.ask) }
    let session = StoreSession(
      location: .file(path), app: AppIdentity(name: "app", keys: ["NSCalendarsFullAccessUsageDescription"]))
    let store = EKEventStore(session: session)
    let decisions = AsyncStream<Bool>.makeStream()
    store.requestFullAccessToEvents { isGranted, _ in decisions.continuation.yield(isGranted) }
    try await grant(by: owner, decisions.stream)
  }

  @Test("Under the ask policy an app without a usage description is denied silently")
  func unexplained() async throws {
    let (store, session) = try store(.ask)
    #expect(try await store.requestFullAccessToReminders() == false)
    #expect(session.status(for: .reminder) == .denied)
  }

  @Test("Write-only access shows no calendar, even if the default one also contains reminders")
  func writeOnlyIntoBothKinds() async throws {
    let (store, session) = try store(.open)
    let open = try session.openStore().store
    try open.write { writer in
      let source = Source(title: "Local")
      let both = ItemCalendar(source: source.id, title: "Both", entities: [.events, .reminders])
      try writer.save(source)
      try writer.save(both)
      try writer.setDefaultCalendar(both.id, for: .events)
    }
    #expect(try await store.requestWriteOnlyAccessToEvents())
    let event = EKEvent(eventStore: store)
    event.startDate = Date(timeIntervalSince1970: 1_800_000_000)
    event.endDate = Date(timeIntervalSince1970: 1_800_003_600)
    event.calendar = store.defaultCalendarForNewEvents
    try store.save(event, span: .thisEvent)
    #expect(event.calendar == store.defaultCalendarForNewEvents && event.calendar.title == "Calendar")
    #expect(try await store.requestFullAccessToReminders())
    #expect(event.calendar.title == "Both")
  }

  @Test("Write-only access: one virtual calendar, saving, no reading")
  func writeOnly() async throws {
    let (store, session) = try store(.open)
    #expect(try await store.requestWriteOnlyAccessToEvents())
    #expect(session.status(for: .event) == .writeOnly)
    #expect(store.sources.count == 1)
    #expect(store.delegateSources.isEmpty)
    let calendar = try #require(store.defaultCalendarForNewEvents)
    #expect(store.calendars(for: .event) == [calendar])
    #expect(calendar.source == store.sources.first)
    let event = EKEvent(eventStore: store)
    event.title = "Dentist"
    event.startDate = Date(timeIntervalSince1970: 1_800_000_000)
    event.endDate = Date(timeIntervalSince1970: 1_800_003_600)
    #expect(code { try store.save(event, span: .thisEvent) } == .noCalendar)
    event.calendar = calendar
    try store.save(event, span: .thisEvent)
    let predicate = store.predicateForEvents(
      withStart: .init(timeIntervalSince1970: 1_799_000_000), end: .distantFuture, calendars: nil)
    #expect(store.events(matching: predicate).isEmpty)
    #expect(store.event(withIdentifier: event.eventIdentifier) == nil)
    #expect(code { try store.remove(event, span: .thisEvent) } == .eventStoreNotAuthorized)
    event.title = "Changed"
    #expect(code { try store.save(event, span: .thisEvent) } == .eventStoreNotAuthorized)
    #expect(code { try store.saveCalendar(calendar, commit: true) } == .eventStoreNotAuthorized)
    // It requests full access, and then sees its own events.
    #expect(try await store.requestFullAccessToEvents())
    #expect(store.events(matching: predicate).map(\.title) == ["Dentist"])
    #expect(store.calendars(for: .event).map(\.title) == ["Calendar"])
  }

  @Test("The deprecated request does not ask")
  func deprecated() async throws {
    let (store, session) = try store(.open)
    let request: any Asking = OldRequest(store: store)
    await #expect(throws: EKError.self) { try await request.ask(.event) }
    #expect(session.status(for: .event) == .notDetermined)
    _ = try await store.requestFullAccessToEvents()
    #expect(try await request.ask(.event))
  }

  @Test("An app's status comes from the store of its environment, and no store is created")
  func standardStore() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    #expect(try Peer.output(["status"], store: path) == "0 0")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try Peer.output(["request"], store: path) == "true")
    #expect(try Peer.output(["status"], store: path) == "0 3")
  }

  @Test("An app uses the store of the settings, like the program")
  func storeOfSettings() throws {
    let directory = try TemporaryDirectory()
    let settings = try directory.write(#"{"store": "~/mine.sqlite"}"#, to: "config.json")
    let variables = ["HOME": directory.url.path, "FENCEPOST_CONFIG": settings]
    #expect(try Peer.output(["request"], variables: variables) == "true")
    #expect(FileManager.default.fileExists(atPath: directory.path("mine.sqlite")))
    #expect(try Peer.output(["status"], variables: variables) == "0 3")
    let named = variables.merging(["FENCEPOST_STORE": directory.path("named.sqlite")]) { $1 }
    #expect(try Peer.output(["status"], variables: named) == "0 0")
  }

  @Test("With unreadable settings an app gets no store instead of a wrong one")
  func damagedSettings() throws {
    let directory = try TemporaryDirectory()
    let settings = try directory.write(#"{"store": "#, to: "config.json")
    let variables = ["HOME": directory.url.path, "FENCEPOST_CONFIG": settings]
    #expect(try Peer.output(["status"], variables: variables) == "0 0")
    #expect(try Peer.output(["request"], variables: variables) == "false")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path) == ["config.json"])
  }
}

/// Calls deprecated functions through a protocol, so that the call itself gives no warning.
private struct OldRequest: Asking {
  let store: EKEventStore

  @available(*, deprecated)
  func ask(_ type: EKEntityType) async throws -> Bool { try await store.requestAccess(to: type) }
}

private protocol Asking {
  func ask(_ type: EKEntityType) async throws -> Bool
}
