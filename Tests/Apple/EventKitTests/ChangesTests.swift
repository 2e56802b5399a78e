import EventKit
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Synchronization
import Testing

@testable import EventKit

/// Counts notifications and waits for them.
final class Ear: Sendable {
  private let count = Mutex(0)
  /// Set only by `init`.
  nonisolated(unsafe) private var token: (any NSObjectProtocol)?

  init(_ store: EKEventStore) {
    token = NotificationCenter.default.addObserver(
      forName: .EKEventStoreChanged, object: store, queue: nil
    ) { [weak self] _ in
      dispatchPrecondition(condition: .onQueue(.main))
      self?.count.withLock { $0 += 1 }
    }
  }

  deinit {
    if let token { NotificationCenter.default.removeObserver(token) }
  }

  var heard: Int { count.withLock { $0 } }

  /// True after more than `before` notifications; false after ten seconds.
  func hears(more before: Int) async throws -> Bool {
    for _ in 0..<1_000 {
      if heard > before { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}

@Suite("EKEventStoreChanged")
struct ChangesTests {
  @Test("is posted for own commits, and for those of another store in this process")
  func inProcess() async throws {
    let bench = try await Bench()
    let other = bench.another()
    _ = other.calendars(for: .event)
    let (mine, theirs) = (Ear(bench.store), Ear(other))
    let event = try bench.event("Lunch", "2026-11-21T12:00", "2026-11-21T13:00")
    try bench.store.save(event, span: .thisEvent)
    #expect(try await mine.hears(more: 0))
    #expect(try await theirs.hears(more: 0))
  }

  @Test("is posted when another process commits, and not without a change")
  func acrossProcesses() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let bench = try await Bench(path: path)
    let ear = Ear(bench.store)
    try await Task.sleep(for: .milliseconds(50))
    let before = ear.heard
    _ = try Peer.output(["write", "Theirs", "1"], store: path)
    #expect(try await ear.hears(more: before))
    #expect(await bench.reminders().map(\.title) == ["Theirs 0"])
    // Reading does not write to the log.
    try await Task.sleep(for: .milliseconds(600))
    let quiet = ear.heard
    for _ in 0..<5 { _ = await bench.reminders() }
    try await Task.sleep(for: .milliseconds(200))
    #expect(ear.heard == quiet)
  }

  @Test("A running app goes on with a store that takes the place of its own, and loses nothing in silence")
  func replaced() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let bench = try await Bench(path: path)
    let milk = bench.reminder("Milk")
    try bench.store.save(milk, commit: true)
    let pending = bench.reminder("Pending")
    try bench.store.save(pending, commit: false)
    let ear = Ear(bench.store)
    let other = directory.path("other.sqlite")
    do {
      let store = try CalendarStore(path: other)
      try store.write { writer in
        let list = try writer.defaultCalendar(for: .reminders)
        try writer.save(CalendarItem(calendar: list.id, title: "Bread", details: .reminder(.init())))
      }
    }
    // As `mv` does with a store that no program has open. Its log goes before.
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    let before = ear.heard
    #expect(rename(other, path) == 0)
    #expect(try await ear.hears(more: before))
    #expect(try await bench.store.requestFullAccessToReminders())
    #expect(await bench.reminders().map(\.title) == ["Bread"])
    // What was not committed belonged to the other store.
    #expect(throws: (any Error).self) { try bench.store.commit() }
    #expect(await bench.reminders().map(\.title) == ["Bread"])
    #expect(throws: (any Error).self) { try bench.store.save(milk, commit: true) }
    try bench.store.save(bench.reminder("Tea"), commit: true)
    #expect(try CalendarStore(path: path).read { try $0.items() }.map(\.title) == ["Bread", "Tea"])
  }

  @Test("A running app sees a restored backup, and can write to it")
  func restored() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let bench = try await Bench(path: path)
    try bench.store.save(bench.reminder("Old"), commit: true)
    _ = try CalendarStore(path: path, access: .readOnly).backUp(to: directory.path("backup.sqlite"))
    let new = bench.reminder("New")
    try bench.store.save(new, commit: true)
    let ear = Ear(bench.store)
    _ = try CalendarStore.restore(directory.path("backup.sqlite"), to: path)
    #expect(try await ear.hears(more: 0))
    #expect(await bench.reminders().map(\.title) == ["Old"])
    #expect(!new.refresh())
    try bench.store.save(bench.reminder("Later"), commit: true)
    #expect(Set(await bench.reminders().map(\.title)) == ["Old", "Later"])
  }

  @Test("An observer on the main queue gets changes in a program with an async main function")
  func mainQueue() throws {
    let directory = try TemporaryDirectory()
    #expect(try Peer.output(["observe"], store: directory.path("calendar.sqlite")) == "heard")
  }

  @Test("Two processes write in bursts: nothing is lost, and nobody gets an error about a locked store")
  func bursts() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    let bench = try await Bench(path: path)
    let shared = bench.reminder("Shared")
    try bench.store.save(shared, commit: true)
    let ear = Ear(bench.store)
    let (writer, _) = try Peer.start(["write", "Theirs", "40"], store: path)
    let (bumper, _) = try Peer.start(["bump", shared.calendarItemIdentifier, "40"], store: path)
    for number in 0..<40 {
      try bench.store.save(bench.reminder("Mine \(number)"), commit: true)
      // The other process writes the notes, and this one the title.
      shared.title = "Shared \(number)"
      try bench.store.save(shared, commit: true)
    }
    writer.waitUntilExit()
    bumper.waitUntilExit()
    #expect(writer.terminationStatus == 0)
    #expect(bumper.terminationStatus == 0)
    #expect(await bench.reminders().count == 81)
    #expect(shared.refresh())
    #expect(shared.title == "Shared 39")
    #expect(shared.notes == "40")
    #expect(try await ear.hears(more: 0))
  }
}
