internal import FencepostCalendarModel
internal import FencepostDatabase

/// The columns of `items` for a ``CalendarModel/CalendarItem``, in the order of binding and reading. Only
/// this list names them.
enum ItemColumns {
  private static let names = [
    "id", "calendar", "uid", "is_reminder", "title", "location", "notes", "url", "time_zone", "created_at",
    "last_modified_at", "sequence", "priority", "categories", "classification", "detached_occurrence",
    "detached_and_future", "parent_uid", "preserved_properties", "preserved_components", "start",
    "end_or_due", "availability", "status", "birthday_contact", "is_completed", "completed_at",
    "percent_complete", "is_cancelled", "is_in_process", "arrived_at", "parts",
  ]
  private static let derivedNames = [
    "is_silenced", "first_start_at", "last_end_at", "span", "due_about",
  ]

  /// Columns of items `i`, for ``RowReader/item()``.
  ///
  /// It includes the rule of an item with one rule and no exceptions: few items have more, and a separate
  /// query costs three times as much.
  static let list =
    "i.row, " + names.map { "i." + $0 }.joined(separator: ", ")
      + """
      , CASE WHEN i.parts & \(ItemParts.recurrenceRules.rawValue) THEN (
        SELECT CASE WHEN count(*) = 1 AND NOT r.is_exception THEN r.rule END
        FROM recurrence_rules r WHERE r.item = i.row) END
      """
  /// A query for visible items. Further conditions begin with `AND`.
  static let selection = "SELECT \(list) FROM items i WHERE \(BulkChange.excludes("i.row"))"

  /// A condition on a parameter of a query over items `i`: a list of calendars, or NULL for all.
  static func inCalendars(_ parameter: Int) -> String {
    """
     AND (?\(parameter) IS NULL OR i.calendar IN (
      SELECT c.row FROM json_each(?\(parameter)) JOIN calendars c ON c.id = value))
    """
  }

  static let insert = {
    let changes = (names + derivedNames).dropFirst().map { "\($0) = excluded.\($0)" }
    return SQL(
      insertion(names + derivedNames) + "UPDATE SET \(changes.joined(separator: ", ")) RETURNING row")
  }()

  /// Inserts an item, unless its identifier exists.
  static let add = SQL(insertion(names + derivedNames) + "NOTHING")

  /// The same with a row number as the first value.
  static let addInRow = SQL(insertion(["row"] + names + derivedNames) + "NOTHING")

  private static func insertion(_ names: [String]) -> String {
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO items (\(names.joined(separator: ", "))) VALUES (\(marks)) ON CONFLICT (id) DO "
  }
}

extension Binder {
  /// The identifiers to look for, as a JSON array for `json_each`; NULL for `nil`, which means any.
  mutating func add(_ calendars: [Identifier<ItemCalendar>]?) {
    guard let calendars else { return null() }
    add(StringList.stored(calendars.map(\.rawValue)) ?? "[]")
  }
}

/// The tables with more parts of an item, so that no query looks for missing parts.
struct ItemParts: OptionSet {
  var rawValue: Int
  static let alarms = ItemParts(rawValue: 1)
  static let place = ItemParts(rawValue: 2)
  /// The item has a recurrence set, maybe an empty one.
  static let recurrence = ItemParts(rawValue: 4)
  static let participants = ItemParts(rawValue: 8)
  static let recurrenceRules = ItemParts(rawValue: 16)
  static let recurrenceDates = ItemParts(rawValue: 32)

  init(rawValue: Int) { self.rawValue = rawValue }

  init(_ item: CalendarItem) {
    self = []
    if !item.alarms.isEmpty { insert(.alarms) }
    if item.structuredLocation != nil { insert(.place) }
    if let recurrence = item.recurrence {
      insert(.recurrence)
      if !recurrence.rules.isEmpty || !recurrence.exceptionRules.isEmpty { insert(.recurrenceRules) }
      if !recurrence.dates.isEmpty || !recurrence.exceptionDates.isEmpty { insert(.recurrenceDates) }
    }
    if item.organizer != nil || !item.attendees.isEmpty { insert(.participants) }
  }
}

/// The additional content of an item's row: where to find the item's other parts.
struct ItemShell {
  var row: Int64
  var calendar: Int64
  /// The parts that the item still lacks.
  var parts: ItemParts
}

extension Binder {
  /// The columns of ``ItemColumns``.
  mutating func add(_ item: CalendarItem, calendar: Int64, bounds: OccurrenceBounds) {
    add(item, calendar: calendar)
    add(item.isSilenced)
    add(bounds.first)
    add(bounds.last)
    add(bounds.span)
    add(item.reminder?.due?.about)
  }

  /// The columns for the item's own fields.
  mutating func add(_ item: CalendarItem, calendar: Int64) {
    add(item.id)
    add(calendar)
    add(item.uid)
    add(!item.isEvent)
    add(item.title)
    add(item.location)
    add(item.notes)
    add(item.url)
    add(item.timeZone)
    add(item.created)
    add(item.lastModified)
    add(item.sequence)
    add(item.priority)
    add(item.categories)
    add(item.classification.rawValue)
    add(item.detachment?.occurrence)
    add(item.detachment?.andFuture ?? false)
    add(item.parentUID)
    add(item.preserved)
    add(item.start)
    add(item.end)
    add(item.event?.availability.rawValue)
    add(item.event?.status.rawValue)
    add(item.event?.birthdayContact)
    add(item.reminder.map { $0.isCompleted ? 1 : 0 })
    add(item.reminder?.completed)
    add(item.reminder?.percentComplete)
    add(item.reminder.map { $0.isCancelled ? 1 : 0 })
    add(item.reminder.map { $0.isInProcess ? 1 : 0 })
    add(item.arrived)
    add(ItemParts(item).rawValue)
  }
}

extension RowReader {
  /// The columns of ``ItemColumns/list``. The result lacks its calendar's identifier and its parts.
  mutating func item() -> (CalendarItem, ItemShell) {
    var item = CalendarItem.blank
    let shell = read(into: &item)
    return (item, shell)
  }

  /// Reads the columns of ``ItemColumns/list`` into a blank item, in place: an item is large, and moving it
  /// takes as long as reading it.
  mutating func read(into item: inout CalendarItem) -> ItemShell {
    let row = int64()
    item.id = identifier()
    let calendar = int64()
    item.uid = text(orSame: item.id.rawValue)
    let isReminder = bool()
    item.title = text()
    item.location = optionalText()
    item.notes = optionalText()
    item.url = optionalText()
    item.timeZone = optionalZone()
    item.created = optionalInstant()
    item.lastModified = optionalInstant()
    item.sequence = int()
    item.priority = int()
    item.categories = list()
    item.classification = value(usually: .public, or: .private)
    let detached = optionalTime()
    let andFuture = bool()
    if let detached { item.detachment = CalendarItem.Detachment(occurrence: detached, andFuture: andFuture) }
    item.parentUID = optionalText()
    item.preserved = preserved()
    item.details = isReminder ? .reminder(reminderDetails()) : .event(eventDetails())
    item.arrived = optionalInstant()
    var parts = ItemParts(rawValue: int())
    if parts.contains(.recurrence) {
      var recurrence = Recurrence()
      if hasValue {
        recurrence.rules.append(rule())
        parts.remove(.recurrenceRules)
      } else {
        skip()
      }
      item.recurrence = recurrence
    } else {
      skip()
    }
    return ItemShell(row: row, calendar: calendar, parts: parts.subtracting(.recurrence))
  }

  private mutating func eventDetails() -> EventDetails {
    let event = EventDetails(
      start: time(), end: time(), availability: value(or: .busy), status: value(or: .none),
      birthdayContact: optionalText())
    skip(5)
    return event
  }

  private mutating func reminderDetails() -> ReminderDetails {
    var reminder = ReminderDetails(start: optionalTime(), due: optionalTime())
    skip(3)
    reminder.isCompleted = bool()
    reminder.completed = optionalInstant()
    reminder.percentComplete = optionalInt()
    reminder.isCancelled = bool()
    reminder.isInProcess = bool()
    return reminder
  }
}

extension CalendarItem {
  /// An item without content.
  static let blank = CalendarItem(
    id: Identifier(rawValue: ""), calendar: Identifier(rawValue: ""), title: "",
    details: .reminder(ReminderDetails()))
}
