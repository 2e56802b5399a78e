import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Testing

@Suite("Scopes are transactions")
struct TransactionTests {
  struct Refusal: Error {}

  @Test("A write that throws changes nothing", arguments: [true, false])
  func rollback(inMemory: Bool) throws {
    let directory = try TemporaryDirectory()
    let store = try inMemory ? CalendarStore() : CalendarStore(path: directory.path("calendar.sqlite"))
    var model = RandomModel(seed: 2)
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let before = try store.read { try $0.lastChange() }
    #expect(throws: Refusal.self) {
      try store.write { writer in
        try writer.save(model.item(in: list.id))
        #expect(try writer.reader.itemCount() == 1)
        throw Refusal()
      }
    }
    #expect(try store.read { try $0.itemCount() } == 0)
    #expect(try store.read { try $0.lastChange() } == before)
    // And the next write works.
    try store.write { try $0.save(model.item(in: list.id)) }
    #expect(try store.read { try $0.itemCount() } == 1)
  }

  @Test("A reader sees the store as of its start")
  func snapshot() throws {
    let directory = try TemporaryDirectory()
    let store = try CalendarStore(path: directory.path("calendar.sqlite"))
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    var model = RandomModel(seed: 3)
    try store.read { reader throws in
      #expect(try reader.itemCount() == 0)
      let item = model.item(in: list.id)
      try store.write { try $0.save(item) }
      #expect(try reader.itemCount() == 0)
    }
    #expect(try store.read { try $0.itemCount() } == 1)
  }

  @Test("Two stores on one file with bursts of writes from several threads lose and refuse nothing")
  func concurrentWriters() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    // Opened at the same time: both find no store and create it.
    async let first = CalendarStore(path: path)
    async let second = CalendarStore(path: path)
    let stores = try await [first, second]
    let list = try stores[0].write { try $0.defaultCalendar(for: .reminders) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          var model = RandomModel(seed: UInt64(worker))
          for _ in 0..<25 {
            let item = model.item(in: list.id)
            try stores[worker % 2].write { try $0.save(item) }
            _ = try stores[(worker + 1) % 2].read { try $0.lastChange() }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try stores[0].read { try $0.itemCount() } == 100)
    let changes = try stores[1].read { try $0.changes(after: 0) }
    #expect(changes.filter { $0.entity == .item }.count == 100)
    #expect(changes.map(\.sequence) == changes.map(\.sequence).sorted())
    #expect(changes.map(\.transaction) == changes.map(\.transaction).sorted())
  }

  @Test("A killed process leaves its commits and no lock")
  func killed() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try CalendarStore(path: path)
      var model = RandomModel(seed: 4)
      let list = try store.write { try $0.defaultCalendar(for: .reminders) }
      for _ in 0..<5 { try store.write { try $0.save(model.item(in: list.id)) } }
      try store.write { writer in
        for _ in 0..<200 { try writer.save(model.item(in: list.id)) }
        kill(getpid(), SIGKILL)
      }
    }
    let store = try CalendarStore(path: path, timeout: 0)
    #expect(try store.read { try $0.itemCount() } == 5)
    var model = RandomModel(seed: 5)
    try store.write { writer in
      try writer.save(model.item(in: try writer.defaultCalendar(for: .reminders).id))
    }
    #expect(try store.read { try $0.itemCount() } == 6)
  }

  @Test("Many readers at once")
  func manyReaders() async throws {
    let directory = try TemporaryDirectory()
    let store = try CalendarStore(path: directory.path("calendar.sqlite"))
    _ = try store.write { try $0.defaultCalendar(for: .reminders) }
    // More connections than SpatiaLite's default of 64.
    func nest(_ depth: Int) throws -> Int {
      try store.read { reader throws in
        try reader.calendars().count + (depth == 0 ? 0 : nest(depth - 1))
      }
    }
    #expect(try nest(79) == 80)
  }

  @Test("A scope inside a write of the same thread stops the program instead of waiting for itself")
  func nested() async throws {
    await #expect(processExitsWith: .failure) {
      let store = try CalendarStore()
      try store.write { _ in try store.write { _ in } }
    }
  }
}
