import FencepostICalendar
import Testing

@testable import FencepostReconciliation

@Suite struct ObjectMergeTests {
  struct Triple: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var base: [String]
    var local: [String]
    var remote: [String]
    var merged: [String]
    /// The loser, the property and the lost value of each loss.
    var losses: [String] = []
  }

  static let triples = [
    Triple(
      testDescription: "disjoint changes merge, and unknown lines stay where they are",
      base: ["SUMMARY:a", "X-ONE:1", "PRIORITY:5", "X-TWO;X=Y:2"],
      local: ["SUMMARY:b", "X-ONE:1", "PRIORITY:5", "X-TWO;X=Y:2"],
      remote: ["X-ONE:1", "PRIORITY:1", "SUMMARY:a", "X-TWO;X=Y:2", "X-NEW:3"],
      merged: ["X-ONE:1", "PRIORITY:1", "SUMMARY:b", "X-TWO;X=Y:2", "X-NEW:3"]),
    Triple(
      testDescription: "a later local change of the same property wins",
      base: ["SUMMARY:a", "LAST-MODIFIED:20260101T000000Z"],
      local: ["SUMMARY:b", "LAST-MODIFIED:20260103T000000Z"],
      remote: ["SUMMARY:c", "LAST-MODIFIED:20260102T000000Z"],
      merged: ["SUMMARY:b", "LAST-MODIFIED:20260103T000000Z"], losses: ["remote SUMMARY SUMMARY:c"]),
    Triple(
      testDescription: "a later remote change of the same property wins",
      base: ["SUMMARY:a", "DTSTAMP:20260101T000000Z"],
      local: ["SUMMARY:b", "DTSTAMP:20260102T000000Z"],
      remote: ["SUMMARY:c", "DTSTAMP:20260103T000000Z"],
      merged: ["SUMMARY:c", "DTSTAMP:20260103T000000Z"], losses: ["local SUMMARY SUMMARY:b"]),
    Triple(
      testDescription: "the same change on both sides is no conflict",
      base: ["SUMMARY:a"], local: ["SUMMARY:b, c"], remote: ["SUMMARY:b\\, c"],
      merged: ["SUMMARY:b\\, c"]),
    Triple(
      testDescription: "completion beats a later change of the status",
      base: ["STATUS:NEEDS-ACTION"], local: ["STATUS:COMPLETED", "COMPLETED:20260101T000000Z"],
      remote: ["STATUS:IN-PROCESS", "PERCENT-COMPLETE:50", "LAST-MODIFIED:20270101T000000Z"],
      merged: ["STATUS:COMPLETED", "COMPLETED:20260101T000000Z", "LAST-MODIFIED:20270101T000000Z"],
      losses: ["remote STATUS STATUS:IN-PROCESS PERCENT-COMPLETE:50"]),
    Triple(
      testDescription: "what was opened again on one side is open",
      base: ["STATUS:COMPLETED", "COMPLETED:20260101T000000Z"], local: ["SUMMARY:a"],
      remote: ["STATUS:COMPLETED", "COMPLETED:20260101T000000Z", "PRIORITY:1"],
      merged: ["PRIORITY:1", "SUMMARY:a"]),
    Triple(
      testDescription: "start and due time go together",
      base: ["DTSTART:20260101T100000", "DUE:20260101T110000"],
      local: ["DTSTART:20260102T100000", "DUE:20260102T110000", "LAST-MODIFIED:20260105T000000Z"],
      remote: ["DTSTART:20260101T100000", "DUE:20260101T103000"],
      merged: ["DTSTART:20260102T100000", "DUE:20260102T110000", "LAST-MODIFIED:20260105T000000Z"],
      losses: ["remote DTSTART/DTEND/DUE DTSTART:20260101T100000 DUE:20260101T103000"]),
    Triple(
      testDescription: "cancelled occurrences of both sides are cancelled, in any spelling",
      base: ["EXDATE:20260101T100000Z"], local: ["EXDATE:20260101T100000Z", "EXDATE:20260102T100000Z"],
      remote: ["EXDATE:20260101T100000Z,20260103T100000Z"],
      merged: ["EXDATE:20260101T100000Z", "EXDATE:20260103T100000Z", "EXDATE:20260102T100000Z"]),
    Triple(
      testDescription: "a stamp that one side leaves out is no conflict",
      base: ["LAST-MODIFIED:20260101T000000Z", "SEQUENCE:1"],
      local: ["LAST-MODIFIED:20260102T000000Z", "SEQUENCE:2"], remote: [],
      merged: ["LAST-MODIFIED:20260102T000000Z", "SEQUENCE:2"]),
    Triple(
      testDescription: "a category that one side removed is gone, one that the other added is there",
      base: ["CATEGORIES:a,b"], local: ["CATEGORIES:b"], remote: ["CATEGORIES:a,b,c"],
      merged: ["CATEGORIES:b", "CATEGORIES:c"]),
    Triple(
      testDescription: "answers of two attendees merge",
      base: ["ATTENDEE:mailto:a@x", "ATTENDEE:mailto:b@x"],
      local: ["ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@x", "ATTENDEE:mailto:b@x"],
      remote: ["ATTENDEE:mailto:a@x", "ATTENDEE;PARTSTAT=DECLINED:mailto:b@x"],
      merged: ["ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@x", "ATTENDEE;PARTSTAT=DECLINED:mailto:b@x"]),
    Triple(
      testDescription: "different alarms merge by UID",
      base: ["[", "UID:A", "TRIGGER:-PT1H", "]", "[", "UID:B", "TRIGGER:-PT2H", "]"],
      local: ["[", "UID:A", "TRIGGER:-PT10M", "]", "[", "UID:B", "TRIGGER:-PT2H", "]"],
      remote: ["[", "UID:B", "TRIGGER:-PT20M", "]", "[", "UID:A", "TRIGGER:-PT1H", "X-A:1", "]"],
      merged: ["[", "UID:B", "TRIGGER:-PT20M", "]", "[", "UID:A", "TRIGGER:-PT10M", "X-A:1", "]"]),
    Triple(
      testDescription: "alarms without UID are known by X-WR-ALARMUID",
      base: ["[", "X-WR-ALARMUID:A", "TRIGGER:-PT1H", "]"],
      local: ["[", "X-WR-ALARMUID:A", "TRIGGER:-PT10M", "]"],
      remote: ["[", "X-WR-ALARMUID:A", "TRIGGER:-PT1H", "ACTION:AUDIO", "]"],
      merged: ["[", "X-WR-ALARMUID:A", "TRIGGER:-PT10M", "ACTION:AUDIO", "]"]),
    Triple(
      testDescription: "alarms without any UID are known by their content",
      base: ["[", "TRIGGER:-PT60M", "]"], local: ["[", "TRIGGER:-PT60M", "]", "[", "TRIGGER:-PT5M", "]"],
      remote: ["[", "TRIGGER:-PT1H", "]", "[", "TRIGGER:-P1D", "]"],
      merged: ["[", "TRIGGER:-PT1H", "]", "[", "TRIGGER:-P1D", "]", "[", "TRIGGER:-PT5M", "]"]),
    Triple(
      testDescription: "a changed alarm stays although the other side removed it",
      base: ["[", "UID:A", "TRIGGER:-PT1H", "]"], local: ["[", "UID:A", "TRIGGER:-PT5M", "]"], remote: [],
      merged: ["[", "UID:A", "TRIGGER:-PT5M", "]"], losses: ["remote VALARM "]),
    Triple(
      testDescription: "an unchanged alarm goes where one side removed it",
      base: ["[", "UID:A", "TRIGGER:-PT60M", "]"], local: [], remote: ["[", "UID:A", "TRIGGER:-PT1H", "]"],
      merged: []),
    Triple(
      testDescription: "the later acknowledgement counts",
      base: ["[", "UID:A", "]"], local: ["[", "UID:A", "ACKNOWLEDGED:20260103T000000Z", "]"],
      remote: ["[", "UID:A", "ACKNOWLEDGED:20260102T000000Z", "]"],
      merged: ["[", "UID:A", "ACKNOWLEDGED:20260103T000000Z", "]"]),
    Triple(
      testDescription: "the greater sequence counts, as a number",
      base: ["SEQUENCE:1"], local: ["SEQUENCE:9"], remote: ["SEQUENCE:10"], merged: ["SEQUENCE:10"]),
    Triple(
      testDescription: "a removed property stays removed unless the other side changed it",
      base: ["SUMMARY:a", "LOCATION:x", "PRIORITY:1"], local: ["SUMMARY:a"],
      remote: ["SUMMARY:a", "LOCATION:y", "PRIORITY:1"],
      merged: ["SUMMARY:a", "LOCATION:y"], losses: ["local LOCATION "]),
  ]

  @Test func aChangedOccurrenceThatOneSideRemovedTakesPlace() {
    let series = ["DTSTART;TZID=Europe/Berlin:20260101T100000", "RRULE:FREQ=DAILY"]
    let other = "EXDATE;TZID=Europe/Berlin:20260109T100000"
    func occurrence(_ title: String) -> ComponentTree {
      component("VEVENT", ["RECURRENCE-ID;TZID=Europe/Berlin:20260103T100000", "SUMMARY:\(title)"])
    }
    let base = object([component("VEVENT", series + [other]), occurrence("a")])
    let changed = object([component("VEVENT", series + [other]), occurrence("b")])
    let removed = object([
      component("VEVENT", series + ["EXDATE;TZID=Europe/Berlin:20260109T100000,20260103T100000"])
    ])
    for (local, remote) in [(changed, removed), (removed, changed)] {
      let merge = ObjectMerge(base: base, local: local, remote: remote)
      #expect(ObjectMerge.isSame(merge.tree, changed))
      #expect(merge.losses.map(\.property) == ["VEVENT"])
    }
  }

  @Test func aLostValueReplacesTheKeptOne() throws {
    let base = object("VTODO", "SUMMARY:a", "CATEGORIES:x", "PRIORITY:1")
    let local = object("VTODO", "SUMMARY:b", "CATEGORIES:x", "PRIORITY:1")
    let remote = object("VTODO", "SUMMARY:c", "CATEGORIES:x", "PRIORITY:1")
    let merge = ObjectMerge(base: base, local: local, remote: remote)
    let loss = try #require(merge.losses.first)
    #expect(loss.restored(in: merge.tree) == local)
    #expect(loss.restored(in: base) == nil)
  }

  @Test(arguments: triples) func mergesByProperty(_ triple: Triple) {
    func tree(_ lines: [String]) -> ComponentTree { object([component("VTODO", lines)]) }
    let merge = ObjectMerge(
      base: tree(triple.base), local: tree(triple.local), remote: tree(triple.remote))
    #expect(merge.tree.itemLines == triple.merged)
    #expect(
      merge.losses.map { "\($0.loser) \($0.property) \($0.lost.joined(separator: " "))" } == triple.losses)
  }

  @Test func changedOccurrencesMergeByTheirRecurrenceID() {
    func series(_ overrides: [[String]]) -> ComponentTree {
      object(([["RRULE:FREQ=DAILY"]] + overrides).map { component("VEVENT", $0) })
    }
    let second = ["RECURRENCE-ID:20260102T100000Z", "SUMMARY:a"]
    let merge = ObjectMerge(
      base: series([second]), local: series([["RECURRENCE-ID:20260102T100000Z", "SUMMARY:b"]]),
      remote: series([["RECURRENCE-ID:20260103T100000Z", "SUMMARY:c"], second + ["LOCATION:x"]]))
    #expect(
      merge.tree.components.map(\.plainLines) == [
        ["RRULE:FREQ=DAILY"], ["RECURRENCE-ID:20260103T100000Z", "SUMMARY:c"],
        ["RECURRENCE-ID:20260102T100000Z", "SUMMARY:b", "LOCATION:x"],
      ])
    #expect(merge.losses.isEmpty)
  }

  @Test func anOccurrenceIsTheSameInUTCAndInItsZone() {
    func series(_ start: String, _ occurrence: String, _ lines: String...) -> ComponentTree {
      object([
        component("VEVENT", ["DTSTART\(start)", "RRULE:FREQ=DAILY"]),
        component("VEVENT", ["RECURRENCE-ID\(occurrence)"] + lines),
      ])
    }
    let zone = ";TZID=Europe/Berlin:20260101T100000"
    let merge = ObjectMerge(
      base: series(zone, ";TZID=Europe/Berlin:20260103T100000", "SUMMARY:a"),
      local: series(zone, ";TZID=Europe/Berlin:20260103T100000", "SUMMARY:b"),
      remote: series(zone, ":20260103T090000Z", "SUMMARY:a", "LOCATION:x"))
    #expect(
      merge.tree.components.last?.plainLines == ["RECURRENCE-ID:20260103T090000Z", "SUMMARY:b", "LOCATION:x"])
    #expect(merge.losses.isEmpty)
  }

  /// One side moves a series from Monday to Tuesday, the other one changes what belongs to Mondays.
  @Test(arguments: [MergeLoss.Side.local, .remote]) func whoMovesASeriesDecidesOnItsDates(
    mover: MergeLoss.Side
  ) {
    func series(_ lines: [String], _ occurrences: [String]...) -> ComponentTree {
      object(([lines] + occurrences).map { component("VEVENT", $0) })
    }
    let base = series(
      ["DTSTART:20260105T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO", "SUMMARY:a"],
      ["RECURRENCE-ID:20260112T100000Z", "SUMMARY:b"])
    let moved = series(
      ["DTSTART:20260106T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=TU", "SUMMARY:a"],
      ["RECURRENCE-ID:20260113T100000Z", "SUMMARY:b"])
    let changed = series(
      [
        "DTSTART:20260105T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=9", "SUMMARY:c",
        "EXDATE:20260126T100000Z", "LAST-MODIFIED:20260101T000000Z",
      ],
      ["RECURRENCE-ID:20260112T100000Z", "SUMMARY:d"], ["RECURRENCE-ID:20260119T100000Z", "SUMMARY:e"])
    let isLocal = mover == .local
    let merge = ObjectMerge(
      base: base, local: isLocal ? moved : changed, remote: isLocal ? changed : moved)
    #expect(
      merge.tree.components.map { $0.plainLines.filter { !$0.hasPrefix("LAST-MODIFIED") }.sorted() } == [
        ["DTSTART:20260106T100000Z", "RRULE:FREQ=WEEKLY;BYDAY=TU", "SUMMARY:c"],
        ["RECURRENCE-ID:20260113T100000Z", "SUMMARY:b"],
      ])
    #expect(merge.losses.allSatisfy { $0.loser != mover })
    #expect(merge.losses.map(\.property).sorted() == ["EXDATE", "RRULE", "VEVENT", "VEVENT"])
  }

  @Test func withoutABaseEqualValuesAreNoConflictAndTheOthersAreKept() {
    let merge = ObjectMerge(
      base: nil, local: object("VTODO", "SUMMARY:a", "PRIORITY:1"),
      remote: object("VTODO", "SUMMARY:a", "LOCATION:x"))
    #expect(merge.tree.itemLines == ["SUMMARY:a", "LOCATION:x", "PRIORITY:1"])
    #expect(merge.losses.isEmpty)
  }

  @Test func aZoneThatOnlyOneSideUsesComesWithIt() {
    func tree(_ line: String, zone: String?) -> ComponentTree {
      var tree = object("VTODO", line)
      if let zone {
        tree.components.insert(ComponentTree(name: "VTIMEZONE", lines: ["TZID:\(zone)"]), at: 0)
      }
      return tree
    }
    let merge = ObjectMerge(
      base: tree("SUMMARY:a", zone: nil),
      local: tree("DUE;TZID=Europe/Berlin:20260101T100000", zone: "Europe/Berlin"),
      remote: tree("SUMMARY:a", zone: "Asia/Tokyo"))
    #expect(merge.tree.components.map(\.name) == ["VTIMEZONE", "VTIMEZONE", "VTODO"])
  }

  @Test func aRewrittenTextSaysTheSame() {
    let text = object(
      "VTODO", "SUMMARY:a\\, b", "DTSTAMP:20260101T000000Z", "EXDATE:20260101,20260102", "PRIORITY:01")
    let rewritten = object(
      "VTODO", "PRIORITY:1", "EXDATE;VALUE=DATE:20260102", "DTSTAMP:20270101T000000Z",
      "EXDATE;VALUE=DATE:20260101",
      "SUMMARY:a, b")
    #expect(ObjectMerge.isSame(text, rewritten))
    #expect(!ObjectMerge.isSame(text, object("VTODO", "SUMMARY:a")))
  }
}
