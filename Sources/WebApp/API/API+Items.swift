import Algorithms
import AlarmEngine
import CalendarModel
import CalendarStore
import Clients
import Items
import JSON
import Phrases
import Recurrence
import WebServer

extension WebApp {
  static let itemRoutes: [Route] = [
    Route(
      "GET", "/items", .read, query: ["list", "text", "completed", "kind", "tag", "limit", "offset"],
      "Items: open reminders, unless the query says otherwise; as a Group if JSCalendar is preferred",
      run: { try $0.items($1) }),
    Route(
      "POST", "/items", .write, pages: .also, query: ["list"],
      "Add an item, or a reminder from a line of text; of JSCalendar, to 'list'",
      run: { try $0.addItem($1) }),
    Route(
      "GET", "/items/{id}", .read, pages: .also,
      "An item; with 'Accept: application/jscalendar+json' as JSCalendar", run: { try $0.item($1) }),
    Route(
      "PATCH", "/items/{id}", .write, pages: .also, query: ["span", "occurrence"],
      "Change an item; of a series this one, this and later ones, or all", run: { try $0.changeItem($1) }),
    Route(
      "DELETE", "/items/{id}", .write, pages: .also, query: ["span", "occurrence"],
      "Remove an item; of a series this one, this and later ones, or all", run: { try $0.removeItem($1) }),
    Route("POST", "/items/{id}/complete", .write, "Complete a reminder; one that repeats moves on") {
      try $0.complete($1, isDone: true)
    },
    Route("POST", "/items/{id}/reopen", .write, "Open a completed reminder again") {
      try $0.complete($1, isDone: false)
    },
    Route(
      "GET", "/read", .read, query: ["text"], "What a line of text would become", run: { try $0.readLine($1) }
    ),
    Route(
      "GET", "/agenda", .read, query: ["from", "to", "list", "limit"],
      "What there is on some days; of each day at most 'limit' entries, and how many there are",
      run: { try $0.agenda($1) }),
  ]

  // MARK: Reading

  /// The lists of a store that the caller may see, by identifier.
  func lists(
    _ principal: Principal, in reader: borrowing StoreReader
  ) throws -> [Identifier<ItemCalendar>: ItemCalendar] {
    let right = try page(principal)?.right
    let all = try reader.calendars().filter {
      right?.shows($0) ?? principal.lists?.contains($0.id.rawValue) ?? true
    }
    return Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// An item that the caller may see, with its list.
  func found(
    _ call: Route.Call, in reader: borrowing StoreReader
  ) throws -> (item: CalendarItem, list: ItemCalendar) {
    let id = Identifier<CalendarItem>(rawValue: call["id"])
    guard let item = try reader.item(id), let list = try lists(call.principal, in: reader)[item.calendar],
      try page(call.principal)?.right.mayRead(item) ?? true
    else {
      throw APIError.notFound("no item '\(call["id"])'")
    }
    return (item, list)
  }

  /// Identifies this version of an item. What belongs to its list does not count.
  func entityTag(_ item: CalendarItem) -> String { entityTag(of: lines.ownObject(item)) }

  private func entityTag(of own: JSONLine) -> String { "\"\(StableHash(of: own.line).text)\"" }

  func object(_ item: CalendarItem, in list: ItemCalendar?) -> JSONLine {
    var line = lines.ownObject(item)
    let tag = entityTag(of: line)
    lines.add(list, to: &line)
    line.add("etag", tag)
    return line
  }

  func response(_ item: CalendarItem, in list: ItemCalendar?, status: UInt32 = 200) -> HTTPResponse {
    HTTPResponse.json(object(item, in: list).line, status: status).with(["ETag": entityTag(item)])
  }

  /// Identifies this version of an item with the number of its subtasks.
  private func entityTag(_ item: CalendarItem, subtasks: Int) -> String {
    subtasks == 0 ? entityTag(item) : "\(entityTag(item).dropLast())-\(subtasks)\""
  }

  /// Whether If-Match names this version of an item, in any form that an answer can have.
  func isCurrent(_ item: CalendarItem, for call: Route.Call, in reader: borrowing StoreReader) throws -> Bool
  {
    if call.names(entityTag(item), in: "if-match") { return true }
    let subtasks = try reader.items(parentUID: item.uid).count
    return try call.names(entityTag(item, subtasks: subtasks), in: "if-match")
      || call.names(try jsCalendarTag(item, in: reader), in: "if-match")
  }

  private func item(_ call: Route.Call) throws -> HTTPResponse {
    try store.read { reader in
      let (item, list) = try found(call, in: reader)
      if try prefersJSCalendar(call, item.isEvent ? "event" : "task") {
        return try jsCalendarResponse(call, item, in: reader)
      }
      let subtasks = try reader.items(parentUID: item.uid).count
      let tag = entityTag(item, subtasks: subtasks)
      // RFC 9110, section 13.1.2.
      if call.names(tag, in: "if-none-match") {
        return HTTPResponse(status: 304).with(["ETag": tag, "Vary": "Accept"])
      }
      var line = object(item, in: list)
      line.add("subtasks", subtasks)
      return HTTPResponse.json(line.line).with(["ETag": tag, "Vary": "Accept"])
    }
  }

  private func items(_ call: Route.Call) throws -> HTTPResponse {
    let limit = try call.integer("limit", in: 0...10_000, otherwise: 500)
    let offset = try call.integer("offset", in: 0...10_000_000, otherwise: 0)
    let completed = call.field("completed") ?? "0"
    guard ["0", "1", "all"].contains(completed) else {
      throw APIError.invalid("'completed' must be 0, 1 or all")
    }
    let kind = call.field("kind") ?? "reminder"
    guard ["reminder", "event", "all"].contains(kind) else {
      throw APIError.invalid("'kind' must be reminder, event or all")
    }
    let tags = call.fields("tag").map { $0.lowercased() }
    return try store.read { reader in
      let lists = try lists(call.principal, in: reader)
      let wanted = call.fields("list")
      let ids = lists.keys.filter { wanted.isEmpty || wanted.contains($0.rawValue) }
      var found: [CalendarItem]
      if let text = call.field("text"), text.contains(where: { !$0.isWhitespace }) {
        found = try reader.items(matching: text, limit: 100_000)
      } else if kind != "reminder" {
        found = []
        for id in ids { found += try reader.items(in: id) }
      } else {
        found = []
        if completed != "1" { found += try reader.incompleteReminders(calendars: ids) }
        if completed != "0" { found += try reader.completedReminders(calendars: ids) }
      }
      let known = Set(ids)
      found = found.filter { item in
        guard known.contains(item.calendar), kind == "all" || (kind == "event") == item.isEvent else {
          return false
        }
        if item.reminder != nil, completed != "all", item.isSilenced != (completed == "1") { return false }
        let own = item.categories.map { $0.lowercased() }
        return tags.allSatisfy(own.contains)
      }
      if try prefersJSCalendar(call, "group") {
        return try jsCalendarGroup(found, offset: offset, limit: limit, in: reader)
      }
      var line = JSONLine()
      line.add("items", found.dropFirst(offset).prefix(limit).map { object($0, in: lists[$0.calendar]) })
      line.add("total", found.count)
      return HTTPResponse.json(line.line).with(["Vary": "Accept"])
    }
  }

  /// The most overdue reminders in an agenda. The list of open reminders has all.
  private static let mostOverdue = 100

  private func agenda(_ call: Route.Call) throws -> HTTPResponse {
    let dates = dates()
    func day(_ name: String) throws -> CivilDay? { try call.field(name).map { try dates.day($0) } }
    let today = resolver.floating.civil(at: clock()).day
    let first = try day("from") ?? today
    let last = try day("to") ?? first.adding(days: 6)
    guard last >= first, last.dayNumber - first.dayNumber <= 400 else {
      throw APIError.invalid("'to' must be at most 400 days after 'from'")
    }
    let limit = try call.integer("limit", in: 1...10_000, otherwise: 1_000)
    return try store.read { reader in
      let lists = try lists(call.principal, in: reader)
      let wanted = call.fields("list")
      let agenda = try Agenda(
        of: first...last, lists: lists.keys.filter { wanted.isEmpty || wanted.contains($0.rawValue) },
        in: reader, at: clock(), resolver: resolver, overdueLimit: Self.mostOverdue)
      func entry(_ entry: Agenda.Entry) -> JSONLine {
        var line = JSONLine()
        line.add("start", lines.text(entry.start))
        line.add("end", lines.text(entry.end))
        line.add("all_day", entry.isAllDay)
        line.add("current", entry.isCurrent)
        if let occurrence = entry.recurrenceID { line.add("occurrence", lines.text(occurrence)) }
        line.add("day", entry.day)
        line.add("days", entry.dayCount)
        line.add("item", object(entry.item, in: lists[entry.item.calendar]))
        return line
      }
      var line = JSONLine()
      line.add("from", "\(first)")
      line.add("to", "\(last)")
      line.add("overdue", agenda.overdue.map(entry))
      line.add("overdue_total", agenda.overdueCount)
      line.add(
        "days",
        agenda.days.map { day in
          var object = JSONLine()
          object.add("day", "\(day.day)")
          object.add("entries", day.entries.prefix(limit).map(entry))
          object.add("total", day.entries.count)
          object.add(
            "omitted",
            day.omissions.map { omission in
              var line = JSONLine()
              line.add("title", omission.item.title)
              line.add("count", omission.count)
              return line
            })
          return object
        })
      return .json(line.line)
    }
  }

  private func readLine(_ call: Route.Call) throws -> HTTPResponse {
    let entry = try QuickEntry(call.field("text") ?? "", dates: dates())
    var line = JSONLine()
    line.add("title", entry.title)
    line.add("due", entry.due.map(lines.text))
    line.add("repeat_text", entry.rule.map { RepeatPhrase.text($0, date: lines.text) })
    line.add("tags", entry.tags)
    line.add("priority", entry.priority)
    line.add("place", entry.place)
    line.add("unread", entry.unread)
    return .json(line.line)
  }
}
