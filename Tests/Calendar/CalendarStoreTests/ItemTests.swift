import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostTestSupport
import Testing

@Suite("Items read back as saved")
struct ItemTests {
  @Test("Each field of random items", arguments: 0..<8 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    let store = try CalendarStore()
    var model = RandomModel(seed: seed)
    let list = try store.write { try $0.defaultCalendar(for: .reminders) }
    let items = (0..<60).map { _ in model.item(in: list.id) }
    try store.write { try $0.saveAll(items) }
    let read = try store.read { try $0.items(in: list.id) }
    #expect(read.count == items.count)
    for (read, item) in zip(read, items) { #expect(read == item, "seed \(seed)") }

    // Then each item becomes another one with the same identifier: nothing of the first may remain.
    let changed = items.map { item in
      var other = model.item(in: list.id)
      other.id = item.id
      if model.chance(2) { other.alarms += item.alarms.shuffled(using: &model.random) }
      return other
    }
    try store.write { try $0.saveAll(changed) }
    #expect(try store.read { try $0.items(in: list.id) } == changed, "seed \(seed)")
  }
}
