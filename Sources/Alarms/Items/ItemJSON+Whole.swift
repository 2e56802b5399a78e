import FencepostAlarmEngine
public import FencepostCalendarModel
public import FencepostJSON
import FencepostPhrases
import FencepostRecurrence

extension ItemJSON {
  /// An item with all properties that can be changed, as ``ItemPatch`` reads it.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - list: Its list.
  public func wholeObject(_ item: CalendarItem, in list: ItemCalendar?) -> JSONLine {
    var line = ownObject(item)
    add(list, to: &line)
    addImpliedAlarm(of: item, to: &line)
    return line
  }

  /// An item with all properties of its own, without those of its list.
  public func ownObject(_ item: CalendarItem) -> JSONLine {
    var line = object(item, list: nil, isWhole: true)
    line.add("list_id", item.calendar.rawValue)
    line.add("time_zone", (item.anchor?.isDate == true ? item.timeZone : item.anchor?.zone)?.rawValue)
    if let rules = item.recurrence?.rules, !rules.isEmpty {
      line.add("repeat_text", rules.map { RepeatPhrase.text($0, date: { text($0) }) })
    }
    if let event = item.event { line.add("availability", event.availability.word) }
    if item.reminder != nil { line.add("cancelled", item.isCancelledReminder) }
    if let organizer = item.organizer { line.add("organizer", organizer.json) }
    if !item.attendees.isEmpty { line.add("attendees", item.attendees.map(\.json)) }
    return line
  }

  /// Adds the properties of an item's list.
  public func add(_ list: ItemCalendar?, to line: inout JSONLine) {
    line.add("list", list?.title ?? "")
    line.add("color", list?.color?.hexadecimal)
    line.add("writable", list?.allowsContentModifications ?? false)
  }

}

extension Participant {
  /// `{"name":…,"address":…,"status":…,"role":…}`.
  var json: JSONLine {
    var line = JSONLine()
    line.add("name", name)
    line.add("address", url)
    line.add("status", "\(status)")
    line.add("role", "\(role)")
    return line
  }
}

extension CalendarItem {
  fileprivate var isCancelledReminder: Bool { reminder?.isCancelled ?? false }
}

extension EventDetails.Availability {
  fileprivate var word: String {
    switch self {
    case .notSupported: "unsupported"
    case .busy: "busy"
    case .free: "free"
    case .tentative: "tentative"
    case .unavailable: "unavailable"
    }
  }
}
