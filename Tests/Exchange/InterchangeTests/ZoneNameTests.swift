import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostRecurrence
import Testing

@testable import FencepostInterchange

/// Zones of files that have the same name.
@Suite struct ZoneNameTests {
  private static func zone(_ hours: Int, name: String = "My Zone") -> String {
    let offset = "+\(hours < 10 ? "0" : "")\(hours)00"
    return "BEGIN:VTIMEZONE\nTZID:\(name)\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
      + "TZOFFSETFROM:\(offset)\nTZOFFSETTO:\(offset)\nEND:STANDARD\nEND:VTIMEZONE"
  }

  private static func event(_ uid: String, _ lines: String..., name: String = "My Zone") -> String {
    (["BEGIN:VEVENT", "UID:\(uid)", "DTSTART;TZID=\(name):20261201T100000"] + lines + ["END:VEVENT"])
      .joined(separator: "\n")
  }

  /// The start of each item, as `za 9` with the hour in UTC, according to the store's rules.
  private func starts(_ fixture: MergeFixture) throws -> [String] {
    try fixture.store.read { reader in
      let zones = TimeZoneDatabase(systemOf: .system)
      zones.replaceDefinitions(with: try reader.timeZoneDefinitions())
      let resolver = TimeResolver(zones: zones, floating: .utc)
      return try reader.items().filter { $0.start != nil }.map { item in
        let start = try #require(item.start)
        #expect(resolver.isKnown(start))
        return "\(item.uid) \(resolver.instant(of: start).wholeSeconds / 3_600 % 24)"
      }
    }
  }

  private func zones(_ fixture: MergeFixture) throws -> [String] {
    try fixture.store.read { try $0.timeZoneDefinitions() }.map(\.id.rawValue)
  }

  @Test("another file's zone of the same name does not move existing items", arguments: [false, true])
  func other(isSubscribed: Bool) throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.zone(1), Self.event("za")))
    let other = try fixture.store.write { try $0.list("Other") }
    let destination: CalendarMerge.Destination = isSubscribed ? .only(other.id) : .keep
    var lines: [String] = []
    func merge(_ file: String) throws -> String {
      text(try fixture.merge(file, destination) { if let line = $0.warning { lines.append(line) } })
    }
    let file = calendar(
      Self.zone(9), Self.event("zb", "EXDATE;TZID=My Zone:20261202T100000", "RRULE:FREQ=DAILY"),
      Self.event("zb", "RECURRENCE-ID;TZID=My Zone:20261203T100000"))
    #expect(try merge(file) == "2 added")
    #expect(try starts(fixture) == ["za 9", "zb 1", "zb 1"])
    #expect(try zones(fixture) == ["My Zone", "My Zone (2)"])
    #expect(lines.count == 1 && lines.allSatisfy { $0.contains("'My Zone (2)'") }, "\(lines)")
    // A repetition writes nothing, even after an export.
    let last = try fixture.lastChange()
    #expect(try merge(file) == "2 unchanged")
    try fixture.merge(calendar(Self.zone(1), Self.event("za")))
    let document = try fixture.store.read { reader in
      ICalendarDocument(items: try reader.items(), timeZones: try reader.timeZoneDefinitions())
    }
    if !isSubscribed {
      #expect(text(try fixture.merge(ICalendarWriter().text(of: document))) == "3 unchanged")
    }
    #expect(try fixture.lastChange() == last)
    #expect(lines.count == 1)
  }

  @Test("a file may have a zone with the name that another of its zones would get")
  func taken() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.zone(1), Self.event("za")))
    try fixture.merge(
      calendar(
        Self.zone(2), Self.zone(3, name: "My Zone (2)"), Self.event("zb"),
        Self.event("zc", name: "My Zone (2)")))
    #expect(try starts(fixture) == ["za 9", "zb 8", "zc 7"])
  }

  @Test("a subscription whose zone changes moves with it, and nothing else does")
  func changed() throws {
    let fixture = try MergeFixture()
    let destination = CalendarMerge.Destination.only(fixture.list.id)
    try fixture.merge(calendar(Self.zone(1), Self.event("za")), destination)
    try fixture.merge(calendar(Self.zone(2), Self.event("za")), destination)
    #expect(try starts(fixture) == ["za 8"])
    #expect(try zones(fixture) == ["My Zone"])
  }

  @Test("if a file's zone changes, its items and changed occurrences move, and stay one series")
  func corrected() throws {
    let fixture = try MergeFixture()
    func file(_ hours: Int, _ sequence: Int) -> String {
      calendar(
        Self.zone(hours), Self.event("za", "RRULE:FREQ=DAILY", "SEQUENCE:\(sequence)"),
        Self.event("za", "RECURRENCE-ID;TZID=My Zone:20261203T100000", "SEQUENCE:\(sequence)"))
    }
    try fixture.merge(calendar(Self.zone(1), Self.event("zc")))
    try fixture.merge(file(1, 1))
    for (sequence, hours) in [2, 3, 1, 4].enumerated() {
      #expect(text(try fixture.merge(file(hours, sequence + 2))) == "2 updated")
      #expect(try starts(fixture) == ["zc 9", "za \(10 - hours)", "za \(10 - hours)"])
    }
    #expect(try zones(fixture).count <= 4)
  }

  @Test("a zone that the system has, or that no item uses, is replaced")
  func free() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.zone(5, name: "Europe/Berlin"), Self.event("za", name: "Europe/Berlin")))
    try fixture.merge(calendar(Self.zone(6, name: "Europe/Berlin"), Self.event("zb", name: "Europe/Berlin")))
    try fixture.merge(calendar(Self.zone(1), todo("t", "T")))
    try fixture.merge(calendar(Self.zone(2), Self.event("zc")))
    #expect(try starts(fixture).suffix(1) == ["zc 8"])
    #expect(try zones(fixture) == ["Europe/Berlin", "My Zone"])
  }
}
