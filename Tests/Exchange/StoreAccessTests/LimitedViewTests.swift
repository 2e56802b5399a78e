import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostTestSupport
import Testing

@testable import FencepostStoreAccess

@Suite("What an app that sees some lists knows")
struct LimitedViewTests {
  private static let source = Source(id: Identifier(rawValue: "src"), title: "Account")
  private static let lists = ["seen", "hidden"].map {
    ItemCalendar(
      id: Identifier(rawValue: $0), source: source.id, title: $0, entities: [.events, .reminders])
  }

  private static func task(_ number: Int, _ title: String, in list: ItemCalendar) -> CalendarItem {
    var task = CalendarItem(calendar: list.id, title: title, details: .reminder(ReminderDetails()))
    (task.id, task.uid) = (Identifier(rawValue: "task-\(number)"), "uid-\(number)")
    (task.created, task.lastModified) = (.epoch, .epoch)
    return task
  }

  /// One random change: of an item, of a list, or of something else.
  private static func change(_ store: CalendarStore, _ random: inout SeededRandom) throws {
    let list = lists[Int.random(in: 0...1, using: &random)]
    let task = task(
      Int.random(in: 0..<6, using: &random), "title \(Int.random(in: 0...1, using: &random))", in: list)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try store.write { try $0.remove(task.id) }
    case 1:
      var list = list
      list.title += " \(Int.random(in: 0...1, using: &random))"
      try store.write { [list] in try $0.save(list) }
    case 2: try store.write { try $0.setDefaultCalendar(list.id, for: .reminders) }
    case 3:
      // More changes than a look searches.
      try store.write { writer in
        for _ in 0..<1_100 { try writer.setDefaultCalendar(list.id, for: .events) }
        try writer.save(task)
      }
    default: try store.write { try $0.save(task) }
    }
  }

  @Test("It has news exactly when what it sees has changed", arguments: 0..<20)
  func news(seed: UInt64) throws {
    let store = try CalendarStore()
    try store.write { writer in
      try writer.save(Self.source)
      for list in Self.lists { try writer.save(list) }
    }
    var rights = AppRights(events: .full, reminders: .full)
    rights.eventLimits.lists = [Self.lists[0].id]
    rights.reminderLimits.lists = [Self.lists[0].id]
    var random = SeededRandom(seed: seed)
    var view = LimitedView()
    var known: ([ItemCalendar], [CalendarItem])?
    for step in 0..<60 {
      if step > 0 { try Self.change(store, &random) }
      if Int.random(in: 0..<10, using: &random) == 0 { rights.reminderLimits.readsOnly.toggle() }
      let now = try store.read { reader in
        let lists = try reader.calendars(for: [.events, .reminders]).filter(rights.canRead)
        return (lists.map(rights.shown), try lists.flatMap { try reader.items(in: $0.id) })
      }
      let hasNews = try store.read { try view.hasNews(for: rights, in: $0, now: .epoch) }
      #expect(hasNews == (known.map { $0 != now } ?? true), "seed \(seed), step \(step)")
      known = now
    }
  }
}
