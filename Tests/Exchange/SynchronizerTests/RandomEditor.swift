import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport

/// Edits at random. Each changes one thing to a value that says which edit it was.
struct RandomEditor {
  var random: SeededRandom
  private var number = 0
  /// UIDs of items that were added.
  private(set) var added: Set<String> = []
  /// UIDs of items that somebody removed at any time, alone or with their list.
  private(set) var removed: Set<String> = []
  /// Tags and exceptions that were added to an item, and stay as long as it does.
  private(set) var marks: [String: Set<String>] = [:]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func edit(_ device: AccountDevice, _ name: String) throws {
    number += 1
    let lists = try device.lists
    guard let list = lists.randomElement(using: &random), Int.random(in: 0..<25, using: &random) > 0 else {
      try device.addList("List \(name)-\(number)")
      return
    }
    let items = try device.items.sorted {
      ($0.uid, "\($0.detachment as Any)") < ($1.uid, "\($1.detachment as Any)")
    }
    guard var item = items.randomElement(using: &random), Int.random(in: 0..<6, using: &random) > 0 else {
      return try add(to: list.id, device, name)
    }
    let value = number
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      removed.insert(item.uid)
      try device.remove(item.uid)
    case 1, 2, 3: try move(item.uid, to: list.id, device)
    case 4 where Bool.random(using: &random):
      removed.formUnion(items.filter { $0.calendar == list.id }.map(\.uid))
      try device.removeList(list.id)
    case 4, 5:
      if Bool.random(using: &random) { return try rename(list, device) }
      item.notes = value % 3 == 0 ? nil : "Note \(value)"
      try device.save(item)
    case 6, 7: try detach(item.uid, items, device)
    case 8:
      guard item.detachment == nil, item.recurrence != nil else { return }
      let day = occurrence(20 + value % 100)
      guard item.recurrence?.exceptionDates.contains(day) == false else { return }
      item.recurrence?.exceptionDates.append(day)
      marks[item.uid, default: []].insert("\(day)")
      try device.save(item)
    case 9:
      guard item.detachment != nil else { return }
      _ = try device.store.write { try $0.remove(item.id) }
    default:
      change(&item)
      try device.save(item)
    }
  }

  private mutating func change(_ item: inout CalendarItem) {
    let value = number
    switch Int.random(in: 0..<6, using: &random) {
    case 0: item.title = "Title \(value)"
    case 1: item.priority = value % 10
    case 2:
      item.categories.append("c\(value)")
      if item.detachment == nil { marks[item.uid, default: []].insert("c\(value)") }
    case 3:
      item.alarms.append(
        Alarm(
          id: .init(rawValue: "alarm-\(value)"),
          trigger: .relative(CalendarDuration(seconds: -60 * value), to: .start)))
    case 4: item.alarms = Array(item.alarms.dropFirst())
    default:
      if item.isEvent {
        item.location = "Place \(value)"
      } else {
        item.reminder?.complete(at: Instant(seconds: 1_800_000_000 + Int64(value)))
      }
    }
  }

  private mutating func add(to list: Identifier<ItemCalendar>, _ device: AccountDevice, _ name: String) throws
  {
    let uid = "\(name)-\(number)"
    added.insert(uid)
    var details = CalendarItem.Details.reminder(ReminderDetails())
    let repeats = Bool.random(using: &random)
    if repeats {
      details = .event(
        EventDetails(start: occurrence(0), end: .utc(CivilDateTime(year: 2027, month: 1, day: 1, hour: 10))))
    }
    var item = CalendarItem(calendar: list, uid: uid, title: "Title \(number)", details: details)
    if repeats { item.recurrence = Recurrence(rules: [RecurrenceRule(.daily)]) }
    try device.save(item)
  }

  private func occurrence(_ day: Int) -> CalendarTime {
    .utc(
      CivilDateTime(
        day: CivilDateTime(year: 2027, month: 1, day: 1).day.adding(days: day), secondOfDay: 9 * 3_600))
  }

  /// Moves an item with its changed occurrences.
  private func move(_ uid: String, to list: Identifier<ItemCalendar>, _ device: AccountDevice) throws {
    for var item in try device.items where item.uid == uid && item.calendar != list {
      item.calendar = list
      try device.save(item)
    }
  }

  private func rename(_ list: ItemCalendar, _ device: AccountDevice) throws {
    var list = list
    list.title = "List renamed \(number)"
    try device.store.write { try $0.save(list) }
  }

  /// Changes an occurrence of a series.
  private mutating func detach(_ uid: String, _ items: [CalendarItem], _ device: AccountDevice) throws {
    guard let series = items.first(where: { $0.uid == uid && $0.detachment == nil }), series.recurrence != nil
    else { return }
    let day = occurrence(Int.random(in: 1..<4, using: &random))
    let known = items.first {
      $0.uid == uid && $0.calendar == series.calendar && $0.detachment?.occurrence == day
    }
    var item = known ?? series
    if known == nil {
      item.id = .random()
      item.recurrence = nil
      item.alarms = []
      item.detachment = .init(occurrence: day)
      item.event?.start = day
      item.event?.end = day
    }
    item.title = "Occurrence \(number)"
    try device.save(item)
  }
}
