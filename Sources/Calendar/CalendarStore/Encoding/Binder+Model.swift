package import FencepostCalendarModel
package import FencepostDatabase

/// The model's values as columns. ``RowReader`` reads each one in the same order.
extension Binder {
  package mutating func add<Subject>(_ identifier: Identifier<Subject>?) { add(identifier?.rawValue) }
  package mutating func add(_ instant: Instant?) { add(instant?.microseconds) }
  package mutating func add(_ time: CalendarTime?) { add(time?.stored) }
  package mutating func add(_ zone: TimeZoneID?) { add(zone?.rawValue) }
  package mutating func add(_ list: [String]) { add(StringList.stored(list)) }

  /// Two columns.
  package mutating func add(_ content: PreservedContent) {
    add(content.properties)
    add(content.components)
  }

  /// Two columns.
  package mutating func add(_ duration: CalendarDuration?) {
    add(duration?.days)
    add(duration?.seconds)
  }
}

extension RowReader {
  package mutating func identifier<Subject>() -> Identifier<Subject> { Identifier(rawValue: text()) }

  package mutating func optionalIdentifier<Subject>() -> Identifier<Subject>? {
    optionalText().map(Identifier.init(rawValue:))
  }

  package mutating func instant() -> Instant { Instant(microseconds: int64()) }
  package mutating func optionalInstant() -> Instant? { optionalInt64().map(Instant.init(microseconds:)) }

  package mutating func time() -> CalendarTime {
    let common = common
    if let time = withBytes({ CalendarTime(stored: $0, zone: common.zone) }) { return time }
    fail("what is no time")
    return .date(CivilDay(dayNumber: 0))
  }

  package mutating func optionalTime() -> CalendarTime? {
    guard hasValue else {
      skip()
      return nil
    }
    return time()
  }

  package mutating func optionalZone() -> TimeZoneID? {
    let common = common
    return optionalBytes { common.zone($0) }
  }

  package mutating func list() -> [String] {
    guard let list = optionalBytes(StringList.list(stored:)) else { return [] }
    if let list { return list }
    fail("what is no list")
    return []
  }

  package mutating func preserved() -> PreservedContent {
    PreservedContent(properties: list(), components: list())
  }

  package mutating func optionalDuration() -> CalendarDuration? {
    let days = optionalInt()
    let seconds = optionalInt()
    guard let days, let seconds else { return nil }
    return CalendarDuration(days: days, seconds: seconds)
  }

  package mutating func rule() -> RecurrenceRule {
    let common = common
    if let rule = withBytes({ common.rule($0) }) { return rule }
    fail("what is no recurrence rule")
    return RecurrenceRule(.daily)
  }

  /// A case by its raw value, or `fallback` and a note of damage.
  package mutating func value<Case: RawRepresentable<Int>>(or fallback: Case) -> Case {
    let raw = int()
    if let value = Case(rawValue: raw) { return value }
    fail("\(raw), which is no \(Case.self)")
    return fallback
  }

  /// A case by its raw value, or `fallback` and a note of damage. Checks the `usual` one first.
  package mutating func value<Case: RawRepresentable<String>>(
    usually usual: Case? = nil, or fallback: Case
  ) -> Case {
    let raw = text(orSame: usual?.rawValue ?? "")
    if let usual, raw == usual.rawValue { return usual }
    if let value = Case(rawValue: raw) { return value }
    fail("“\(raw)”, which is no \(Case.self)")
    return fallback
  }
}
