import FencepostCalendarModel
import FencepostICalendar
import FencepostJSON
import FencepostRecurrence

extension JSCalendarPatch {
  /// The most bytes of all changed occurrences of a series, each of which holds the whole object.
  private static let maximumBytes = 1 << 23

  /// Applies `recurrenceOverrides` (RFC 8984, section 4.3.5).
  ///
  /// - Parameters:
  ///   - item: The series, changed already.
  ///   - was: The series before, and its object.
  func applyOverrides(
    to item: inout CalendarItem, _ occurrences: [CalendarItem],
    was: (series: CalendarItem, object: JSONValue),
    at now: Instant
  ) throws(ItemPatchError) -> (saved: [CalendarItem], removed: [CalendarItem]) {
    let reader = reader("recurrenceOverrides")
    let overrides = try reader.map(most: 1_000)
    let whole = object.setting(["recurrenceOverrides"], to: nil) ?? object
    guard whole.json.utf8.count * overrides.count <= Self.maximumBytes || overrides.count < 10 else {
      throw reader.fail("are too many for so long an object")
    }
    let clock = JSCalendarClock(of: item, resolver: resolver)
    let oldClock = JSCalendarClock(of: was.series, resolver: resolver)
    var left: [String: CalendarItem] = [:]
    for occurrence in occurrences {
      guard let detachment = occurrence.detachment, !detachment.andFuture else { continue }
      left[oldClock.text(detachment.occurrence)] = occurrence
    }
    let old = item.recurrence ?? Recurrence()
    var recurrence = old
    (recurrence.dates, recurrence.exceptionDates) = ([], [])
    let dates = Dictionary(old.dates.map { (clock.text($0.start), $0) }) { first, _ in first }
    let exceptions = Dictionary(old.exceptionDates.map { (clock.text($0), $0) }) { first, _ in first }
    var saved: [CalendarItem] = []
    for member in overrides {
      let path = "/recurrenceOverrides/\(JSONPointer.escaped(member.key))"
      guard let time = clock.time(member.key), clock.text(time) == member.key else {
        throw ItemPatchError(path, "must be a local time such as \"2026-05-01T09:00:00\"")
      }
      let excluded = PatchReader(member.value["excluded"], key: "excluded")
      do throws(ItemPatchError) {
        let isExcluded = excluded.value.isNull ? false : try excluded.flag()
        if isExcluded {
          recurrence.exceptionDates.append(exceptions[member.key] ?? time)
          continue
        }
        let patch = try Self.patch(member.value)
        if patch.isEmpty || patch.map(\.keys) == [["duration"]] && isAddition(time, of: item, old) {
          recurrence.dates.append(try addition(at: time, patch.first?.value, known: dates[member.key]))
          continue
        }
        let known = left.removeValue(forKey: member.key)
        // Without a rule, each occurrence is an additional one.
        if let date = dates[member.key] ?? (recurrence.rules.isEmpty ? .init(start: time) : nil) {
          recurrence.dates.append(date)
        }
        let changed = try occurrence(of: item, at: time, patch, known: known, was: was.object, now: now)
        if let changed { saved.append(changed) }
      } catch {
        throw error.below(path)
      }
    }
    // The order of an object's members means nothing.
    if Set(recurrence.dates) == Set(old.dates) { recurrence.dates = old.dates }
    if Set(recurrence.exceptionDates) == Set(old.exceptionDates) {
      recurrence.exceptionDates = old.exceptionDates
    }
    if recurrence != old { item.recurrence = recurrence == Recurrence() ? nil : recurrence }
    return (saved, left.sorted { $0.key < $1.key }.map(\.value))
  }

  /// The patches of an override: the way to each value, and the value. Those of properties that an override
  /// can't change do not count.
  private static func patch(
    _ override: JSONValue
  ) throws(ItemPatchError) -> [(keys: [String], value: JSONValue?)] {
    var patches: [(keys: [String], value: JSONValue?)] = []
    for member in override.members ?? [] where member.key != "excluded" {
      let keys = JSONPointer.keys(member.key)
      guard let first = keys.first, !JSCalendarWriter.unpatched.contains(first) else { continue }
      patches.append((keys, member.value.isNull ? nil : member.value))
    }
    let sorted = patches.map(\.keys).sorted { $0.lexicographicallyPrecedes($1) }
    for (outer, inner) in zip(sorted, sorted.dropFirst()) where inner.starts(with: outer) {
      let pointer = inner.map(JSONPointer.escaped).joined(separator: "/")
      throw ItemPatchError("/\(JSONPointer.escaped(pointer))", "is inside of another patch")
    }
    return patches
  }

  /// Whether the rules of a series lack an occurrence, so that an override adds it.
  private func isAddition(_ time: CalendarTime, of item: CalendarItem, _ recurrence: Recurrence) -> Bool {
    var bare = item
    bare.recurrence = Recurrence(rules: recurrence.rules, exceptionRules: recurrence.exceptionRules)
    let instant = resolver.instant(of: time)
    var found = OccurrenceSeries([bare], resolver: resolver)
      .occurrences(startingIn: instant..<instant.adding(seconds: 1))
    return found.next() == nil
  }

  private func addition(
    at time: CalendarTime, _ length: JSONValue?, known: Recurrence.AdditionalOccurrence?
  ) throws(ItemPatchError) -> Recurrence.AdditionalOccurrence {
    let start = known?.start ?? time
    guard let length else { return .init(start: start) }
    let duration = try PatchReader(length, key: "duration").duration()
    let end = start.advanced(by: duration)
    if let old = known?.end, JSCalendarDuration.between(start, old, resolver) == duration {
      return .init(start: start, end: old)
    }
    return .init(start: start, end: end)
  }

  /// A changed occurrence; `nil` if it has not changed.
  private func occurrence(
    of series: CalendarItem, at time: CalendarTime, _ patch: [(keys: [String], value: JSONValue?)],
    known: CalendarItem?, was: JSONValue, now: Instant
  ) throws(ItemPatchError) -> CalendarItem? {
    let plain = Self.occurrence(of: series, at: time)
    var item = known ?? plain
    let clock = JSCalendarClock(of: series, resolver: resolver)
    if let detachment = item.detachment, clock.text(detachment.occurrence) != clock.text(time) {
      item.detachment?.occurrence = time
    }
    let before = JSCalendarWriter(resolver: resolver).properties(of: item).value
    var wanted = object
    func set(_ name: String, _ value: JSONValue?) {
      wanted = wanted.setting([name], to: value) ?? wanted
    }
    for name in ["recurrenceRules", "excludedRecurrenceRules", "recurrenceOverrides"] { set(name, nil) }
    // What a patch can't reach follows the series when that changes.
    for name in JSCalendarWriter.unpatched where !Self.differ(was[name], object[name]) {
      set(name, before[name])
    }
    for (name, moved) in [("start", plain.start), ("due", plain.reminder?.due)] {
      if let moved, object[name] != nil {
        set(
          name, JSONValue(line: 1, content: .text(JSCalendarClock(of: plain, resolver: resolver).text(moved)))
        )
      }
    }
    for (keys, value) in patch {
      guard let next = wanted.setting(keys[...], to: value) else {
        let pointer = keys.map(JSONPointer.escaped).joined(separator: "/")
        throw ItemPatchError("/\(JSONPointer.escaped(pointer))", "leads to nothing that can be patched")
      }
      wanted = next
    }
    try JSCalendarPatch(object: wanted, resolver: resolver, allowsSilentAlarms: allowsSilentAlarms)
      .change(&item, from: before, at: now)
    return item == known ? nil : item
  }

  private static func differ(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
    if let one, let other { return !one.says(other) }
    return one != nil || other != nil
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
