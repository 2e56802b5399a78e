import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import Testing

@testable import FencepostFleet

@Suite("Fences of a fleet")
struct PublicationTests {
  @Test("are those of items with alarms at places, and all that is open in a list that goes off as a whole")
  func copies() throws {
    let store = try CalendarStore()
    let place = StructuredLocation(title: "Shop", coordinate: Coordinate(latitude: 52, longitude: 13))
    try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      let other = ItemCalendar(source: list.source, title: "Other", entities: .reminders)
      try writer.save(other)
      for (title, calendar, mark, isDone, alarm) in [
        ("Shop", list.id, true, false, Alarm(proximity: ProximityTrigger(.enter, at: place))),
        ("Milk", list.id, false, false, nil), ("Bread", list.id, false, true, nil),
        ("Elsewhere", other.id, false, false, nil),
        ("Timed", other.id, false, false, Alarm(trigger: .absolute(.epoch))),
      ] as [(String, Identifier<ItemCalendar>, Bool, Bool, Alarm?)] {
        var item = CalendarItem(
          id: Identifier(rawValue: title), calendar: calendar, title: title, details: .reminder(.init()))
        item.isForWholeList = mark
        item.alarms = [alarm].compactMap(\.self)
        if isDone { item.reminder?.complete(at: .epoch) }
        try writer.save(item)
      }
    }
    let copy = try CalendarStore()
    var publication = FencePublication()
    try publication.copy(store, into: copy)
    #expect(try Set(copy.read { try $0.items().map(\.title) }) == ["Shop", "Milk"])
    #expect(publication.fences == 1 && publication.timed == 1)
  }
}

@Suite("The shares of workers")
struct ShareTests {
  @Test(
    "leave no partition without a worker",
    arguments: [(64, 1, 64), (64, 3, 22), (16, 5, 4), (1, 3, 1), (32, 0, 32)])
  func shares(partitions: Int, workers: Int, share: Int) {
    #expect(PartitionLeases.share(of: partitions, among: workers) == share)
  }
}
