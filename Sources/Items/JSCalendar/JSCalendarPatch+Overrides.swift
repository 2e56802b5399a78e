import CalendarModel
import ICalendar
import JSON
import Recurrence

extension JSCalendarPatch {
  /// Applies `recurrenceOverrides` (RFC 8984, section 4.3.5).
  func applyOverrides(
    to item: inout CalendarItem, _ occurrences: [CalendarItem], at now: Instant
  ) throws(ItemPatchError) -> (saved: [CalendarItem], removed: [CalendarItem]) {
    let reader = reader("recurrenceOverrides")
    let overrides = try reader.map(most: 1_000)
    guard item.detachment == nil || overrides.isEmpty else { throw reader.fail("is only for a series") }
    let clock = JSCalendarClock(of: item, resolver: resolver)
    func key(_ time: CalendarTime) -> String { clock.text(time) }
    var left = occurrences.filter { $0.detachment?.andFuture == false }
    var recurrence = item.recurrence ?? Recurrence()
    let old = recurrence
    (recurrence.dates, recurrence.exceptionDates) = ([], [])
    var saved: [CalendarItem] = []
    for member in overrides {
      let path = "/recurrenceOverrides/\(JSONPointer.escaped(member.key))"
      guard let time = clock.time(member.key) else {
        throw ItemPatchError(path, "must be a local time such as \"2026-05-01T09:00:00\"")
      }
      let patch = (member.value.members ?? []).filter {
        !JSCalendarWriter.unpatched.contains(JSONPointer.keys($0.key)[0])
      }
      if member.value["excluded"]?.flag == true {
        recurrence.exceptionDates.append(old.exceptionDates.first { key($0) == member.key } ?? time)
      } else if patch.isEmpty || patch.map(\.key) == ["duration"] && isAddition(time, of: item, old, clock) {
        recurrence.dates.append(
          try addition(at: time, patch.first, known: old.dates.first { key($0.start) == member.key }))
      } else {
        let known = left.firstIndex { $0.detachment.map { key($0.occurrence) } == member.key }.map {
          left.remove(at: $0)
        }
        do throws(ItemPatchError) {
          saved += try occurrence(of: item, at: time, patch, known: known, now: now).map { [$0] } ?? []
        } catch {
          throw error.below(path)
        }
      }
    }
    if recurrence != old { item.recurrence = recurrence == Recurrence() ? nil : recurrence }
    return (saved, left)
  }

  /// Whether the rules of a series lack an occurrence, so that an override adds it.
  private func isAddition(
    _ time: CalendarTime, of item: CalendarItem, _ recurrence: Recurrence, _ clock: JSCalendarClock
  ) -> Bool {
    var bare = item
    bare.recurrence = Recurrence(rules: recurrence.rules, exceptionRules: recurrence.exceptionRules)
    let instant = resolver.instant(of: time)
    var found = OccurrenceSeries([bare], resolver: resolver)
      .occurrences(startingIn: instant..<instant.adding(seconds: 1))
    return found.next() == nil
  }

  private func addition(
    at time: CalendarTime, _ length: JSONMember?, known: Recurrence.AdditionalOccurrence?
  ) throws(ItemPatchError) -> Recurrence.AdditionalOccurrence {
    let start = known?.start ?? time
    guard let length else { return .init(start: start) }
    let duration = try PatchReader(value: length.value, key: "recurrenceOverrides/duration").duration()
    let end = start.advanced(by: duration)
    if let old = known?.end, JSCalendarDuration.between(start, old, resolver) == duration {
      return .init(start: start, end: old)
    }
    return .init(start: start, end: end)
  }

  /// A changed occurrence; `nil` if it has not changed.
  private func occurrence(
    of series: CalendarItem, at time: CalendarTime, _ patch: [JSONMember], known: CalendarItem?, now: Instant
  ) throws(ItemPatchError) -> CalendarItem? {
    var item = known ?? Self.occurrence(of: series, at: time)
    var wanted = object
    for name in JSCalendarWriter.unpatched where name != "@type" {
      wanted = wanted.setting([name], to: nil) ?? wanted
    }
    let start = JSCalendarClock(of: series, resolver: resolver).text(time)
    wanted = wanted.setting(["start"], to: JSONValue(line: 1, content: .text(start))) ?? wanted
    for member in patch {
      let value = member.value.isNull ? nil : member.value
      guard let next = wanted.setting(JSONPointer.keys(member.key)[...], to: value) else {
        throw ItemPatchError("/\(JSONPointer.escaped(member.key))", "leads to nothing that can be patched")
      }
      wanted = next
    }
    var before = JSCalendarWriter(resolver: resolver).properties(of: item).value
    for name in JSCalendarWriter.unpatched where name != "@type" {
      before = before.setting([name], to: nil) ?? before
    }
    let old = item
    try JSCalendarPatch(object: wanted, resolver: resolver).change(&item, from: before, at: now)
    return item == old && known != nil ? nil : item
  }

  /// An occurrence of a series as the rule has it.
  private static func occurrence(of series: CalendarItem, at time: CalendarTime) -> CalendarItem {
    var item = series
    item.id = .random()
    item.detachment = .init(occurrence: time)
    item.recurrence = nil
    if let event = series.event {
      let civil = event.end.civil.secondsSinceEpoch - event.start.civil.secondsSinceEpoch
      item.event?.start = time
      item.event?.end = time.advanced(by: CalendarDuration(seconds: Int(civil)))
    } else if let reminder = series.reminder {
      let (start, due) = (reminder.start, reminder.due)
      if start != nil { item.reminder?.start = time }
      if let due {
        let civil = due.civil.secondsSinceEpoch - (start ?? due).civil.secondsSinceEpoch
        item.reminder?.due = due.with(civil: time.civil.adding(seconds: civil))
      }
    }
    return item
  }
}
