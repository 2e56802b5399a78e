import FencepostCalendarModel
import FencepostJSON
import FencepostRecurrence
import Testing

@testable import FencepostItems

@Suite("Overrides of JSCalendar")
struct JSCalendarOverrideTests: JSCalendarFixture {
  private func overrides(_ item: CalendarItem, _ occurrences: [CalendarItem]) -> JSONValue? {
    written(item, occurrences)["recurrenceOverrides"]
  }

  /// A weekly event with other properties and overrides.
  private func event(_ properties: String, _ overrides: String) -> String {
    #"""
    {"@type":"Event","uid":"s","title":"Choir","start":"2026-05-07T19:00:00","timeZone":"Europe/Berlin",
     "recurrenceRules":[{"frequency":"weekly"}],\#(properties)"recurrenceOverrides":{\#(overrides)}}
    """#
  }

  private func civil(_ month: Int, _ day: Int, _ hour: Int) -> CivilDateTime {
    CivilDateTime(year: 2026, month: month, day: day, hour: hour)
  }

  @Test("An occurrence of a task is due as the rule has it")
  func task() throws {
    let text = #"""
      {"@type":"Task","uid":"t","title":"Water","due":"2026-05-07T19:00:00","recurrenceRules":[{"frequency":"weekly"}],
       "recurrenceOverrides":{"2026-05-14T19:00:00":{"title":"Rain"},"2026-05-21T19:00:00":{"due":"2026-05-22T19:00:00"}}}
      """#
    let (item, occurrences) = try read(text)
    #expect(
      occurrences.map(\.reminder?.due) == [.floating(civil(5, 14, 19)), .floating(civil(5, 22, 19))])
    #expect(occurrences.map(\.reminder?.start) == [nil, nil])
    #expect(try overrides(item, occurrences)?.says(#require(value(text)["recurrenceOverrides"])) == true)
  }

  @Test("A task with a start and a due time keeps its length")
  func longTask() throws {
    let (item, occurrences) = try read(
      #"""
      {"@type":"Task","uid":"t","title":"Water","start":"2026-05-06T10:00:00","due":"2026-05-07T19:00:00",
       "recurrenceRules":[{"frequency":"weekly"}],"recurrenceOverrides":{"2026-05-13T10:00:00":{"title":"Rain"}}}
      """#)
    #expect(occurrences.map(\.reminder?.start) == [.floating(civil(5, 13, 10))])
    #expect(occurrences.map(\.reminder?.due) == [.floating(civil(5, 14, 19))])
    // The due time is written, because the RFC only says that the start moves.
    #expect(
      overrides(item, occurrences)?.json
        == #"{"2026-05-13T10:00:00":{"title":"Rain","due":"2026-05-14T19:00:00"}}"#)
  }

  @Test("Without rules, overrides add occurrences")
  func additions() throws {
    let text = #"""
      {"@type":"Event","uid":"s","title":"Choir","start":"2026-05-07T19:00:00",
       "recurrenceOverrides":{"2026-05-07T19:00:00":{"title":"First"},"2026-05-14T19:00:00":{"title":"Second"}}}
      """#
    let (item, occurrences) = try read(text)
    #expect(item.recurrence?.dates.count == 2 && occurrences.map(\.title) == ["First", "Second"])
    #expect(try overrides(item, occurrences)?.says(#require(value(text)["recurrenceOverrides"])) == true)
  }

  @Test("What an override does not patch follows the series")
  func inheritance() throws {
    let override = #""2026-05-14T19:00:00":{"start":"2026-05-14T20:00:00"}"#
    let (item, occurrences) = try read(event(#""replyTo":{"imip":"mailto:a@example.org"},"#, override))
    #expect(occurrences.map(\.organizer?.url) == ["mailto:a@example.org"])
    var changed = item
    let new =
      #""title":"Band","duration":"PT3H","privacy":"private","replyTo":{"imip":"mailto:b@example.org"},"#
    let text = event(new, override).replacing(#""title":"Choir","#, with: "")
    let changes = try patch(text).apply(to: &changed, occurrences: occurrences, at: now)
    let saved = try #require(changes.saved.first)
    #expect(saved.id == occurrences[0].id && saved.title == "Band" && changes.removed.isEmpty)
    #expect(saved.classification == .private && saved.organizer?.url == "mailto:b@example.org")
    #expect(saved.event?.end.civil == civil(5, 14, 23))
    #expect(try overrides(changed, [saved])?.says(value("{\(override)}")) == true)

    // What it does not say differently changes nothing.
    var same = changed
    let again = try patch(text).apply(to: &same, occurrences: [saved], at: now)
    #expect(same == changed && again.saved.isEmpty && again.removed.isEmpty)
  }

  @Test("What only a file can say about an occurrence stays when the series changes")
  func ownPrivacy() throws {
    let override = #""2026-05-14T19:00:00":{"title":"Concert"}"#
    var (item, occurrences) = try read(event("", override))
    occurrences[0].classification = .private
    let text = event(#""description":"Bring water","#, override)
    let changes = try patch(text).apply(to: &item, occurrences: occurrences, at: now)
    #expect(changes.saved.map(\.classification) == [.private])
    #expect(changes.saved.map(\.notes) == ["Bring water"])
  }

  @Test("In another zone, an override of the same local time is the same occurrence")
  func zone() throws {
    let override = #""2026-05-14T19:00:00":{"title":"Concert"},"2026-05-21T19:00:00":{"excluded":true}"#
    var (item, occurrences) = try read(event("", override))
    let text = event("", override).replacing("Europe/Berlin", with: "America/New_York")
    let changes = try patch(text).apply(to: &item, occurrences: occurrences, at: now)
    let zone = TimeZoneID(rawValue: "America/New_York")
    #expect(changes.saved.map(\.id) == occurrences.map(\.id) && changes.removed.isEmpty)
    #expect(changes.saved.map { $0.detachment?.occurrence } == [.zoned(civil(5, 14, 19), zone)])
    #expect(changes.saved.map(\.event?.start) == [.zoned(civil(5, 14, 19), zone)])
    #expect(item.recurrence?.exceptionDates == [.zoned(civil(5, 21, 19), zone)])
  }

  @Test("A small change inside an object is written as a patch of its own")
  func deep() throws {
    let people =
      #""participants":{"p":{"@type":"Participant","name":"Tom","email":"tom@example.org","roles":{"attendee":true}}},"#
    let override =
      #""2026-05-14T19:00:00":{"participants/p/participationStatus":"declined"},"2026-05-21T19:00:00":{"participants":null}"#
    let (item, occurrences) = try read(event(people, override))
    #expect(occurrences.map(\.attendees.first?.status) == [.declined, nil])
    #expect(try overrides(item, occurrences)?.says(value("{\(override)}")) == true)
  }

  @Test("A short object can't become a huge series")
  func amplification() throws {
    let many = (10...28).flatMap { day in
      (10...20).map { hour in #""2026-06-\#(day)T\#(hour):00:00":{"title":"a"}"# }
    }
    let text = event(
      #""description":"\#(String(repeating: "a", count: 200_000))","#, many.joined(separator: ","))
    let error = #expect(throws: ItemPatchError.self) { try read(text) }
    #expect(error?.pointer == "/recurrenceOverrides")
    #expect(try read(event("", many.joined(separator: ","))).occurrences.count == 209)
  }

  @Test("An occurrence that a file gave dates of its own can change")
  func ownDates() throws {
    var item = try read(#"{"@type":"Event","uid":"s","title":"Choir","start":"2026-05-07T20:00:00"}"#).item
    item.detachment = .init(occurrence: .floating(civil(5, 7, 19)))
    item.recurrence = Recurrence(dates: [.init(start: .floating(civil(5, 9, 20)))])
    let object = JSCalendarWriter(resolver: resolver).object(item).value
    let title = JSONValue(line: 1, content: .text("Band"))
    let changed = try #require(object.setting(["title"], to: title))
    #expect(object["recurrenceId"] != nil && object["recurrenceOverrides"] == nil)
    var new = item
    _ = try JSCalendarPatch(changed, resolver: resolver).apply(to: &new, occurrences: [], at: now)
    #expect(new.title == "Band" && new.recurrence == item.recurrence)
  }

  @Test("One occurrence by itself is read as one, and written the same")
  func alone() throws {
    let text =
      #"{"@type":"Event","uid":"s","title":"Choir","start":"2026-05-07T20:00:00","timeZone":"Europe/Berlin","recurrenceId":"2026-05-07T19:00:00","recurrenceIdTimeZone":"Europe/Berlin"}"#
    let item = try read(text).item
    #expect(item.detachment?.occurrence == .zoned(civil(5, 7, 19), TimeZoneID(rawValue: "Europe/Berlin")))
    let object = JSCalendarWriter(resolver: resolver).object(item).value
    #expect(object["recurrenceId"]?.text == "2026-05-07T19:00:00")
  }
}
