import FencepostCalendarModel
import FencepostJSON
import FencepostRecurrence

@testable import FencepostItems

/// What the tests of JSCalendar share: the zone, the time, and the way from texts to items and back.
protocol JSCalendarFixture {}

extension JSCalendarFixture {
  var resolver: TimeResolver { TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin")) }
  var now: Instant { Instant(seconds: 1_777_600_000) }

  func value(_ text: String) throws -> JSONValue {
    try JSONValue(reading: Array(text.utf8), maxDepth: JSCalendarPatch.maxDepth)
  }

  func patch(_ text: String) throws -> JSCalendarPatch {
    try JSCalendarPatch(value(text), resolver: resolver)
  }

  func read(_ text: String) throws -> (item: CalendarItem, occurrences: [CalendarItem]) {
    try patch(text).newItem(at: now)
  }

  func written(_ item: CalendarItem, _ occurrences: [CalendarItem] = []) -> JSONValue {
    JSCalendarWriter(resolver: resolver).object(item, occurrences: occurrences).value
  }
}
