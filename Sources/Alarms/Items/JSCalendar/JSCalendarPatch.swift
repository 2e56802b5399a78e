public import FencepostCalendarModel
import FencepostICalendar
public import FencepostJSON
public import FencepostRecurrence

/// An object of JSCalendar (RFC 8984) as the new state of an item.
///
/// Only what the object says differently from ``JSCalendarWriter`` changes the item, so that what JSCalendar
/// has no form for stays. Properties without a field are kept, and so are the client's own words.
public struct JSCalendarPatch {
  /// The deepest nesting that is read.
  public static let maxDepth = 16
  /// The most bytes of a property that is kept.
  private static let maximumKept = 1 << 19

  let object: JSONValue
  let resolver: TimeResolver
  /// Whether alarms are read that can't go off: at a place without a coordinate, or relative to a time that the
  /// item does not have. A file has them if another one did, and must not lose its items for them.
  let allowsSilentAlarms: Bool

  /// The object in a JSON value.
  ///
  /// - Parameters:
  ///   - json: The value.
  ///   - resolver: The time zones.
  ///   - allowsSilentAlarms: Whether alarms are read that can't go off, as from a file.
  /// - Throws: ``ItemPatchError`` if it is neither an Event nor a Task.
  public init(
    _ json: JSONValue, resolver: TimeResolver, allowsSilentAlarms: Bool = false
  ) throws(ItemPatchError) {
    guard json.members != nil else { throw ItemPatchError("", "must be an object, not \(json.kind)") }
    guard let type = json["@type"]?.text, ["Event", "Task"].contains(type) else {
      throw ItemPatchError("/@type", "must be \"Event\" or \"Task\"")
    }
    self.init(object: json, resolver: resolver, allowsSilentAlarms: allowsSilentAlarms)
  }

  init(object: JSONValue, resolver: TimeResolver, allowsSilentAlarms: Bool) {
    self.object = object
    self.resolver = resolver
    self.allowsSilentAlarms = allowsSilentAlarms
  }

  /// Its UID; `nil` if it has none.
  public var uid: String? { object["uid"]?.text }

  /// Whether it is one occurrence of a series by itself.
  public var isOccurrence: Bool { object["recurrenceId"]?.isNull == false }

  /// Whether it is an event.
  public var isEvent: Bool { object["@type"]?.text == "Event" }

  /// A new item without a list, and its changed occurrences.
  ///
  /// - Throws: ``ItemPatchError``; also if there is no start of an event.
  public func newItem(at now: Instant) throws(ItemPatchError) -> (
    item: CalendarItem, occurrences: [CalendarItem]
  ) {
    let nothing = CalendarTime.floating(CivilDateTime(secondsSinceEpoch: 0))
    if isEvent, object["start"] == nil { throw ItemPatchError("/start", "an event needs a start") }
    var item = CalendarItem(
      calendar: Identifier(rawValue: ""), uid: uid, title: "",
      details: isEvent ? .event(EventDetails(start: nothing, end: nothing)) : .reminder(ReminderDetails()))
    let created = reader("created")
    item.created = created.value.isNull ? now : try created.instant()
    if isOccurrence { item.detachment = .init(occurrence: try occurrence()) }
    let changes = try apply(to: &item, occurrences: [], at: now)
    return (item, changes.saved)
  }

  /// Makes an item, and the changed occurrences of a series, what the object says.
  ///
  /// - Parameters:
  ///   - item: The item, or the master of a series.
  ///   - occurrences: Its changed occurrences.
  ///   - now: The current time.
  /// - Returns: The changed occurrences to save, and those to remove.
  /// - Throws: ``ItemPatchError``. Then `item` may be partly changed, so the caller must discard it.
  public func apply(
    to item: inout CalendarItem, occurrences: [CalendarItem], at now: Instant
  ) throws(ItemPatchError) -> (saved: [CalendarItem], removed: [CalendarItem]) {
    guard item.isEvent == isEvent else {
      throw ItemPatchError("/@type", "an event stays an event, and a task a task")
    }
    if let uid = try reader("uid").optionalText(), uid != item.uid {
      throw ItemPatchError("/uid", "can't change")
    }
    if item.detachment != nil {
      for name in ["recurrenceRules", "excludedRecurrenceRules", "recurrenceOverrides"]
      where object[name] != nil {
        throw ItemPatchError("/\(name)", "is only for a series")
      }
    }
    let before = JSCalendarWriter(resolver: resolver).object(item, occurrences: occurrences).value
    let series = item
    let isChanged = try change(&item, from: before, at: now)
    // In a file, an occurrence can have dates of its own, which stay.
    if item.detachment != nil { return ([], []) }
    if !isChanged, let old = before["recurrenceOverrides"],
      let new = object["recurrenceOverrides"],
      old.says(new)
    {
      return ([], [])
    }
    return try applyOverrides(to: &item, occurrences, was: (series, before), at: now)
  }

  /// Changes the item by the properties that differ, and keeps words.
  ///
  /// - Returns: Whether properties differ.
  @discardableResult
  func change(_ item: inout CalendarItem, from before: JSONValue, at now: Instant) throws(ItemPatchError)
    -> Bool
  {
    let old = item
    func byName(_ object: JSONValue) -> [String: JSONValue] {
      Dictionary((object.members ?? []).map { ($0.key, $0.value) }) { first, _ in first }
    }
    let (new, known) = (byName(object), byName(before))
    let changed = Set(new.keys).union(known.keys).subtracting(Self.decidedElsewhere).filter { name in
      guard let new = new[name], let known = known[name] else { return true }
      return !new.says(known)
    }
    try apply(changed, to: &item, at: now)
    if item.details != old.details || item.recurrence != old.recurrence { try check(item, since: old) }
    item.jsProperties = try kept(for: item)
    if item != old { item.lastModified = now }
    return !changed.isEmpty
  }

  /// Properties that no change of this item can set.
  private static let decidedElsewhere: Set<String> = [
    "@type", "uid", "created", "updated", "recurrenceId", "recurrenceIdTimeZone", "recurrenceOverrides",
  ]

  /// What can't be written from the item in the object's words.
  private func kept(for item: CalendarItem) throws(ItemPatchError) -> [JSProperty] {
    let own = JSCalendarWriter(resolver: resolver, usesKeptWords: false).properties(of: item).value
    // By name, because the order of an object's properties means nothing.
    var kept: [JSProperty] = []
    for member in (object.members ?? []).sorted(by: { $0.key < $1.key }) {
      guard !Self.decidedElsewhere.contains(member.key), !member.value.isNull else { continue }
      if let written = own[member.key], written.says(member.value) { continue }
      // Lines of files have no control characters.
      guard member.key.utf8.count <= 200, member.key.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
        throw ItemPatchError(
          "/\(JSONPointer.escaped(member.key))",
          "can't be kept: a name has at most 200 bytes and no control characters")
      }
      let property = JSProperty(name: member.key, json: member.value.json)
      guard Self.says(property, item, resolver) else { continue }
      guard property.json.utf8.count <= Self.maximumKept else {
        throw ItemPatchError(
          "/\(JSONPointer.escaped(member.key))", "can't be kept: it has more than \(Self.maximumKept) bytes")
      }
      kept.append(property)
    }
    return kept
  }

  /// Whether a kept property still says the same as an item.
  static func says(_ property: JSProperty, _ item: CalendarItem, _ resolver: TimeResolver) -> Bool {
    guard !decidedElsewhere.contains(property.name),
      let value = try? JSONValue(reading: Array(property.json.utf8), maxDepth: maxDepth)
    else { return false }
    guard known.contains(property.name) else { return true }
    // The other times decide what a time means.
    var object = JSCalendarWriter(resolver: resolver, usesKeptWords: false).properties(of: item).value
    object = object.setting([property.name], to: value) ?? object
    var before = item
    before.jsProperties = []
    var changed = before
    let patch = JSCalendarPatch(object: object, resolver: resolver, allowsSilentAlarms: true)
    do { try patch.apply([property.name], to: &changed, at: .epoch) } catch { return false }
    // Writing a line again moves it.
    before.preserved.properties.sort()
    changed.preserved.properties.sort()
    return changed == before
  }

  private func check(_ item: CalendarItem, since old: CalendarItem) throws(ItemPatchError) {
    if item.recurrence?.rules.isEmpty == false, item.anchor == nil {
      throw ItemPatchError("/recurrenceRules", "a task that repeats needs a due time")
    }
    if let event = item.event, resolver.instant(of: event.end) < resolver.instant(of: event.start) {
      throw ItemPatchError("/duration", "the event would end before it starts")
    }
    if let reminder = item.reminder, resolver.isReversed(reminder, since: old.reminder) {
      throw ItemPatchError("/start", "the task would start after it is due")
    }
  }
}

extension JSONLine {
  /// The object as a value.
  var value: JSONValue { JSONValue(line: 1, content: .object(members)) }
}
