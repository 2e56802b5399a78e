public import FencepostCalendarModel
import FencepostGeodesy
import FencepostICalendar
public import FencepostJSON
public import FencepostRecurrence

/// A change of an item as JSON: missing keys keep their values, and `null` removes a value (RFC 7396). The
/// keys are those of ``ItemJSON/wholeObject(_:in:)``. It ignores keys that can't be changed.
public struct ItemPatch: Sendable {
  private let members: [JSONMember]
  private let times: TimeReader

  /// Keys that are written but not read.
  private static let fixed: Set<String> = [
    "type", "id", "uid", "list", "color", "writable", "completed_at", "repeat_text", "occurrence",
    "attachments",
    "attendees", "organizer", "subtasks", "etag", "created_at", "modified_at", "implied_alarm", "unread",
  ]

  /// The change in a JSON object.
  ///
  /// - Parameters:
  ///   - json: The object.
  ///   - resolver: The time zones. A new event's times are in its floating zone.
  /// - Throws: ``ItemPatchError`` if it is not an object.
  public init(_ json: JSONValue, resolver: TimeResolver) throws(ItemPatchError) {
    guard let members = json.members else { throw ItemPatchError("", "must be an object, not \(json.kind)") }
    self.members = members
    times = TimeReader(resolver: resolver)
  }

  private func reader(_ key: String) -> PatchReader? {
    members.first { $0.key == key }.map { PatchReader(value: $0.value, key: key) }
  }

  /// The new list of the item; `nil` if the change has no list.
  public func list() throws(ItemPatchError) -> Identifier<ItemCalendar>? {
    guard let reader = reader("list_id") else { return nil }
    return Identifier(rawValue: try reader.text())
  }

  /// A new item without a list.
  ///
  /// - Throws: ``ItemPatchError``; also if there is no title, or no start of an event.
  public func newItem(at now: Instant) throws(ItemPatchError) -> CalendarItem {
    let isEvent = try reader("type")?.word(["event": true, "reminder": false]) == true
    let details: CalendarItem.Details
    if isEvent {
      guard let start = reader("start") else { throw ItemPatchError("/start", "an event needs a start") }
      let time = try times.time(start, zone: try newZone(orElse: times.resolver.floating.id))
      let event = EventDetails(start: time, end: Self.end(after: time, times.resolver))
      details = .event(event)
    } else {
      details = .reminder(ReminderDetails())
    }
    guard reader("title") != nil else { throw ItemPatchError("/title", "is missing") }
    var item = CalendarItem(calendar: Identifier(rawValue: ""), title: "", details: details)
    item.created = now
    item.lastModified = now
    item.timeZone = isEvent ? item.anchor?.zone : nil
    try apply(to: &item, at: now)
    return item
  }

  private static func end(after start: CalendarTime, _ resolver: TimeResolver) -> CalendarTime {
    start.isDate
      ? .date(start.day.adding(days: 1))
      : resolver.time(resolver.instant(of: start).adding(seconds: 3_600), like: start)
  }

  private func newZone(orElse other: TimeZoneID?) throws(ItemPatchError) -> TimeZoneID? {
    guard let reader = reader("time_zone") else { return other }
    guard let name = try reader.optionalText() else { return nil }
    let zone = TimeZoneID(rawValue: name)
    guard times.resolver.zones.zone(zone) != nil else {
      throw reader.fail("must be a time zone such as \"Europe/Berlin\", not '\(name)'")
    }
    return zone
  }

  /// Changes `item`.
  ///
  /// - Throws: ``ItemPatchError``. Then `item` may be partly changed, so the caller must discard it.
  public func apply(to item: inout CalendarItem, at now: Instant) throws(ItemPatchError) {
    try applyTimes(to: &item)
    for member in members {
      let reader = PatchReader(value: member.value, key: member.key)
      switch member.key {
      case "title":
        let title = try reader.text()
        guard title.contains(where: { !$0.isWhitespace }) else { throw reader.fail("can't be empty") }
        guard !title.utf8.contains(0) else { throw reader.fail("can't contain NUL") }
        guard title.utf8.count <= 10_000 || title == item.title else {
          throw reader.fail("has at most 10,000 bytes; write the rest into the notes")
        }
        item.title = title
      case "notes": item.notes = try reader.optionalText()
      case "url": item.url = try reader.optionalText()
      case "location": item.location = try reader.optionalText()
      case "place":
        guard !member.value.isNull else {
          item.structuredLocation = nil
          break
        }
        var place = item.structuredLocation ?? StructuredLocation(title: "")
        do throws(ItemPatchError) { try place.change(by: member.value) } catch { throw error.below("/place") }
        item.structuredLocation = place
      case "priority": item.priority = member.value.isNull ? 0 : try reader.integer(in: 0...9)
      case "tags":
        item.categories = try reader.texts()
        guard item.categories.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
          throw reader.fail("can't be empty")
        }
      case "parent":
        item.parentUID = try reader.optionalText()
        guard item.parentUID != item.uid else { throw reader.fail("can't be the item itself") }
      case "repeat": try applyRules(reader, to: &item)
      case "alarms": try applyAlarms(reader, to: &item)
      case "completed":
        guard item.reminder != nil else { throw reader.fail("only reminders can be completed") }
        if try reader.flag() {
          if item.reminder?.isCompleted == false { item.reminder?.complete(at: now) }
        } else {
          item.reminder?.reopen()
        }
      case "cancelled":
        let isCancelled = try reader.flag()
        if item.isEvent {
          let isNow = item.event?.status == .cancelled
          if isCancelled != isNow { item.event?.status = isCancelled ? .cancelled : .confirmed }
        } else {
          item.reminder?.isCancelled = isCancelled
        }
      case "availability":
        guard item.isEvent else { throw reader.fail("is only for events") }
        item.event?.availability =
          member.value.isNull
          ? .busy
          : try reader.word([
            "busy": EventDetails.Availability.busy, "free": .free, "tentative": .tentative,
            "unavailable": .unavailable, "unsupported": .notSupported,
          ])
      case "travel_time":
        guard item.isEvent else { throw reader.fail("is only for events") }
        item.travelTime = member.value.isNull ? nil : try reader.integer(in: 0...604_800)
      case "start", "end", "due", "all_day", "time_zone", "list_id", "conferences": break
      default: guard Self.fixed.contains(member.key) else { throw reader.fail("is not known") }
      }
    }
    // The alarms are known by now.
    if let reader = reader("implied_alarm"), item.reminder?.due != nil {
      item.isMarkedSilent = reader.value.isNull && !item.alarms.contains(where: \.replacesDefault)
    }
    // The notes and the link, which may have conferences too, are known by now.
    if let reader = reader("conferences") { try applyConferences(reader, to: &item) }
    if item.recurrence?.rules.isEmpty == false, item.anchor == nil {
      throw ItemPatchError("/repeat", "a reminder that repeats needs a due time")
    }
    if item.anchor == nil, item.alarms.contains(where: \.isRelative) {
      throw ItemPatchError("/alarms", "a relative alarm needs a due time")
    }
  }

  // MARK: Times

  private func applyTimes(to item: inout CalendarItem) throws(ItemPatchError) {
    let zone = try newZone(orElse: item.anchor.map { $0.isDate ? item.timeZone : $0.zone } ?? nil)
    let old = item.anchor
    if var event = item.event {
      let before = event
      if let start = reader("start") {
        event.start = try times.time(start, zone: zone)
      } else if reader("time_zone") != nil {
        event.start = moved(event.start, to: zone)
      }
      switch try reader("all_day")?.flag() {
      case true where !event.start.isDate:
        event.start = .date(event.start.day)
        // The last day is the day with the last moment.
        let last = times.resolver.time(
          times.resolver.instant(of: event.end).adding(seconds: -1), like: before.start)
        if reader("end") == nil { event.end = .date(max(event.start.day, last.day).adding(days: 1)) }
      case false where event.start.isDate:
        throw ItemPatchError("/all_day", "an event with a time needs a 'start' with a time")
      default: break
      }
      if let end = reader("end") {
        event.end = try times.time(end, zone: zone)
        guard event.end.isDate == event.start.isDate else {
          throw end.fail("start and end must both be days, or both be times")
        }
      } else if event.start != before.start, event.end == before.end {
        event.end = Self.end(of: before, movedTo: event.start, times.resolver)
      }
      if reader("end") != nil { event.end = Self.end(of: event, times.resolver) }
      guard times.resolver.instant(of: event.end) >= times.resolver.instant(of: event.start) else {
        throw ItemPatchError("/end", "the event would end before it starts")
      }
      item.event = event
    } else if var reminder = item.reminder {
      let before = reminder
      if let due = reader("due") {
        reminder.due = due.value.isNull ? nil : try times.time(due, zone: zone)
      } else if reader("time_zone") != nil {
        reminder.due = reminder.due.map { moved($0, to: zone) }
      }
      if let start = reader("start") {
        reminder.start = start.value.isNull ? nil : try times.time(start, zone: zone)
      }
      if let end = reader("end"), !end.value.isNull { throw end.fail("a reminder has no end; use 'due'") }
      if try reader("all_day")?.flag() == true { reminder.due = reminder.due.map { .date($0.day) } }
      guard !times.resolver.isReversed(reminder, since: before) else {
        throw ItemPatchError("/start", "the reminder would start after it is due")
      }
      item.reminder = reminder
    }
    if item.anchor != old { item.timeZone = item.anchor?.zone }
  }

  /// The same civil time in another zone.
  private func moved(_ time: CalendarTime, to zone: TimeZoneID?) -> CalendarTime {
    if time.isDate { return time }
    guard let zone else { return .floating(time.civil) }
    return zone == .utc ? .utc(time.civil) : .zoned(time.civil, zone)
  }

  /// The end of an event. If a clock change skips its start, it starts later and lasts as long as it says.
  private static func end(of event: EventDetails, _ resolver: TimeResolver) -> CalendarTime {
    let start = resolver.instant(of: event.start)
    let length = event.end.civil.secondsSinceEpoch - event.start.civil.secondsSinceEpoch
    guard !event.start.isDate, length > 0, event.start.zone == event.end.zone,
      resolver.time(start, like: event.start).civil != event.start.civil
    else { return event.end }
    return resolver.time(start.adding(seconds: Double(length)), like: event.end)
  }

  /// The end of an event with a new start and the same duration.
  private static func end(
    of old: EventDetails, movedTo start: CalendarTime, _ resolver: TimeResolver
  ) -> CalendarTime {
    switch (old.start.isDate, start.isDate) {
    case (true, true):
      return .date(start.day.adding(days: old.end.day.dayNumber - old.start.day.dayNumber))
    case (false, false):
      let length = resolver.instant(of: old.end).seconds(since: resolver.instant(of: old.start))
      return resolver.time(resolver.instant(of: start).adding(seconds: length), like: start)
    default: return end(after: start, resolver)
    }
  }

  // MARK: Rules and alarms

  private func applyRules(_ reader: PatchReader, to item: inout CalendarItem) throws(ItemPatchError) {
    var rules: [RecurrenceRule] = []
    for text in try reader.texts() {
      do throws(RecurrenceRuleError) { rules.append(try RecurrenceRule(text: text)) } catch {
        throw reader.fail("must be a rule of RFC 5545, not '\(text)': \(error)")
      }
    }
    guard rules != item.recurrence?.rules ?? [] else { return }
    var recurrence = item.recurrence ?? Recurrence()
    recurrence.rules = rules
    item.recurrence = rules.isEmpty ? nil : recurrence
  }

  private func applyConferences(_ reader: PatchReader, to item: inout CalendarItem) throws(ItemPatchError) {
    guard let list = reader.value.isNull ? [] : reader.value.list, list.count <= 20 else {
      throw reader.fail("must be a list of at most 20 conferences")
    }
    var wanted: [Conference] = []
    for (index, json) in list.enumerated() {
      guard let address = json["url"]?.text, Conference.isAddress(address) else {
        throw ItemPatchError(
          "/conferences/\(index)/url", "must be an address such as https://meet.example.org/room")
      }
      let label = json["label"]?.text
      let features = (json["features"]?.list ?? []).compactMap { $0.text?.uppercased() }
      let areKnown = features.allSatisfy { $0.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x2D } }
      guard areKnown, label?.utf8.count ?? 0 <= 1_000, label?.utf8.contains(where: { $0 < 0x20 }) != true
      else {
        throw ItemPatchError(
          "/conferences/\(index)", "has a label or a feature with characters that can't be kept")
      }
      wanted.append(Conference(address: address, label: label, features: features))
    }
    item.set(wanted)
  }

  private func applyAlarms(_ reader: PatchReader, to item: inout CalendarItem) throws(ItemPatchError) {
    guard let list = reader.value.isNull ? [] : reader.value.list else {
      throw reader.fail("must be a list of alarms, not \(reader.value.kind)")
    }
    guard list.count <= 100 else { throw reader.fail("an item has at most 100 alarms here") }
    let patch = AlarmPatch(
      times: times, anchorZone: item.anchor.map { $0.zone } ?? times.resolver.floating.id)
    var alarms: [Alarm] = []
    for (index, json) in list.enumerated() {
      do throws(ItemPatchError) { alarms.append(try patch.alarm(json, among: item.alarms)) } catch {
        throw error.below("/alarms/\(index)")
      }
    }
    guard Set(alarms.map(\.id)).count == alarms.count else {
      throw reader.fail("several alarms have the same 'id'")
    }
    item.replaceAlarms(with: alarms)
    // Without the mark, the list's default alarm would apply.
    if alarms.isEmpty, item.reminder?.due != nil { item.isMarkedSilent = true }
  }
}

extension Alarm {
  fileprivate var isRelative: Bool { if case .relative = trigger { true } else { false } }
}
