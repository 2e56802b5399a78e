import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostTestSupport
import Testing

@testable import FencepostInterchange

@Suite("Large files in steps")
struct SteppedMergeTests {
  private let directory: TemporaryDirectory
  private let store: CalendarStore
  /// The store as opened by another program, whose writes can't be undone.
  private let other: CalendarStore
  private let list: ItemCalendar

  init() throws {
    directory = try TemporaryDirectory()
    let path = directory.path("calendar.sqlite")
    store = try CalendarStore(path: path, undoLabel: UndoLabel("import", at: .epoch))
    other = try CalendarStore(path: path)
    list = try other.write { try $0.list("A") }
  }

  private func reminder(_ number: Int, _ title: String = "", sequence: Int = 0) -> CalendarItem {
    var item = CalendarItem(
      id: Identifier(rawValue: "u\(number)"), calendar: list.id, uid: "u\(number)",
      title: "\(number) \(title)",
      details: .reminder(ReminderDetails()))
    item.sequence = sequence
    return item
  }

  private func rules(_ destination: CalendarMerge.Destination = .keep, prunes: Bool = false) -> CalendarMerge
  {
    CalendarMerge(destination, prunes: prunes, at: .epoch) { [list] _, _ in list.id }
  }

  private func count(_ store: CalendarStore) throws -> Int { try store.read { try $0.itemCount() } }

  /// The items as text.
  private func summary(_ store: CalendarStore) throws -> [String] {
    try store.read { try $0.items() }.map { "\($0.uid) \($0.title) \($0.sequence)" }.sorted()
  }

  @Test("Others can read and write in between; new items appear at the end, and one undo removes them")
  func between() throws {
    func merge() throws -> MergeCounts {
      let merge = SteppedMerge(rules(), into: store)
      let before = try count(other)
      for number in 0..<2_200 {
        try merge.apply(.item(reminder(number)))
        guard number % 500 == 499 else { continue }
        try other.write { try $0.set("\(number)", for: "note") }
        #expect(try count(other) == before)
      }
      return try merge.finish(keeping: { try $0.set("done", for: "end") })
    }
    #expect(text(try merge()) == "2200 added")
    #expect(try count(other) == 2_200)
    #expect(try other.read { try $0.setting("end") } == "done")
    let last = try other.read { try $0.lastChange() }
    #expect(text(try merge()) == "2200 unchanged")
    // The notes of the steps, and the last one.
    let logged = try other.read { try $0.changes(after: last) }
    #expect(logged.allSatisfy { $0.entity == .setting })
    _ = try other.write { try $0.undo() }
    #expect(try count(other) == 0)
  }

  @Test(
    "Steps have the same result as one transaction, for any order of revisions",
    arguments: 1...3 as ClosedRange<UInt64>)
  func sameAsOneTransaction(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    func some(_ count: Int) -> [CalendarItem] {
      (0..<count).map { _ in
        reminder(
          .random(in: 0..<900, using: &random), "\(Int.random(in: 0..<3, using: &random))",
          sequence: .random(in: 0..<3, using: &random))
      }
    }
    let (before, file) = (some(500), some(2_300))
    let whole = try CalendarStore()
    try whole.write { writer in
      try writer.save(Source(id: list.source, title: "Local"))
      try writer.save(list)
    }
    var counts = MergeCounts()
    for items in [before, file] {
      counts = try whole.write { writer in
        var merge = rules()
        for item in items { try merge.apply(item, in: writer) }
        return merge.counts
      }
    }
    try other.write { writer in
      var merge = rules()
      for item in before { try merge.apply(item, in: writer) }
    }
    let merge = SteppedMerge(rules(), into: store)
    for item in file { try merge.apply(.item(item)) }
    #expect(text(try merge.finish()) == text(counts))
    #expect(try summary(other) == summary(whole))
  }

  @Test("A failed merge leaves no trace, with a journal or without one", arguments: [true, false])
  func failure(isUndoable: Bool) throws {
    struct Failure: Error {}
    try other.write { try $0.saveAll((0..<5).map { reminder($0, "Mine") }) }
    let before = try summary(other)
    let calendars = try other.read { try $0.calendars() }
    let merge = SteppedMerge(rules(), into: isUndoable ? store : other)
    var header = ICalendarHeader()
    header.name = "Made"
    try merge.apply(.header(header))
    try merge.apply(
      .other(PreservedComponent(name: "VJOURNAL", id: "j", text: "BEGIN:VJOURNAL\r\nEND:VJOURNAL\r\n")))
    for number in 0..<1_500 { try merge.apply(.item(reminder(number, "Theirs", sequence: 1))) }
    #expect(throws: Failure.self) { _ = try merge.finish(keeping: { _ in throw Failure() }) }
    #expect(try summary(other) == before)
    #expect(try other.read { try $0.calendars() } == calendars)
    #expect(try other.read { try $0.preservedComponents() }.isEmpty)
    #expect(try other.read { try $0.undoSteps() }.isEmpty)
  }

  @Test("Pruning a large list for a small file also goes in steps")
  func prune() throws {
    try other.write { try $0.saveAll((0..<1_500).map { reminder($0) }) }
    let merge = SteppedMerge(rules(.only(list.id), prunes: true), into: store)
    for number in [3, 1_600] { try merge.apply(.item(reminder(number))) }
    let counts = try merge.finish(pruning: { _ in [list.id] })
    #expect(text(counts) == "1 added, 1 unchanged, 1499 removed")
    #expect(try summary(other) == ["u1600 1600  0", "u3 3  0"])
    _ = try other.write { try $0.undo() }
    #expect(try count(other) == 1_500)
  }
}
