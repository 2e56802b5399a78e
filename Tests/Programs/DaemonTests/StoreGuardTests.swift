import FencepostCalendarModel
import FencepostCalendarStore
import FencepostConfiguration
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostDaemon

@Suite("Guarded mode")
struct StoreGuardTests {
  private let directory: TemporaryDirectory
  private let keeper: StoreGuard
  private var store: String { GuardedStore.canonical(directory.path("home/calendar.sqlite")) }

  init() throws {
    directory = try TemporaryDirectory()
    for folder in ["home", "root/var/lib"] {
      try FileManager.default.createDirectory(
        atPath: directory.path(folder), withIntermediateDirectories: true)
    }
    keeper = Self.keeper(directory)
  }

  /// Whoever runs the tests is the owner, and the group is the own one.
  private static func keeper(_ directory: TemporaryDirectory) -> StoreGuard {
    let owner = StoreOwner(user: geteuid(), group: getegid(), name: "ann", home: directory.path("home"))
    return StoreGuard(of: owner, group: getegid(), root: directory.path("root"))
  }

  private func fill() throws {
    let store = try CalendarStore(path: store)
    try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      try writer.save(CalendarItem(calendar: list.id, title: "Milk", details: .reminder(.init())))
    }
    try Data("1 secret\n".utf8).write(to: URL(fileURLWithPath: self.store + ".secrets"))
  }

  private func titles(_ path: String) throws -> [String] {
    try CalendarStore(path: path, access: .existing).read { try $0.items().map(\.title) }
  }

  private func files(_ folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private struct Stop: Error {}

  @Test("The store moves there and back with its passwords, and each call can be repeated")
  func roundTrip() throws {
    try fill()
    for _ in 0..<2 { #expect(try keeper.enable(store) == store) }
    #expect(keeper.place.record() == .init(.guarded, origin: store))
    #expect(files(directory.path("home")) == [])
    #expect(try titles(keeper.place.file) == ["Milk"])
    #expect(try String(contentsOfFile: keeper.place.file + ".secrets", encoding: .utf8) == "1 secret\n")
    #expect(keeper.place.file(for: store) == keeper.place.file)
    #expect(keeper.place.file(for: store + "2") == store + "2")
    #expect(try keeper.disable() == store)
    #expect(try keeper.disable() == nil)
    #expect(try titles(store) == ["Milk"])
    #expect(files(directory.path("home")).contains("calendar.sqlite.secrets"))
    #expect(files(keeper.place.base) == [])
  }

  @Test(
    "A move that ends at any moment can be finished or taken back, and nothing is lost",
    arguments: [true, false], GuardMoment.allCases)
  func interruptions(enables: Bool, moment: GuardMoment) throws {
    for finishes in [true, false] {
      let directory = try TemporaryDirectory()
      for folder in ["home", "root/var/lib"] {
        try FileManager.default.createDirectory(
          atPath: directory.path(folder), withIntermediateDirectories: true)
      }
      let keeper = Self.keeper(directory)
      let store = GuardedStore.canonical(directory.path("home/calendar.sqlite"))
      try CalendarStore(path: store).write { writer in
        let list = try writer.defaultCalendar(for: .reminders)
        try writer.save(CalendarItem(calendar: list.id, title: "Milk", details: .reminder(.init())))
      }
      if !enables { try keeper.enable(store) }
      func stop(_ reached: GuardMoment) throws { if reached == moment { throw Stop() } }
      #expect(throws: (any Error).self) {
        if enables { try keeper.enable(store, at: stop) } else { try keeper.disable(at: stop) }
      }
      // Exactly one of the two is what counts, and it is whole.
      let isThere = FileManager.default.fileExists(atPath: enables ? store : keeper.place.file)
      #expect(try titles(isThere == enables ? store : keeper.place.file) == ["Milk"])
      if let record = keeper.place.record(), record.state != .guarded {
        #expect(keeper.report(program: "/").problems.first?.contains("nothing is lost") == true)
      }
      if enables == finishes { try keeper.enable(store) } else { try keeper.disable() }
      let end = enables == finishes ? keeper.place.file : store
      let other = enables == finishes ? store : keeper.place.file
      #expect(try titles(end) == ["Milk"])
      #expect(!FileManager.default.fileExists(atPath: other))
      #expect(files(directory.path("home")).filter { $0.contains(".part-") } == [])
      #expect(keeper.place.record()?.state == (enables == finishes ? .guarded : nil))
    }
  }

  @Test("What is in the way is not replaced, and a running daemon is not robbed")
  func refusals() throws {
    try fill()
    let link = directory.path("home/link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: store)
    #expect(throws: GuardFailure.self) { try keeper.enable(link) }
    func whileWatched(_ path: String, _ body: () throws -> Void) throws {
      let lock = try StoreLock(of: CalendarStore(path: path))
      #expect(throws: StoreError.self, performing: body)
      withExtendedLifetime(lock) {}
    }
    try whileWatched(store) { try keeper.enable(store) }
    #expect(keeper.place.record() == nil)
    #expect(try titles(store) == ["Milk"])
    try keeper.enable(store)
    try whileWatched(keeper.place.file) { try keeper.disable() }
    #expect(keeper.place.record()?.state == .guarded)
    #expect(try titles(keeper.place.file) == ["Milk"])
  }

  @Test("A program with the store open can't write to what has moved away")
  func openStores() throws {
    try fill()
    let open = try CalendarStore(path: store)
    try keeper.enable(store)
    #expect(open.isReplaced)
    #expect(throws: StoreError.self) { try open.write { try $0.set("x", for: "y") } }
    // A store at the old path is another one, which is not lost at the way back.
    _ = try CalendarStore(path: store)
    #expect(throws: GuardFailure.self) { try keeper.disable() }
    #expect(try titles(keeper.place.file) == ["Milk"])
  }

  @Test("The report names what does not hold")
  func report() throws {
    #expect(keeper.report(program: "/").state == nil)
    try fill()
    try keeper.enable(store)
    chmod(keeper.place.gate, 0o755)
    let report = keeper.report(program: "/nowhere")
    #expect(report.state == .guarded && report.origin == store)
    for word in ["rights of \(keeper.place.gate)", "/nowhere has not the group", "no apps are served"] {
      #expect(report.problems.contains { $0.contains(word) }, "\(word): \(report.problems)")
    }
  }

  @Test(
    "Records that make no sense are none",
    arguments: ["", "guarded", "x\n/a\n", "guarded\na\n", "guarded\n/a\nb\n"])
  func records(text: String) throws {
    #expect(GuardedStore.Record(text) == nil)
  }
}
