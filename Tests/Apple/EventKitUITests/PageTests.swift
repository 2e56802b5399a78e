import EventKitUI
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDaemonControl
import FencepostJSON
import FencepostSystem
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

/// A daemon's socket that answers requests for pages as a test says.
private final class FakeDaemon: Sendable {
  let asked = Monitor<[PageRequest]>([])
  let endings = Monitor(0)
  private let server: ControlServer

  /// - Parameter reports: What the user does; nothing for a user who takes time, `nil` for a daemon that
  ///   ends.
  init(store: String, reports: @escaping @Sendable (PageRequest) -> [PageReport]?) throws {
    let asked = asked, endings = endings
    server = try ControlServer(path: store + ".socket", answer: { _ in "{}" }) { request, app in
      asked.update { $0.append(request) }
      app.send(#"{"url":"http://127.0.0.1:1/page?key=x","expires":0}"#)
      guard let words = reports(request) else { return }
      for word in words { app.send(word.json.line) }
      if words.isEmpty, let quiet = try? WakeUp() {
        _ = app.wait(until: nil, interruptedBy: quiet.descriptor)
      }
      endings.update { $0 += 1 }
    }
    try server.start()
  }

  deinit { server.stop() }
}

@MainActor
private final class Delegate: NSObject, EKEventEditViewDelegate, EKEventViewDelegate,
  EKCalendarChooserDelegate
{
  let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  override init() {
    (stream, continuation) = AsyncStream.makeStream()
    super.init()
  }

  func eventEditViewController(
    _ controller: EKEventEditViewController, didCompleteWith action: EKEventEditViewAction
  ) {
    continuation.yield("\(action)")
  }
  func eventViewController(_ controller: EKEventViewController, didCompleteWith action: EKEventViewAction) {
    continuation.yield("\(action)")
  }
  func calendarChooserSelectionDidChange(_ calendarChooser: EKCalendarChooser) {
    continuation.yield("selected \(calendarChooser.selectedCalendars.map(\.title).sorted())")
  }
  func calendarChooserDidFinish(_ calendarChooser: EKCalendarChooser) { continuation.yield("finished") }
  func calendarChooserDidCancel(_ calendarChooser: EKCalendarChooser) { continuation.yield("canceled") }

  func next() async -> String? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}

@Suite("Controllers show pages of the daemon", .serialized)
@MainActor
struct PageTests {
  private let directory: TemporaryDirectory
  private let path: String
  private let root = UIViewController()
  private let delegate = Delegate()

  init() throws {
    setenv("FENCEPOST_BROWSER", "true", 1)
    directory = try TemporaryDirectory()
    path = directory.path("calendar.sqlite")
  }

  private func editor(_ store: EKEventStore, _ event: EKEvent? = nil) -> EKEventEditViewController {
    let editor = EKEventEditViewController()
    editor.eventStore = store
    editor.event = event
    editor.editViewDelegate = delegate
    return editor
  }

  private func saved(_ store: EKEventStore, _ title: String = "Talk") throws -> EKEvent {
    let event = EKEvent(eventStore: store)
    event.title = title
    event.startDate = Date(timeIntervalSince1970: 1_795_000_000)
    event.endDate = event.startDate.addingTimeInterval(3_600)
    event.calendar = store.defaultCalendarForNewEvents
    try store.save(event, span: .thisEvent)
    return event
  }

  @Test(
    "A new event is offered with the app's fields, and the app without access hears only that it was saved")
  func add() async throws {
    let daemon = try FakeDaemon(store: path) { _ in [.saved(item: "some id")] }
    let store = EKEventStore(storePath: path)
    let event = EKEvent(eventStore: store)
    event.title = "Dinner"
    event.startDate = Date(timeIntervalSince1970: 1_795_000_000)
    event.endDate = event.startDate.addingTimeInterval(7_200)
    event.timeZone = TimeZone(identifier: "Europe/Berlin")
    event.addAlarm(EKAlarm(relativeOffset: -600))
    let editor = editor(store, event)
    root.present(editor, animated: true)
    #expect(await delegate.next() == "saved")
    let request = try #require(daemon.asked.withLock { $0 }.first)
    #expect(request.kind == .edit && request.item == nil)
    #expect(request.draft?["title"]?.text == "Dinner" && request.draft?["uid"] == nil)
    #expect(request.draft?["time_zone"]?.text == "Europe/Berlin")
    #expect(request.draft?["alarms"]?.list?.first?["offset"]?.text == "-PT10M")
    #expect(event.eventIdentifier == nil)
    root.dismiss(animated: true)
  }

  @Test("With full access the event is what was saved, and a deleted one is gone")
  func existing() async throws {
    let store = EKEventStore(storePath: path)
    #expect(try await store.requestFullAccessToEvents())
    let event = try saved(store)
    let id: String = event.eventIdentifier
    let daemon = try FakeDaemon(store: path) { request in
      request.draft == nil ? [.deleted] : [.saved(item: request.item ?? "")]
    }
    event.title = "Long talk"
    root.present(editor(store, event), animated: true)
    #expect(await delegate.next() == "saved")
    #expect(daemon.asked.withLock { $0 }.first?.draft?["title"]?.text == "Long talk")
    #expect(daemon.asked.withLock { $0 }.first?.item == id)
    // The page did not save it here, so the event is as in the store.
    #expect(event.title == "Talk" && !event.hasChanges)
    root.dismiss(animated: true)
    root.present(editor(store, event), animated: true)
    #expect(await delegate.next() == "deleted")
    root.dismiss(animated: true)
  }

  @Test("Without a daemon, and after one that ended, editing is canceled; so are stores in memory")
  func dead() async throws {
    let store = EKEventStore(storePath: path)
    root.present(editor(store), animated: true)
    #expect(await delegate.next() == "canceled")
    root.dismiss(animated: true)
    let daemon = try FakeDaemon(store: path) { _ in nil }
    root.present(editor(store), animated: true)
    #expect(await delegate.next() == "canceled")
    root.dismiss(animated: true)
    root.present(editor(.inMemory()), animated: true)
    #expect(await delegate.next() == "canceled")
    withExtendedLifetime(daemon) {}
  }

  @Test("Canceling and dismissing end the page")
  func ends() async throws {
    let daemon = try FakeDaemon(store: path) { _ in [] }
    let store = EKEventStore(storePath: path)
    let editor = editor(store)
    root.present(editor, animated: true)
    await Task.detached { daemon.asked.wait { $0.isEmpty ? nil : () } }.value
    editor.cancelEditing()
    #expect(await delegate.next() == "canceled")
    root.dismiss(animated: true)
    root.present(editor, animated: true)
    await Task.detached { daemon.asked.wait { $0.count < 2 ? nil : () } }.value
    root.dismiss(animated: true)
    await Task.detached { daemon.endings.wait { $0 < 2 ? nil : () } }.value
  }

  @Test("A viewer is done or tells of a deletion")
  func view() async throws {
    let store = EKEventStore(storePath: path)
    #expect(try await store.requestFullAccessToEvents())
    let event = try saved(store)
    let daemon = try FakeDaemon(store: path) { $0.allowsEditing ? [.deleted] : [.done] }
    let navigation = UINavigationController(rootViewController: root)
    let window = UIWindow()
    window.rootViewController = navigation
    window.makeKeyAndVisible()
    for (allowsEditing, action) in [(false, "done"), (true, "deleted")] {
      let viewer = EKEventViewController()
      viewer.event = event
      viewer.allowsEditing = allowsEditing
      viewer.delegate = delegate
      navigation.pushViewController(viewer, animated: true)
      #expect(await delegate.next() == action)
      navigation.popViewController(animated: true)
    }
    #expect(daemon.asked.withLock { $0 }.map(\.kind) == [.view, .view])
  }

  @Test("A chooser tells each choice, and that the user has finished")
  func choose() async throws {
    let store = EKEventStore(storePath: path)
    #expect(try await store.requestWriteOnlyAccessToEvents())
    let raw = try CalendarStore(path: path)
    let calendar = try raw.write { try $0.defaultCalendar(for: .events) }
    let daemon = try FakeDaemon(store: path) { _ in [.selection([calendar.id.rawValue]), .done] }
    let chooser = EKCalendarChooser(
      selectionStyle: .single, displayStyle: .allCalendars, entityType: .event, eventStore: store)
    chooser.showsDoneButton = true
    chooser.delegate = delegate
    root.present(UINavigationController(rootViewController: chooser), animated: true)
    #expect(await delegate.next() == "selected [\"\(calendar.title)\"]")
    #expect(await delegate.next() == "finished")
    let request = try #require(daemon.asked.withLock { $0 }.first)
    #expect(request.hasDone && !request.hasCancel && !request.isMultiple && request.entity == .event)
  }
}
