import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import Testing

@testable import FencepostInterchange

@Suite("Objects that replace the items of a UID")
struct ObjectReplacementTests {
  /// Replaces the items of the UID `a` in the fixture's list by those of a text, and returns whether that
  /// changed something.
  @discardableResult
  private func replace(_ text: String, in fixture: MergeFixture) throws -> Bool {
    let document = try ICalendarReader(calendar: fixture.list.id).read(Array(text.utf8))
    return try fixture.store.write { writer in
      let known = try writer.reader.items(uid: "a", in: fixture.list.id)
      return try writer.replaceObject(
        document.items, zones: document.timeZones, over: known, in: fixture.list.id, at: .epoch)
    }
  }

  private func event(_ title: String, _ start: String, _ lines: String...) -> String {
    (["BEGIN:VEVENT", "UID:a", "SUMMARY:\(title)", "DTSTART;TZID=My Zone:\(start)"] + lines + ["END:VEVENT"])
      .joined(separator: "\n")
  }

  private func zone(_ hours: Int) -> String {
    "BEGIN:VTIMEZONE\nTZID:My Zone\nBEGIN:STANDARD\nDTSTART:19700101T000000\n"
      + "TZOFFSETFROM:+0\(hours)00\nTZOFFSETTO:+0\(hours)00\nEND:STANDARD\nEND:VTIMEZONE"
  }

  @Test("Items keep their identity, those that are missing go, and the same object changes nothing")
  func identity() throws {
    let fixture = try MergeFixture()
    let series = event("Series", "20261201T100000", "RRULE:FREQ=DAILY")
    let detached = event("Moved", "20261203T120000", "RECURRENCE-ID;TZID=My Zone:20261203T100000")
    let whole = calendar(zone(1), series, detached)
    #expect(try replace(whole, in: fixture))
    let ids = try fixture.store.read { try $0.items(uid: "a").map(\.id) }
    #expect(ids.count == 2)
    let change = try fixture.lastChange()
    #expect(try !replace(whole, in: fixture))
    #expect(try fixture.lastChange() == change)
    #expect(try replace(calendar(zone(1), series), in: fixture))
    #expect(try fixture.store.read { try $0.items(uid: "a").map(\.id) } == [ids[0]])
  }

  @Test("An occurrence is found again when its zone gets another name in the store")
  func zones() throws {
    let fixture = try MergeFixture()
    // Another list uses a zone of that name, so a corrected zone gets a name of its own.
    let other = try fixture.store.write { try $0.list("B") }
    try fixture.merge(
      calendar(zone(1), "BEGIN:VEVENT\nUID:b\nDTSTART;TZID=My Zone:20261201T100000\nEND:VEVENT"),
      .only(other.id))
    func text(_ hours: Int) -> String {
      calendar(
        zone(hours), event("Series", "20261201T100000", "RRULE:FREQ=DAILY"),
        event("Moved", "20261203T120000", "RECURRENCE-ID;TZID=My Zone:20261203T100000"))
    }
    try replace(text(1), in: fixture)
    let ids = try fixture.store.read { try $0.items(uid: "a").map(\.id) }
    for hours in [2, 3, 1] {
      try replace(text(hours), in: fixture)
      #expect(try fixture.store.read { try $0.items(uid: "a").map(\.id) } == ids)
    }
  }
}
