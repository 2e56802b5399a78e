import FencepostCalendarModel
import FencepostCalendarStore
import FencepostRecurrence
import FencepostTestSupport
import Testing

@Suite("Items in time windows")
struct WindowTests {
  static let hour: Int64 = 3_600_000_000

  @Test("An item is found in exactly the windows that overlap its bounds", arguments: 0..<4 as Range<UInt64>)
  func windows(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let store = try CalendarStore()
    var bounds: [Identifier<CalendarItem>: OccurrenceBounds] = [:]
    try store.write { writer in
      let calendar = try writer.defaultCalendar(for: .events)
      for _ in 0..<400 {
        let item = CalendarItem(
          id: .random(using: &model.random), calendar: calendar.id, title: "Event",
          details: .event(EventDetails(start: model.time(), end: model.time())))
        // Lengths of all magnitudes, from a second to thousands of years.
        let first = Int64(model.int(0...1_000_000)) * Self.hour
        let length = Int64(1) << model.int(20...55)
        let last = model.chance(6) ? nil : Instant(microseconds: first + length)
        let own = OccurrenceBounds(first: Instant(microseconds: first), last: last)
        bounds[item.id] = own
        try writer.save(item, bounds: own)
      }
    }
    for _ in 0..<60 {
      let start = Instant(microseconds: Int64(model.int(-10_000...1_100_000)) * Self.hour)
      let end = start.adding(seconds: model.double(0...1e8))
      let expected = bounds.filter { _, own in
        own.first.map { $0 <= end } == true && own.last.map { $0 >= start } != false
      }
      let found = try store.read { try $0.events(from: start, until: end) }
      #expect(Set(found.map(\.id)) == Set(expected.keys), "seed \(seed)")
      #expect(found.count == expected.count)
    }
    let ever = try store.read { try $0.events(from: .distantPast, until: .distantFuture) }
    #expect(ever.count == bounds.count)
    #expect(try store.read { try $0.events(from: .distantPast, until: .distantFuture, calendars: []) } == [])
  }

  @Test("A window has each series once, with all of its detached occurrences")
  func splitSeries() throws {
    let store = try CalendarStore()
    let day = CivilDay(dayNumber: 20_000)
    func event(_ uid: String, on day: CivilDay) throws -> CalendarItem {
      var item = CalendarItem(
        calendar: try store.write { try $0.defaultCalendar(for: .events).id }, uid: uid, title: uid,
        details: .event(EventDetails(start: .date(day), end: .date(day.adding(days: 1)))))
      item.recurrence = Recurrence(rules: [RecurrenceRule(.daily)])
      return item
    }
    let whole = try event("whole", on: day)
    let split = try event("split", on: day)
    var moved = try event("split", on: day.adding(days: 400))
    moved.recurrence = nil
    moved.detachment = CalendarItem.Detachment(occurrence: .date(day.adding(days: 2)))
    try store.write { try $0.saveAll([whole, split, moved]) }
    let start = Instant(seconds: CivilDateTime(day: day, secondOfDay: 0).secondsSinceEpoch)
    let resolver = TimeResolver(floating: .utc)
    var found: [String: [Identifier<CalendarItem>]] = [:]
    try store.read { reader in
      try reader.forEachSeries(from: start, until: start.adding(seconds: 864_000), resolver: resolver) {
        series in
        #expect(found.updateValue(series.items.map(\.id), forKey: series.items[0].uid) == nil)
      }
    }
    #expect(found == ["whole": [whole.id], "split": [split.id, moved.id]])
  }

  /// 15 May 2026, 09:00 to 10:00 on a wall clock.
  static let start = CivilDateTime(year: 2026, month: 5, day: 15, hour: 9)
  static let berlin = TimeZoneID(rawValue: "Europe/Berlin")

  @Test(
    "An item with an occurrence in the window is found, in any zone",
    arguments: [
      CalendarTime.utc(start), .floating(start), .zoned(start, berlin),
      .zoned(start, TimeZoneID(rawValue: "Pacific/Kiritimati")), .date(start.day),
    ])
  func foundInAnyZone(time: CalendarTime) throws {
    let store = try CalendarStore()
    let event = try store.write { writer in
      let calendar = try writer.defaultCalendar(for: .events)
      let end =
        time.isDate
        ? .date(Self.start.day.adding(days: 1)) : time.with(civil: Self.start.adding(seconds: 3600))
      let event = CalendarItem(
        calendar: calendar.id, title: "Event", details: .event(EventDetails(start: time, end: end)))
      try writer.save(event)
      return event
    }
    func isFound(_ civil: CivilDateTime) throws -> Bool {
      let moment = Instant(seconds: civil.secondsSinceEpoch)
      return try store.read { try $0.events(from: moment, until: moment) } == [event]
    }
    // The extreme zones are 14 hours ahead of UTC and 12 behind.
    #expect(try isFound(Self.start.adding(seconds: -14 * 3600)))
    #expect(try isFound(Self.start.adding(seconds: 12 * 3600)))
    #expect(try !isFound(Self.start.adding(seconds: -4 * 86_400)))
    #expect(try !isFound(Self.start.adding(seconds: 4 * 86_400)))
  }

  @Test("A series is found until it ends, and forever if no end is known")
  func series() throws {
    let store = try CalendarStore()
    let calendar = try store.write { try $0.defaultCalendar(for: .events) }
    func isFound(_ recurrence: Recurrence, inYear year: Int) throws -> Bool {
      var event = CalendarItem(
        calendar: calendar.id, title: "Event",
        details: .event(
          EventDetails(start: .zoned(Self.start, Self.berlin), end: .zoned(Self.start, Self.berlin))))
      event.recurrence = recurrence
      try store.write { try $0.save(event) }
      let moment = Instant(seconds: CivilDateTime(year: year, month: 5, day: 1).secondsSinceEpoch)
      return try store.read {
        try $0.events(from: moment, until: moment.adding(seconds: 30 * 86_400)).contains(event)
      }
    }
    let until = CalendarTime.date(CivilDay(year: 2030, month: 1, day: 1))
    let ending = Recurrence(rules: [RecurrenceRule(.weekly, end: .until(until))])
    #expect(try isFound(ending, inYear: 2029))
    #expect(try !isFound(ending, inYear: 2030))
    #expect(try !isFound(ending, inYear: 2025))
    let endless = Recurrence(rules: [RecurrenceRule(.yearly)])
    #expect(try isFound(endless, inYear: 2926))
    let counted = Recurrence(rules: [RecurrenceRule(.yearly, end: .count(901))])
    #expect(try isFound(counted, inYear: 2926))
    #expect(try !isFound(counted, inYear: 2927))
    let dated = Recurrence(dates: [
      Recurrence.AdditionalOccurrence(start: .utc(CivilDateTime(year: 2020, month: 5, day: 9))),
      Recurrence.AdditionalOccurrence(
        start: .utc(CivilDateTime(year: 2031, month: 4, day: 9)),
        end: .utc(CivilDateTime(year: 2032, month: 6, day: 9))),
    ])
    #expect(try isFound(dated, inYear: 2020))
    #expect(try isFound(dated, inYear: 2032))
    #expect(try !isFound(dated, inYear: 2019))
    #expect(try !isFound(dated, inYear: 2033))
  }

  @Test(
    "Bounds contain every occurrence, in any reader's zone", arguments: 0..<6 as Range<UInt64>)
  func boundsHold(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let resolvers = ["Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin"].map {
      TimeResolver(floating: TimeZoneID(rawValue: $0))
    }
    func time(like form: Int, _ civil: CivilDateTime) -> CalendarTime {
      switch form {
      case 0: .date(civil.day)
      case 1: .floating(civil)
      case 2: .utc(civil)
      case 3: .zoned(civil, TimeZoneID(rawValue: "Pacific/Kiritimati"))
      default: .zoned(civil, TimeZoneID(rawValue: "Pacific/Pago_Pago"))
      }
    }
    for _ in 0..<60 {
      let form = model.int(0...4)
      let start = CivilDateTime(
        day: CivilDay(year: 2026, month: 1, day: model.int(1...365)), secondOfDay: model.int(0...86_399))
      let later = start.adding(seconds: Int64(model.int(0...200_000)))
      let endForm = form == 0 ? 0 : model.chance(4) ? model.int(1...4) : form
      var item = CalendarItem(
        calendar: .random(), title: "Event",
        details: .event(EventDetails(start: time(like: form, start), end: time(like: endForm, later))))
      if model.chance(8) { item.details = .reminder(ReminderDetails(due: time(like: form, start))) }
      let frequency: RecurrenceRule.Frequency = [.daily, .weekly, .monthly, .yearly][model.int(0...3)]
      var rule = RecurrenceRule(frequency, interval: model.int(1...3))
      let last = start.adding(seconds: Int64(model.int(0...100_000_000)))
      rule.end = model.chance(2) ? .count(model.int(1...40)) : .until(time(like: model.int(0...2), last))
      item.recurrence = Recurrence(
        rules: model.chance(6) ? [] : [rule],
        dates: (0..<model.int(0...2)).map { _ in
          Recurrence.AdditionalOccurrence(
            start: time(like: form, start.adding(seconds: Int64(model.int(-9_999_999...99_999_999)))))
        })
      let bounds = OccurrenceBounds(item)
      let first = try #require(bounds.first)
      let end = try #require(bounds.last)
      for resolver in resolvers {
        for occurrence in OccurrenceSeries(item, resolver: resolver).occurrences {
          #expect(occurrence.startInstant >= first && occurrence.endInstant <= end, "seed \(seed): \(item)")
        }
      }
    }
  }

  @Test("A detached occurrence for all later ones has no end")
  func andFuture() {
    var event = CalendarItem(
      calendar: .random(), title: "Event",
      details: .event(
        EventDetails(start: .zoned(Self.start, Self.berlin), end: .zoned(Self.start, Self.berlin))))
    event.detachment = CalendarItem.Detachment(occurrence: .zoned(Self.start, Self.berlin))
    #expect(OccurrenceBounds(event).last != nil)
    event.detachment?.andFuture = true
    #expect(OccurrenceBounds(event).last == nil)
  }

  @Test("Times at the ends of the range do not overflow")
  func extremes() throws {
    let store = try CalendarStore()
    let days = [-4_000_000, 4_000_000].map { CivilDay(dayNumber: $0) }
    try store.write { writer in
      let calendar = try writer.defaultCalendar(for: .events)
      for start in days {
        for end in days {
          let event = CalendarItem(
            calendar: calendar.id, title: "Event",
            details: .event(EventDetails(start: .date(start), end: .date(end))))
          try writer.save(event)
          try writer.save(event, bounds: OccurrenceBounds(first: .distantPast, last: .distantFuture))
          try writer.save(event, bounds: OccurrenceBounds(first: .distantFuture, last: .distantPast))
        }
      }
    }
    #expect(try store.read { try $0.events(from: .distantPast, until: .distantFuture) }.count >= 0)
    #expect(try store.read { try $0.incompleteReminders(dueFrom: .distantPast, to: .distantFuture) } == [])
  }

  @Test("Reminders by due time and by completion")
  func reminders() throws {
    let store = try CalendarStore()
    let day = CivilDay(year: 2026, month: 5, day: 15)
    func instant(_ day: CivilDay) -> Instant {
      Instant(seconds: CivilDateTime(day: day, secondOfDay: 0).secondsSinceEpoch)
    }
    let (lists, open, undated, done, doneOnce) = try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      let other = ItemCalendar(source: list.source, title: "Other", entities: .reminders)
      try writer.save(other)
      func task(_ details: ReminderDetails, in list: ItemCalendar) -> CalendarItem {
        CalendarItem(calendar: list.id, title: "Task", details: .reminder(details))
      }
      let open = (0..<20).map { index in
        task(ReminderDetails(due: .date(day.adding(days: 10 * index))), in: index < 15 ? list : other)
      }
      let undated = task(ReminderDetails(), in: list)
      var details = ReminderDetails()
      details.isCompleted = true
      let doneOnce = task(details, in: list)
      let done = (0..<5).map { index in
        details.completed = instant(day.adding(days: index))
        return task(details, in: list)
      }
      try writer.saveAll(open + [undated, doneOnce] + done)
      return ([list.id, other.id], open, undated, done, doneOnce)
    }
    try store.read { reader throws in
      #expect(try reader.incompleteReminders() == open + [undated])
      #expect(try reader.incompleteReminders(calendars: [lists[1]]) == Array(open[15...]))
      let from = instant(day.adding(days: 20))
      let to = instant(day.adding(days: 40))
      #expect(try reader.incompleteReminders(dueFrom: from, to: to) == Array(open[2...4]))
      #expect(try reader.incompleteReminders(to: to) == Array(open[0...4]))
      #expect(try reader.incompleteReminders(dueFrom: from, calendars: [lists[0]]) == Array(open[2..<15]))
      #expect(try reader.completedReminders() == done + [doneOnce])
      let second = instant(day.adding(days: 1))
      #expect(try reader.completedReminders(from: second, to: second) == [done[1]])
      #expect(try reader.reminders().count == 27)
      #expect(try reader.reminders(in: [lists[1]]).count == 5)
    }
  }

  @Test(
    "Text is found in any case, in title, location, notes and tags",
    arguments: [
      ("milk", ["Milk and bread"]), ("BREAD milk", ["Milk and bread"]), ("ÄPFEL", ["äpfel"]),
      ("straße", ["Walk"]), ("notes", ["Walk"]), ("milk notes", []), ("%", []),
      ("#garden", ["Walk"]), ("dog garden walk", ["Walk"]), ("#dog", []),
      ("", ["Milk and bread", "äpfel", "Walk"]),
    ])
  func search(words: String, titles: [String]) throws {
    let store = try CalendarStore()
    try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      for title in ["Milk and bread", "äpfel"] {
        try writer.save(CalendarItem(calendar: list.id, title: title, details: .reminder(ReminderDetails())))
      }
      var item = CalendarItem(calendar: list.id, title: "Walk", details: .reminder(ReminderDetails()))
      item.location = "Lange Straße"
      item.notes = "some Notes"
      item.categories = ["Garden", "with dog"]
      try writer.save(item)
    }
    #expect(try store.read { try $0.items(matching: words) }.map(\.title) == titles)
  }

  @Test("Shortened identifiers, in either case")
  func prefixes() throws {
    let store = try CalendarStore()
    try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      for id in ["AB12", "AB34", "AC56", "own-id_%"] {
        try writer.save(
          CalendarItem(
            id: Identifier(rawValue: id), calendar: list.id, title: id, details: .reminder(ReminderDetails()))
        )
      }
    }
    func found(_ prefix: String) throws -> [String] {
      try store.read { try $0.items(idPrefix: prefix) }.map(\.id.rawValue)
    }
    #expect(try found("AB") == ["AB12", "AB34"])
    #expect(try found("ab1") == ["AB12"])
    #expect(try found("AB12") == ["AB12"])
    #expect(try found("own") == ["own-id_%"])
    #expect(try found("A_") == [])
    #expect(try found("") == ["AB12", "AB34", "AC56", "own-id_%"])
  }
}
