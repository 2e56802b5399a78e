public import FencepostCalendarModel
import FencepostICalendar
public import FencepostJSON
public import FencepostRecurrence

/// Writes items as objects of JSCalendar (RFC 8984): an event as Event, a reminder as Task.
///
/// Names of our own begin with `fencepost:`. What a client stored comes back in its own words for as long as
/// the item still says the same.
public struct JSCalendarWriter: Sendable {
  let resolver: TimeResolver
  /// Whether to use the words of the client that stored an item.
  private let usesKeptWords: Bool

  /// A writer.
  public init(resolver: TimeResolver) { self.init(resolver: resolver, usesKeptWords: true) }

  init(resolver: TimeResolver, usesKeptWords: Bool) {
    self.resolver = resolver
    self.usesKeptWords = usesKeptWords
  }

  /// An item as an object.
  ///
  /// - Parameters:
  ///   - item: The item: a single one, a series, or a changed occurrence by itself.
  ///   - occurrences: The changed occurrences of a series.
  public func object(_ item: CalendarItem, occurrences: [CalendarItem] = []) -> JSONLine {
    var line = properties(of: item)
    let overrides = overrides(of: item, occurrences)
    if !overrides.isEmpty { line.add("recurrenceOverrides", overrides) }
    return line
  }

  /// Several items as a Group.
  ///
  /// - Parameters:
  ///   - series: Each item with its changed occurrences.
  ///   - uid: Identifies the group.
  ///   - title: What it is called.
  public func group(
    _ series: [(item: CalendarItem, occurrences: [CalendarItem])], uid: String, title: String? = nil
  )
    -> JSONLine
  {
    var line = JSONLine()
    line.add("@type", "Group")
    line.add("uid", uid)
    let updated = series.flatMap { [$0.item] + $0.occurrences }.compactMap(\.revised).max()
    line.add("updated", (updated ?? .epoch).jsCalendarText)
    if let title { line.add("title", title) }
    line.add("entries", series.map { object($0.item, occurrences: $0.occurrences) })
    return line
  }

  /// All properties but those that other items decide about.
  func properties(of item: CalendarItem) -> JSONLine {
    var names: Set<String> = []
    // A file may have a property twice, an object may not.
    let kept = usesKeptWords ? item.jsProperties.filter { names.insert($0.name).inserted } : []
    guard !kept.isEmpty else { return ownProperties(of: item) }
    var line = JSONLine()
    var left = kept.filter { JSCalendarPatch.says($0, item, resolver) }
    for member in ownProperties(of: item).members {
      if let index = left.firstIndex(where: { $0.name == member.key }) {
        line.add(member.key, json: left.remove(at: index).json)
      } else if member.key == "alerts", let old = kept.first(where: { $0.name == "alerts" }) {
        line.add(member.key, json: Self.alerts(member.value, keeping: old).json)
      } else {
        line.add(member.key, json: member.value.json)
      }
    }
    for property in left { line.add(property.name, json: property.json) }
    return line
  }

  private func ownProperties(of item: CalendarItem) -> JSONLine {
    let clock = JSCalendarClock(of: item, resolver: resolver)
    var line = JSONLine()
    line.add("@type", item.isEvent ? "Event" : "Task")
    line.add("uid", item.uid)
    if let detachment = item.detachment {
      line.add("recurrenceId", clock.text(detachment.occurrence))
      if let zone = clock.zone { line.add("recurrenceIdTimeZone", zone) }
    }
    if let created = item.created { line.add("created", created.jsCalendarText) }
    line.add("updated", (item.revised ?? .epoch).jsCalendarText)
    if item.sequence != 0 { line.add("sequence", item.sequence) }
    line.add("title", item.title)
    if let notes = item.notes { line.add("description", notes) }
    addTimes(of: item, clock, to: &line)
    addState(of: item, to: &line)
    addPlaces(of: item, to: &line)
    addPeople(of: item, to: &line)
    if !item.alarms.isEmpty { line.add("alerts", alerts(of: item)) }
    // Not of one occurrence (RFC 8984, section 4.3.1).
    if let recurrence = item.recurrence, item.detachment == nil {
      if !recurrence.rules.isEmpty {
        line.add("recurrenceRules", recurrence.rules.map { rule($0, clock) })
      }
      if !recurrence.exceptionRules.isEmpty {
        line.add("excludedRecurrenceRules", recurrence.exceptionRules.map { rule($0, clock) })
      }
    }
    return line
  }

  private func addTimes(of item: CalendarItem, _ clock: JSCalendarClock, to line: inout JSONLine) {
    if let start = item.start { line.add("start", clock.text(start)) }
    if let due = item.reminder?.due { line.add("due", clock.text(due)) }
    if let zone = clock.zone { line.add("timeZone", zone) }
    if item.anchor != nil, clock.isDate { line.add("showWithoutTime", true) }
    if let event = item.event {
      line.add("duration", JSCalendarDuration.between(event.start, event.end, resolver).text)
    }
    if let seconds = item.travelTime {
      line.add("fencepost:travelTime", CalendarDuration(seconds: seconds).text)
    }
  }

  private func addState(of item: CalendarItem, to line: inout JSONLine) {
    switch item.event?.status {
    case .confirmed: line.add("status", "confirmed")
    case .tentative: line.add("status", "tentative")
    case .cancelled: line.add("status", "cancelled")
    case .some(.none), nil: break
    }
    if item.event?.availability == .free { line.add("freeBusyStatus", "free") }
    if let reminder = item.reminder {
      line.add("progress", reminder.progress)
      if let completed = reminder.completed { line.add("progressUpdated", completed.jsCalendarText) }
      if let percent = reminder.percentComplete { line.add("percentComplete", percent) }
    }
    if item.priority != 0 { line.add("priority", item.priority) }
    switch item.classification {
    case .public: break
    case .private: line.add("privacy", "private")
    case .confidential: line.add("privacy", "secret")
    }
    if !item.categories.isEmpty { line.add("keywords", JSONLine(set: item.categories)) }
    if let parent = item.parentUID {
      var relation = JSONLine()
      relation.add("@type", "Relation")
      relation.add("relation", JSONLine(set: ["parent"]))
      line.add("relatedTo", JSONLine(key: parent, relation))
    }
  }
}

extension ReminderDetails {
  /// The progress of RFC 8984 (section 5.2.5).
  var progress: String {
    isCompleted ? "completed" : isCancelled ? "cancelled" : isInProcess ? "in-process" : "needs-action"
  }
}

extension JSONLine {
  /// An object with one member.
  init(key: String, _ value: JSONLine) {
    self.init()
    add(key, value)
  }

  /// A set of JSCalendar: an object whose values are all `true`.
  init(set: [String]) {
    self.init()
    var seen: Set<String> = []
    for key in set where seen.insert(key).inserted { add(key, true) }
  }

  /// The members, in order.
  var members: [JSONMember] {
    (try? JSONValue(reading: Array(line.utf8), maxDepth: 2 * JSCalendarPatch.maxDepth))?.members ?? []
  }
}
