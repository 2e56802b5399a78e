import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostRecurrence
import Testing

@testable import FencepostInterchange

/// An occurrence is its instant, however its RECURRENCE-ID is written.
@Suite struct OccurrenceIdentityTests {
  static let master = [
    "BEGIN:VEVENT", "UID:s", "SUMMARY:Series", "DTSTART;TZID=Europe/Berlin:20261207T090000",
    "DTEND;TZID=Europe/Berlin:20261207T100000", "RRULE:FREQ=DAILY;COUNT=3", "END:VEVENT",
  ].joined(separator: "\n")

  static func override(_ id: String, _ title: String, sequence: Int) -> String {
    [
      "BEGIN:VEVENT", "UID:s", "SUMMARY:\(title)", "RECURRENCE-ID\(id)", "SEQUENCE:\(sequence)",
      "DTSTART;TZID=Europe/Berlin:20261208T110000", "DTEND;TZID=Europe/Berlin:20261208T120000", "END:VEVENT",
    ].joined(separator: "\n")
  }

  static let zoned = ";TZID=Europe/Berlin:20261208T090000"
  static let utc = ":20261208T080000Z"
  static let spellings = [
    utc, ":20261208T090000", ";VALUE=DATE:20261208", ";TZID=Europe/Paris:20261208T090000",
    ";TZID=\"(UTC+01:00) Brussels, Copenhagen, Madrid, Paris\":20261208T090000", ":20261208T090000+0100",
  ]

  private func titles(_ fixture: MergeFixture) throws -> [String] {
    let items = try fixture.store.read { try $0.items(uid: "s") }
    let series = OccurrenceSeries(items, resolver: TimeResolver(floating: .utc))
    return series.occurrences.map { series.items[$0.item].title }
  }

  @Test("the later revision wins, in one file and in two, in any order", arguments: spellings)
  func overrides(spelling: String) throws {
    let old = Self.override(Self.zoned, "Old", sequence: 1)
    let new = Self.override(spelling, "New", sequence: 2)
    for (first, second) in [(old, new), (new, old)] {
      for destination in [CalendarMerge.Destination.keep, .move] {
        let one = try MergeFixture()
        try one.merge(calendar(Self.master, first, second), destination)
        #expect(try titles(one) == ["Series", "New", "Series"])
        let two = try MergeFixture()
        try two.merge(calendar(Self.master, first), destination)
        try two.merge(calendar(second), destination)
        #expect(try titles(two) == ["Series", "New", "Series"])
      }
      let subscribed = try MergeFixture()
      try subscribed.merge(calendar(Self.master, first, second), .only(subscribed.list.id), prunes: true)
      #expect(try titles(subscribed) == ["Series", "New", "Series"])
      let put = try MergeFixture()
      let items = try ICalendarReader(calendar: put.list.id)
        .read(Array(calendar(Self.master, first, second).utf8)).items
      try put.store.write {
        _ = try $0.replaceObject(items, zones: [], over: [], in: put.list.id, at: .epoch)
      }
      #expect(try titles(put) == ["Series", "New", "Series"])
    }
  }

  @Test("a second PUT with another spelling replaces the occurrence", arguments: spellings)
  func puts(spelling: String) throws {
    let fixture = try MergeFixture()
    let reader = ICalendarReader(calendar: fixture.list.id)
    for text in [
      Self.override(Self.zoned, "Old", sequence: 1), Self.override(spelling, "New", sequence: 2),
    ] {
      let items = try reader.read(Array(calendar(Self.master, text).utf8)).items
      try fixture.store.write { writer in
        let known = try writer.reader.items(uid: "s")
        _ = try writer.replaceObject(items, zones: [], over: known, in: fixture.list.id, at: .epoch)
      }
    }
    #expect(try titles(fixture) == ["Series", "New", "Series"])
    #expect(try fixture.store.read { try $0.items(uid: "s").count } == 2)
  }

  @Test("a store that has both spellings already shows the later revision")
  func stored() throws {
    let texts = [Self.override(Self.zoned, "Old", sequence: 1), Self.override(Self.utc, "New", sequence: 2)]
    for order in [texts, texts.reversed()] {
      let text = calendar(Self.master, order[0], order[1])
      let items = try ICalendarReader(calendar: Identifier(rawValue: "c")).read(Array(text.utf8)).items
      let series = OccurrenceSeries(items, resolver: TimeResolver(floating: .utc))
      #expect(series.occurrences.map { series.items[$0.item].title } == ["Series", "New", "Series"])
    }
  }

  @Test("a later series that excludes an occurrence removes its older change")
  func exclusions() throws {
    let exdates = [
      "EXDATE:20261208T080000Z", "EXDATE;TZID=Europe/Berlin:20261208T090000", "EXDATE;VALUE=DATE:20261208",
    ]
    for exdate in exdates {
      func later(_ sequence: Int) -> String {
        Self.master.replacing("END:VEVENT", with: "SEQUENCE:\(sequence)\n\(exdate)\nEND:VEVENT")
      }
      let fixture = try MergeFixture()
      try fixture.merge(calendar(Self.master, Self.override(Self.zoned, "Moved", sequence: 1)))
      #expect(try titles(fixture) == ["Series", "Moved", "Series"])
      var removed: [String] = []
      let counts = try fixture.merge(calendar(later(2))) {
        if $0.outcome == .removed { removed.append($0.title) }
      }
      #expect(try titles(fixture) == ["Series", "Series"])
      #expect(counts[.removed] == 1 && removed == ["Moved"])
      // A change that is later than the series stays.
      let newer = try MergeFixture()
      try newer.merge(calendar(Self.master, Self.override(Self.zoned, "Moved", sequence: 3)))
      try newer.merge(calendar(later(2)))
      #expect(try titles(newer) == ["Series", "Moved", "Series"])
    }
  }

  @Test("several items with one UID and no RECURRENCE-ID are said")
  func sameUID() throws {
    let fixture = try MergeFixture()
    var warnings: [String] = []
    try fixture.merge(calendar(todo("a", "One"), todo("a", "Two"), todo("b", "Three"), todo("b", "Three"))) {
      if let warning = $0.warning { warnings.append(warning) }
    }
    #expect(warnings.count == 1 && warnings.first?.contains("UID 'a'") == true)
    #expect(try fixture.item("a")?.title == "Two")
  }
}
