import FencepostCalendarModel
import FencepostGeodesy
import FencepostRecurrence

/// Writes an item as VEVENT or VTODO.
struct ItemEncoder {
  private let item: CalendarItem
  private var list: PropertyList
  /// The kept lines whose alarm the item no longer has.
  private let outdated: Set<String>
  /// The end that follows from the file's DURATION.
  private let keptDurationEnd: CalendarTime?

  /// The file's DTEND in another form than DTSTART, if the event still has the end that was read from it.
  private let convertedEnd: String?

  /// Writes `item` to `writer`.
  static func write(_ item: CalendarItem, to writer: inout LineWriter) {
    var encoder = ItemEncoder(item)
    encoder.write(to: &writer)
  }

  private init(_ item: CalendarItem) {
    self.item = item
    convertedEnd = item.event.flatMap { ConvertedEnd.line(of: $0, in: item.preserved.properties) }
    list = PropertyList(keeping: item.preserved.properties.filter { !ConvertedEnd.isKept($0) })
    outdated = PropertyAlarms(item)?.outdatedLines() ?? []
    keptDurationEnd = list.kept(.duration).first.flatMap { line in
      CalendarDuration(text: line.word).flatMap { item.start?.advanced(by: $0) }
    }
  }

  private mutating func write(to writer: inout LineWriter) {
    addTexts()
    addTimes()
    addRecurrence()
    addState()
    addPeople()
    addPlace()
    let name = item.isEvent ? "VEVENT" : "VTODO"
    writer.line("BEGIN:\(name)")
    list.write(to: &writer, keepingIf: isCurrent)
    item.preserved.components.forEach { writer.lines($0) }
    AlarmEncoder.write(alarmsOf: item, to: &writer)
    writer.line("END:\(name)")
  }

  private mutating func addTexts() {
    list.add(.uid, text: item.uid)
    if list.kept(.dtstamp).isEmpty { list.add(.dtstamp, instant: Identity.stamp(of: item)) }
    list.add(.created, instant: item.created)
    list.add(.lastModified, instant: item.lastModified)
    list.add(.summary, text: item.title)
    list.add(.location, text: item.location)
    list.add(.description, text: item.notes)
    if let url = item.url, !url.isEmpty { list.add(.url, url) }
    if !item.categories.isEmpty { list.add(.categories, TextValue.encodeList(item.categories)) }
    // An unknown class reads as private. Write it unchanged.
    let hasOwnClass =
      item.classification == .private && !list.kept(.classification).isEmpty
      && list.kept(.classification).allSatisfy {
        CalendarItem.Classification(rawValue: $0.value.uppercased()) == nil
      }
    if item.classification != .public && !hasOwnClass {
      list.add(.classification, item.classification.rawValue)
    }
    list.add(.birthdayContact, text: item.event?.birthdayContact)
  }

  private mutating func addTimes() {
    if let detachment = item.detachment {
      let range = detachment.andFuture ? ["RANGE=THISANDFUTURE"] : []
      list.add(.recurrenceID, time: detachment.occurrence, parameters: range)
    }
    list.add(.dtstart, time: item.start)
    if let event = item.event {
      // An event that ends at its start has no DTEND, because RFC 5545 requires a later one. But a kept
      // invalid DTEND must not replace it.
      let isImplied =
        item.preserved.properties.contains(Sentinel.noEnd)
        && event.end == event.start.advanced(by: CalendarDuration(days: 1))
      if let convertedEnd {
        list.add(line: convertedEnd)
      } else if !isImplied && keptDurationEnd != event.end
        && (event.end != event.start || !list.kept(.dtend).isEmpty)
      {
        list.add(.dtend, time: event.end)
      }
    } else if let reminder = item.reminder {
      if keptDurationEnd == nil || keptDurationEnd != reminder.due { list.add(.due, time: reminder.due) }
      list.add(.completed, instant: reminder.completed)
    }
    if item.timeZone != item.anchor?.zone {
      list.add(.timeZone, TextValue.encode(item.timeZone?.rawValue ?? ""))
    }
  }

  private mutating func addRecurrence() {
    guard let recurrence = item.recurrence else { return }
    for rule in recurrence.rules { list.add(.rrule, rule.text) }
    for rule in recurrence.exceptionRules { list.add(.exrule, rule.text) }
    addTimes(.rdate, recurrence.dates)
    addTimes(.exdate, recurrence.exceptionDates.map { .init(start: $0) })
  }

  private mutating func addTimes(_ name: PropertyName, _ times: [Recurrence.AdditionalOccurrence]) {
    for line in PropertyList.lines(of: times) { list.add(name, line.value, parameters: line.parameters) }
  }

  private mutating func addState() {
    if item.sequence != 0 { list.add(.sequence, String(item.sequence)) }
    if item.priority != 0 { list.add(.priority, String(item.priority)) }
    if let reminder = item.reminder {
      if let percent = reminder.percentComplete { list.add(.percentComplete, String(percent)) }
      if reminder.isCompleted {
        list.add(.status, "COMPLETED")
      } else if reminder.isCancelled {
        list.add(.status, "CANCELLED")
      } else if reminder.isInProcess {
        list.add(.status, "IN-PROCESS")
      } else if reminder.completed != nil && !keepsInvalidStatus {
        // Without a status, the completion date alone would mean completed.
        list.add(.status, "NEEDS-ACTION")
      }
    }
    switch item.event?.status {
    case .confirmed: list.add(.status, "CONFIRMED")
    case .tentative: list.add(.status, "TENTATIVE")
    case .cancelled: list.add(.status, "CANCELLED")
    case .some(.none), nil: break
    }
    switch item.event?.availability {
    case .free: list.add(.transparency, "TRANSPARENT")
    case .tentative: list.add(.busyStatus, "TENTATIVE")
    case .unavailable: list.add(.busyStatus, "OOF")
    case .notSupported: list.add(.availability, "NOT-SUPPORTED")
    case .busy, nil: break
    }
  }

  /// True if a reminder's kept STATUS is invalid, which means the same as NEEDS-ACTION.
  private var keepsInvalidStatus: Bool {
    list.kept(.status).contains {
      !["COMPLETED", "CANCELLED", "IN-PROCESS", "NEEDS-ACTION"].contains($0.word.uppercased())
    }
  }

  private mutating func addPeople() {
    if let organizer = item.organizer { add(.organizer, organizer) }
    for attendee in item.attendees { add(.attendee, attendee) }
    list.add(.relatedTo, text: item.parentUID)
  }

  private mutating func add(_ name: PropertyName, _ participant: Participant) {
    let own = ParticipantText.parameters(participant)
    let taken = Set(own.map { $0.prefix { $0 != "=" } })
    let parameters = own + participant.preservedParameters.filter { !taken.contains($0.prefix { $0 != "=" }) }
    list.add(name, participant.url, parameters: parameters)
  }

  /// Adds the outline, and the place unless kept content has the same one.
  private mutating func addPlace() {
    guard let place = item.structuredLocation else { return }
    if !place.outline.isEmpty { list.add(.outline, TextValue.encode(Outline.text(place.outline))) }
    var kept = PlaceProperties()
    kept.geo = list.kept(.geo).lazy.compactMap { GeoValue.readGEO($0.value) }.first
    kept.draft = list.kept(.structuredLocation).first.map(AppleLocation.read)
    kept.outline = place.outline
    let components = item.preserved.components.lazy.filter { $0.hasPrefix("BEGIN:VLOCATION") }
      .compactMap { LocationComponent(text: $0)?.place }
    let known = kept.resolve(component: { components.first }, title: item.location)
    if known != place { list.add(line: AppleLocation.line(place)) }
  }

  /// False for an outdated kept line.
  private func isCurrent(_ line: ContentLine) -> Bool {
    switch line.property {
    case .transparency, .busyStatus:
      return item.event.map { Availability.agrees(line, with: $0.availability) } ?? true
    case .duration where !line.valueRange.isEmpty:
      guard let end = keptDurationEnd else { return true }
      return end == item.event?.end || end == item.reminder?.due
    case .geo:
      // A rounding difference is the same place.
      guard let geo = GeoValue.readGEO(line.value) else { return true }
      guard let place = item.structuredLocation?.coordinate else { return false }
      return abs(geo.latitude - place.latitude) < 0.001 && abs(geo.longitude - place.longitude) < 0.001
    case .dtend: return line.text != Sentinel.noEnd
    default: return !outdated.contains(line.text)
    }
  }
}
