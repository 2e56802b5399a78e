import FencepostCalendarModel
import FencepostCalendarStore
import FencepostICalendar
import FencepostRecurrence
import Testing

@testable import FencepostInterchange

/// iTIP messages (RFC 5546).
@Suite struct MessageTests {
  private static let event: String = [
    "BEGIN:VEVENT", "UID:m", "SEQUENCE:2", "DTSTAMP:20260101T000000Z", "SUMMARY:Meeting",
    "DTSTART:20260302T090000Z", "DTEND:20260302T100000Z", "ORGANIZER:mailto:o@example.com",
    "ATTENDEE;PARTSTAT=NEEDS-ACTION;CN=Ann;RSVP=TRUE:mailto:ann@example.com",
    "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@example.com", "BEGIN:VALARM", "ACTION:DISPLAY",
    "TRIGGER:-PT15M", "END:VALARM", "END:VEVENT",
  ].joined(separator: "\n")
  private static let series: String = event.replacing("UID:m", with: "UID:m\nRRULE:FREQ=DAILY;COUNT=5")

  private static func message(_ method: String, _ lines: String..., component: String = "VEVENT") -> String {
    calendar(
      "METHOD:\(method)",
      (["BEGIN:\(component)", "UID:m"] + lines + ["END:\(component)"]).joined(separator: "\n"))
  }

  private static func answer(
    _ status: String, _ attendee: String = "mailto:ann@example.com", sequence: Int = 2,
    stamp: String = "20260105T000000Z", adding lines: String...
  ) -> String {
    message(
      "REPLY",
      (["ATTENDEE;PARTSTAT=\(status):\(attendee)", "SEQUENCE:\(sequence)", "DTSTAMP:\(stamp)"] + lines)
        .joined(separator: "\n"))
  }

  private static func statuses(_ item: CalendarItem?) -> [Participant.Status] {
    item?.attendees.map(\.status) ?? []
  }

  @Test("a reply sets the attendee's status and changes nothing else")
  func reply() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.event))
    let before = try #require(try fixture.item("m"))
    // Like in RFC 5546, section 4.2.2, without a start; with another case of the address, a greater revision,
    // another title.
    let file = Self.answer("ACCEPTED", "MAILTO:Ann@Example.com", sequence: 3, adding: "SUMMARY:Wiped")
    #expect(text(try fixture.merge(file)) == "1 updated")
    var after = try #require(try fixture.item("m"))
    #expect(Self.statuses(after) == [.accepted, .pending])
    #expect(after.attendees[0].name == "Ann" && after.attendees[0].preservedParameters.contains("RSVP=TRUE"))
    after.attendees = before.attendees
    #expect(after == before)
    let last = try fixture.lastChange()
    #expect(text(try fixture.merge(file)) == "1 unchanged")
    #expect(try fixture.lastChange() == last)
  }

  @Test("revision and time order the replies, in any order of arrival")
  func order() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.event))
    try fixture.merge(Self.answer("ACCEPTED", stamp: "20260105T000000Z"))
    #expect(text(try fixture.merge(Self.answer("DECLINED", stamp: "20260104T000000Z"))) == "1 older")
    #expect(
      text(try fixture.merge(Self.answer("DECLINED", sequence: 1, stamp: "20260109T000000Z"))) == "1 older")
    #expect(Self.statuses(try fixture.item("m")) == [.accepted, .pending])
    #expect(text(try fixture.merge(Self.answer("TENTATIVE", stamp: "20260106T000000Z"))) == "1 updated")
    // A file from before the reply does not undo it; a new request does.
    #expect(text(try fixture.merge(calendar(Self.event))) == "1 unchanged")
    #expect(Self.statuses(try fixture.item("m")) == [.tentative, .pending])
    let written = ICalendarWriter().text(of: ICalendarDocument(items: [try #require(try fixture.item("m"))]))
    #expect(text(try fixture.merge(written)) == "1 unchanged")
    try fixture.merge(calendar(Self.event.replacing("SEQUENCE:2", with: "SEQUENCE:3")))
    #expect(Self.statuses(try fixture.item("m")) == [.pending, .pending])
  }

  @Test("a delegate who replies is added")
  func delegate() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.event))
    try fixture.merge(Self.answer("DELEGATED;DELEGATED-TO=\"mailto:eve@example.com\""))
    let file = Self.answer("ACCEPTED;DELEGATED-FROM=\"mailto:ann@example.com\"", "mailto:eve@example.com")
    #expect(text(try fixture.merge(file)) == "1 updated")
    #expect(Self.statuses(try fixture.item("m")) == [.delegated, .pending, .accepted])
  }

  @Test("a reply to one occurrence detaches it")
  func replyToOccurrence() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.series))
    // The same instant in another zone than the series'.
    let file = Self.answer("DECLINED", adding: "RECURRENCE-ID;TZID=Europe/Berlin:20260304T100000")
    #expect(text(try fixture.merge(file)) == "1 updated")
    let items = try fixture.store.read { try $0.items(uid: "m") }
    #expect(items.map { Self.statuses($0) } == [[.pending, .pending], [.declined, .pending]])
    #expect(
      items.last?.event?.start
        == .utc(CivilDateTime(year: 2026, month: 3, day: 4, hour: 9, minute: 0, second: 0)))
    #expect(items.last?.title == "Meeting" && items.last?.alarms.count == 1 && items.last?.recurrence == nil)
    #expect(text(try fixture.merge(file)) == "1 unchanged")
    #expect(try fixture.store.read { try $0.items(uid: "m").count } == 2)
    let never = Self.answer("DECLINED", adding: "RECURRENCE-ID:20260404T090000Z")
    #expect(text(try fixture.merge(never)) == "1 refused")
  }

  @Test("a cancelled event stays, with the status cancelled")
  func cancel() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.event))
    let before = try #require(try fixture.item("m"))
    let file = Self.message("CANCEL", "SEQUENCE:3", "DTSTAMP:20260107T000000Z", "SUMMARY:")
    #expect(text(try fixture.merge(file)) == "1 updated")
    let after = try #require(try fixture.item("m"))
    #expect(after.event?.status == .cancelled && after.sequence == 3)
    #expect(
      after.title == before.title && after.alarms == before.alarms && after.attendees == before.attendees)
    #expect(text(try fixture.merge(file)) == "1 unchanged")
    // The invitation does not restore it.
    #expect(text(try fixture.merge(calendar("METHOD:REQUEST", Self.event))) == "1 older")
  }

  @Test(
    "a cancellation that is older than the event does nothing",
    arguments: [["SEQUENCE:1", "DTSTAMP:20260301T000000Z"], ["SEQUENCE:2", "DTSTAMP:20251231T000000Z"]])
  func oldCancel(lines: [String]) throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.event))
    #expect(text(try fixture.merge(Self.message("CANCEL", lines[0], lines[1]))) == "1 older")
    #expect(try fixture.item("m")?.event?.status == EventDetails.Status.none)
  }

  @Test("a cancellation from before the invitation was sent does nothing, whenever the event was changed")
  func cancelBeforeSending() throws {
    let fixture = try MergeFixture()
    let sent = Self.event.replacing("SUMMARY", with: "LAST-MODIFIED:20251201T000000Z\nSUMMARY")
    try fixture.merge(calendar("METHOD:REQUEST", sent))
    let file = Self.message("CANCEL", "SEQUENCE:2", "DTSTAMP:20251231T000000Z")
    #expect(text(try fixture.merge(file)) == "1 older")
    #expect(text(try fixture.merge(file.replacing("20251231", with: "20260102"))) == "1 updated")
  }

  @Test("a message cancels one occurrence, or it and all later ones, or all with their exceptions")
  func cancelOccurrences() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.series))
    func cancelled() throws -> [Bool] {
      let items = try fixture.store.read { try $0.items(uid: "m") }
      return OccurrenceSeries(items, resolver: TimeResolver()).occurrences.map(\.isCancelled)
    }
    try fixture.merge(
      Self.message("CANCEL", "SEQUENCE:3", "DTSTAMP:20260107T000000Z", "RECURRENCE-ID:20260303T090000Z"))
    #expect(try cancelled() == [false, true, false, false, false])
    try fixture.merge(
      Self.message(
        "CANCEL", "SEQUENCE:3", "DTSTAMP:20260107T000000Z",
        "RECURRENCE-ID;RANGE=THISANDFUTURE:20260305T090000Z"))
    #expect(try cancelled() == [false, true, false, true, true])
    #expect(
      text(try fixture.merge(Self.message("CANCEL", "SEQUENCE:4", "DTSTAMP:20260108T000000Z")))
        == "3 updated")
    #expect(try cancelled() == [true, true, true, true, true])
  }

  @Test(
    "a cancellation of an occurrence and all later ones includes detached ones",
    arguments: [
      (2, "20260302T090000Z", [true, true, true, true, true, true]),
      (3, "20260303T090000Z", [false, true, true, true, true, true]),
      (3, "TZID=Europe/Berlin:20260304T100000", [false, false, true, true, true, true]),
      (3, "20260304T090000Z", [false, false, true, true, true, true]),
      (3, "20260305T090000Z", [false, false, false, true, true, true]),
      // An older message than the occurrence that it names.
      (1, "20260304T090000Z", [false, false, false, false, false, false]),
      // Those of a later revision stay.
      (1, "20260303T090000Z", [false, true, false, true, false, true]),
    ])
  func cancelDetached(sequence: Int, first: String, expected: [Bool]) throws {
    let fixture = try MergeFixture()
    let detached = ["20260304T090000Z", "20260306T090000Z"].map { occurrence in
      Self.event.replacing("UID:m", with: "UID:m\nRECURRENCE-ID:\(occurrence)")
        .replacing("DTSTART:20260302T090000Z", with: "DTSTART:\(occurrence.replacing("T09", with: "T08"))")
        .replacing("DTEND:20260302T100000Z", with: "DTEND:\(occurrence)")
    }
    let series = Self.event.replacing(
      "UID:m\nSEQUENCE:2", with: "UID:m\nSEQUENCE:1\nRRULE:FREQ=DAILY;COUNT=6")
    try fixture.merge(calendar(([series] + detached).joined(separator: "\n")))
    let name =
      first.hasPrefix("TZID") ? "RECURRENCE-ID;RANGE=THISANDFUTURE;" : "RECURRENCE-ID;RANGE=THISANDFUTURE:"
    let file = Self.message("CANCEL", "SEQUENCE:\(sequence)", "DTSTAMP:20260107T000000Z", name + first)
    try fixture.merge(file)
    let items = try fixture.store.read { try $0.items(uid: "m") }
    #expect(
      OccurrenceSeries(items, resolver: TimeResolver()).occurrences.map(\.isCancelled) == expected)
    let last = try fixture.lastChange()
    try fixture.merge(file)
    #expect(try fixture.lastChange() == last)
  }

  @Test("a message can cancel a reminder too")
  func cancelReminder() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(todo("m", "A")))
    try fixture.merge(Self.message("CANCEL", "SEQUENCE:1", component: "VTODO"))
    #expect(try fixture.item("m")?.reminder?.isCancelled == true)
  }

  private static let refusals: [(file: String, reason: String)] = [
    (answer("ACCEPTED", "mailto:stranger@example.com"), "replies but is not invited"),
    (answer("ACCEPTED", adding: "ATTENDEE:mailto:bob@example.com"), "this one has 2"),
    (message("ADD", "SEQUENCE:9"), "an ADD without a time adds nothing"),
    (
      message("COUNTER", "SEQUENCE:2", "DTSTART:20260309T090000Z"),
      "an attendee proposes a change; 'fencepost suggestions scan'"
    ),
    (
      calendar("METHOD:foo", event.replacing("SEQUENCE:2", with: "SEQUENCE:9")),
      "METHOD:FOO of a VEVENT is not supported"
    ),
    (message("CANCEL", component: "VJOURNAL"), "METHOD:CANCEL of a VJOURNAL"),
    (
      message("CANCEL", "SEQUENCE:9", component: "VTODO"), "the reminder of this CANCEL is not in the store"
    ),
    (message("CANCEL", "UID:x", "SEQUENCE:9").replacing("UID:m\n", with: ""), "the event of this CANCEL"),
  ]

  @Test(
    "an unsupported message is refused with a warning, and changes nothing",
    arguments: refusals)
  func refused(file: String, reason: String) throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.event))
    let last = try fixture.lastChange()
    var lines: [String] = []
    let counts = try fixture.merge(file) { if let line = $0.warning { lines.append(line) } }
    #expect(text(counts) == "1 refused")
    #expect(
      lines.count == 1 && lines.allSatisfy { $0.hasPrefix("test.ics:4: ") && $0.contains(reason) }, "\(lines)"
    )
    #expect(try fixture.lastChange() == last)
  }

  @Test("what only asks a person for something changes nothing", arguments: ["REFRESH", "DECLINECOUNTER"])
  func asking(method: String) throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.event))
    let last = try fixture.lastChange()
    #expect(text(try fixture.merge(Self.message(method, "SEQUENCE:2"))) == "1 unchanged")
    #expect(try fixture.lastChange() == last)
  }

  @Test("an added occurrence is an additional date of its series, with its own length and place")
  func add() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.series))
    func added(_ sequence: Int, _ start: String, _ lines: String...) -> String {
      Self.message(
        "ADD",
        (["SEQUENCE:\(sequence)", "DTSTAMP:20260107T000000Z", "SUMMARY:Meeting", "DTSTART:\(start)"] + lines)
          .joined(separator: "\n"))
    }
    #expect(text(try fixture.merge(added(3, "20260310T090000Z", "DURATION:PT1H"))) == "1 updated")
    #expect(text(try fixture.merge(added(3, "20260310T090000Z", "DURATION:PT1H"))) == "1 unchanged")
    #expect(
      text(try fixture.merge(added(4, "20260311T090000Z", "DURATION:PT2H", "LOCATION:Hall"))) == "1 updated")
    #expect(text(try fixture.merge(added(1, "20260312T090000Z"))) == "1 older")
    let items = try fixture.store.read { try $0.items(uid: "m") }
    #expect(Array(OccurrenceSeries(items, resolver: TimeResolver()).occurrences).count == 7)
    #expect(items.compactMap(\.location) == ["Hall"] && items.count == 2)
    #expect(try fixture.item("m")?.sequence == 4)
  }

  @Test("a later revision of the series withdraws an added occurrence, also one with its own place")
  func withdrawnAddition() throws {
    for place in ["", "\nLOCATION:Hall"] {
      let fixture = try MergeFixture()
      try fixture.merge(calendar("METHOD:REQUEST", Self.series))
      try fixture.merge(
        Self.message(
          "ADD", "SEQUENCE:3", "DTSTAMP:20260107T000000Z", "SUMMARY:Meeting", "DTSTART:20260310T090000Z",
          "DURATION:PT1H\(place)"))
      func count() throws -> Int {
        let items = try fixture.store.read { try $0.items(uid: "m") }
        return Array(OccurrenceSeries(items, resolver: TimeResolver()).occurrences).count
      }
      #expect(try count() == 6)
      let later = Self.series.replacing(
        "SEQUENCE:2\nDTSTAMP:20260101", with: "SEQUENCE:4\nDTSTAMP:20260108")
      try fixture.merge(calendar("METHOD:REQUEST", later))
      #expect(try count() == 5)
    }
  }

  @Test("a cancellation with an unreadable occurrence does not cancel everything")
  func brokenOccurrence() throws {
    let fixture = try MergeFixture()
    try fixture.merge(calendar(Self.series))
    let counts = try fixture.merge(Self.message("CANCEL", "SEQUENCE:9", "RECURRENCE-ID:someday"))
    #expect(text(counts) == "")
    #expect(try fixture.item("m")?.event?.status == EventDetails.Status.none)
  }

  @Test("each calendar of a file keeps its own properties")
  func several() throws {
    let fixture = try MergeFixture()
    let file = calendar("METHOD:PUBLISH", Self.event) + Self.answer("ACCEPTED") + calendar(todo("t", "T"))
    #expect(text(try fixture.merge(file)) == "2 added, 1 updated")
    #expect(Self.statuses(try fixture.item("m")) == [.accepted, .pending])
  }
}
