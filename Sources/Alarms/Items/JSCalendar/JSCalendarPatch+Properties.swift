import FencepostAlgorithms
import FencepostCalendarModel
import FencepostICalendar
import FencepostJSON
import FencepostRecurrence

extension JSCalendarPatch {
  /// Properties that have a field in the model.
  static let known: Set<String> = [
    "title", "description", "sequence", "start", "due", "timeZone", "showWithoutTime", "duration",
    "fencepost:travelTime", "status", "freeBusyStatus", "progress", "progressUpdated", "percentComplete",
    "priority",
    "privacy", "keywords", "relatedTo", "locations", "virtualLocations", "links", "replyTo", "participants",
    "alerts",
    "recurrenceRules", "excludedRecurrenceRules",
  ]

  func reader(_ name: String) -> PatchReader {
    PatchReader(object[name], key: name)
  }

  /// Applies properties. Those that the object lacks get their default.
  func apply(_ names: Set<String>, to item: inout CalendarItem, at now: Instant) throws(ItemPatchError) {
    if !names.isDisjoint(with: ["start", "due", "timeZone", "showWithoutTime", "duration"]) {
      try applyTimes(names, to: &item)
    }
    for name in names.intersection(Self.known).sorted() { try apply(reader(name), to: &item, at: now) }
  }

  private func apply(_ reader: PatchReader, to item: inout CalendarItem, at now: Instant)
    throws(ItemPatchError)
  {
    let isNull = reader.value.isNull
    switch reader.key {
    case "title":
      item.title = try reader.plainText(maximumBytes: 10_000) ?? ""
    case "description": item.notes = try reader.plainText(maximumBytes: 1 << 20)
    case "sequence": item.sequence = isNull ? 0 : try reader.integer(in: 0...Int(Int32.max))
    case "fencepost:travelTime":
      guard item.isEvent else { throw reader.fail("is only for events") }
      item.travelTime = isNull ? nil : try reader.duration().nominalSeconds
    case "status":
      guard item.isEvent else { break }
      item.event?.status =
        try reader.knownWord([
          "confirmed": EventDetails.Status.confirmed, "tentative": .tentative, "cancelled": .cancelled,
        ]) ?? .none
    case "freeBusyStatus":
      guard item.isEvent else { break }
      item.event?.availability = try reader.knownWord(["free": EventDetails.Availability.free]) ?? .busy
    case "progress", "progressUpdated", "percentComplete": try applyProgress(to: &item, at: now)
    case "priority": item.priority = isNull ? 0 : try reader.integer(in: 0...9)
    case "privacy":
      item.classification =
        isNull
        ? .public
        : try reader.knownWord(["public": CalendarItem.Classification.public, "secret": .confidential])
          ?? .private
    case "keywords":
      let words = try reader.set()
      item.categories =
        item.categories.filter(words.contains) + words.filter { !item.categories.contains($0) }
    case "relatedTo":
      let parents = try reader.map(most: 1_000).filter { $0.value["relation"]?["parent"]?.flag == true }.map(
        \.key)
      item.parentUID = item.parentUID.flatMap { parents.contains($0) ? $0 : nil } ?? parents.first
      guard item.parentUID != item.uid else { throw reader.fail("can't be the object itself") }
    case "links":
      let links = try reader.map(most: 1_000)
      let link = links.first { $0.key == "url" } ?? links.first { $0.value["rel"] == nil }
      item.url = try link.map { (member) throws(ItemPatchError) in
        try PatchReader(
          value: member.value["href"] ?? member.value, key: "links/\(JSONPointer.escaped(member.key))/href"
        )
        .plainText(maximumBytes: 10_000) ?? ""
      }
    case "locations": try applyLocations(reader, to: &item)
    case "virtualLocations": try applyVirtualLocations(reader, to: &item)
    // The organizer is a participant with its role and address.
    case "replyTo", "participants": try applyParticipants(to: &item)
    case "alerts": try applyAlerts(reader, to: &item)
    case "recurrenceRules", "excludedRecurrenceRules": try applyRules(reader, to: &item)
    default: break
    }
  }

  // MARK: Times

  /// The time that `recurrenceId` says.
  func occurrence() throws(ItemPatchError) -> CalendarTime {
    try clock(inZone: "recurrenceIdTimeZone").time(reader("recurrenceId"))
  }

  /// The clock of the object's local times.
  func clock(inZone name: String = "timeZone") throws(ItemPatchError) -> JSCalendarClock {
    let reader = reader(name)
    var zone: TimeZoneID?
    if let name = try reader.optionalText() {
      zone = JSCalendarClock.zone(named: name)
      if zone == nil { throw reader.fail("must be a time zone such as \"Europe/Berlin\"") }
    }
    let withoutTime = self.reader("showWithoutTime")
    return JSCalendarClock(
      zone: zone, isDate: withoutTime.value.isNull ? false : try withoutTime.flag(), resolver: resolver)
  }

  private func applyTimes(_ names: Set<String>, to item: inout CalendarItem) throws(ItemPatchError) {
    let clock = try clock()
    if item.isEvent {
      let start = try clock.time(reader("start"))
      let length = reader("duration")
      let duration =
        length.value.isNull ? CalendarDuration(days: clock.isDate ? 1 : 0) : try length.duration()
      guard duration.nominalSeconds >= 0 else { throw length.fail("can't be negative") }
      // An end in another zone stays if it means the same.
      if let event = item.event, event.start == start,
        JSCalendarDuration.between(start, event.end, resolver) == duration
      {
        return
      }
      item.event?.start = start
      item.event?.end = start.advanced(
        by: clock.isDate ? CalendarDuration(days: max(1, duration.nominalSeconds / 86_400)) : duration)
    } else {
      let (start, due) = (reader("start"), reader("due"))
      item.reminder?.start = start.value.isNull ? nil : try clock.time(start)
      item.reminder?.due = due.value.isNull ? nil : try clock.time(due)
    }
    item.timeZone = item.anchor?.zone
  }

  private func applyProgress(to item: inout CalendarItem, at now: Instant) throws(ItemPatchError) {
    guard var reminder = item.reminder else { return }
    let updated = reader("progressUpdated")
    let moment = updated.value.isNull ? nil : try updated.instant()
    let progress = reader("progress")
    let word = try progress.knownWord([
      "in-process": "in-process", "completed": "completed", "failed": "cancelled", "cancelled": "cancelled",
    ])
    let wasCompleted = reminder.isCompleted
    reminder.isCompleted = word == "completed"
    reminder.isCancelled = word == "cancelled"
    reminder.isInProcess = word == "in-process"
    reminder.completed = moment ?? (reminder.isCompleted && !wasCompleted ? now : nil)
    let percent = reader("percentComplete")
    reminder.percentComplete = percent.value.isNull ? nil : try percent.integer(in: 0...100)
    item.reminder = reminder
  }
}

extension PatchReader {
  /// A text without NUL, or `nil`.
  func plainText(maximumBytes: Int) throws(ItemPatchError) -> String? {
    guard let text = try optionalText() else { return nil }
    guard !text.utf8.contains(0) else { throw fail("can't contain NUL") }
    guard text.utf8.count <= maximumBytes else { throw fail("has at most \(maximumBytes) bytes") }
    return text
  }

  /// One of the given words; `nil` for `null` and for words of others, which must be kept.
  func knownWord<Value>(_ words: KeyValuePairs<String, Value>) throws(ItemPatchError) -> Value? {
    try optionalText().flatMap { text in words.first { $0.key == text }?.value }
  }

  func duration() throws(ItemPatchError) -> CalendarDuration {
    guard let text = value.text, let read = CalendarDuration(text: Self.withoutFraction(text)) else {
      throw fail("must be a duration such as \"PT1H30M\"")
    }
    return read
  }

  /// A duration in whole seconds: `PT1.5S` is `PT1S`.
  private static func withoutFraction(_ text: String) -> String {
    guard let point = text.firstIndex(of: "."), text.hasSuffix("S") else { return text }
    let digits = text[point...].dropFirst().dropLast()
    return !digits.isEmpty && digits.utf8.allSatisfy(ASCII.isDigit) ? text[..<point] + "S" : text
  }

  func instant() throws(ItemPatchError) -> Instant {
    guard let text = value.text, JSCalendarText.isUTC(text), let instant = Instant(rfc3339: text) else {
      throw fail("must be a time in UTC such as \"2026-05-01T07:00:00Z\"")
    }
    return instant
  }

  /// The members of a map of objects.
  func map(most: Int) throws(ItemPatchError) -> [JSONMember] {
    if value.isNull { return [] }
    guard let members = value.members, members.allSatisfy({ $0.value.members != nil }) else {
      throw fail("must be an object of objects")
    }
    guard members.count <= most else { throw fail("has at most \(most) members") }
    return members
  }

  /// The members of a set: an object whose values are all `true`.
  func set() throws(ItemPatchError) -> [String] {
    if value.isNull { return [] }
    guard let members = value.members, members.allSatisfy({ $0.value.flag == true }) else {
      throw fail("must be an object whose values are true")
    }
    guard members.count <= 1_000 else { throw fail("has at most 1,000 members") }
    return members.map(\.key)
  }
}
