import AlarmEngine
import CalendarModel
import CalendarStore
import Items
import JSON
import Phrases
import Recurrence
import WebServer

extension WebApp {
  static let itemRoutes: [Route] = [
    Route(
      "GET", "/items", .read, query: ["list", "text", "completed", "kind", "tag", "limit", "offset"],
      "Items: open reminders, unless the query says otherwise", run: { try $0.items($1) }),
    Route(
      "POST", "/items", .write, "Add an item, or a reminder from a line of text", run: { try $0.addItem($1) }),
    Route("GET", "/items/{id}", .read, "An item", run: { try $0.item($1) }),
    Route(
      "PATCH", "/items/{id}", .write, query: ["span", "occurrence"],
      "Change an item; of a series this one, this and later ones, or all", run: { try $0.changeItem($1) }),
    Route(
      "DELETE", "/items/{id}", .write, query: ["span", "occurrence"],
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
      "GET", "/agenda", .read, query: ["from", "to", "list"], "What there is on some days",
      run: { try $0.agenda($1) }),
  ]

  // MARK: Reading

  /// The lists of a store that a caller may see, by identifier.
  func lists(
    _ principal: Principal, in reader: borrowing StoreReader
  ) throws -> [Identifier<ItemCalendar>: ItemCalendar] {
    let all = try reader.calendars().filter { principal.lists?.contains($0.id.rawValue) ?? true }
    return Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// An item that a caller may see, and its list.
  private func found(
    _ call: Route.Call, in reader: borrowing StoreReader
  ) throws -> (item: CalendarItem, list: ItemCalendar) {
    let id = Identifier<CalendarItem>(rawValue: call["id"])
    guard let item = try reader.item(id), let list = try lists(call.principal, in: reader)[item.calendar]
    else {
      throw APIError.notFound("no item '\(call["id"])'")
    }
    return (item, list)
  }

  /// What tells this version of an item from others.
  func entityTag(_ item: CalendarItem) -> String {
    var hasher = StableHash()
    hasher.combine(lines.wholeObject(item, in: nil).line)
    return "\"\(hasher.text)\""
  }

  func object(_ item: CalendarItem, in list: ItemCalendar?) -> JSONLine {
    var line = lines.wholeObject(item, in: list)
    line.add("etag", entityTag(item))
    return line
  }

  private func response(_ item: CalendarItem, in list: ItemCalendar?, status: UInt32 = 200) -> HTTPResponse {
    HTTPResponse.json(object(item, in: list).line, status: status).with(["ETag": entityTag(item)])
  }

  private func item(_ call: Route.Call) throws -> HTTPResponse {
    try store.read { reader in
      let (item, list) = try found(call, in: reader)
      var line = object(item, in: list)
      line.add("subtasks", try reader.items(parentUID: item.uid).count)
      return HTTPResponse.json(line.line).with(["ETag": entityTag(item)])
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
      var line = JSONLine()
      line.add("items", found.dropFirst(offset).prefix(limit).map { object($0, in: lists[$0.calendar]) })
      line.add("total", found.count)
      return .json(line.line)
    }
  }

  private func agenda(_ call: Route.Call) throws -> HTTPResponse {
    let dates = dates()
    func day(_ name: String) throws -> CivilDay? { try call.field(name).map { try dates.day($0) } }
    let today = resolver.floating.civil(at: clock()).day
    let first = try day("from") ?? today
    let last = try day("to") ?? first.adding(days: 6)
    guard last >= first, last.dayNumber - first.dayNumber <= 400 else {
      throw APIError.invalid("'to' must be at most 400 days after 'from'")
    }
    return try store.read { reader in
      let lists = try lists(call.principal, in: reader)
      let wanted = call.fields("list")
      let agenda = try Agenda(
        of: first...last, lists: lists.keys.filter { wanted.isEmpty || wanted.contains($0.rawValue) },
        in: reader, at: clock(), resolver: resolver)
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
      line.add(
        "days",
        agenda.days.map { day in
          var object = JSONLine()
          object.add("day", "\(day.day)")
          object.add("entries", day.entries.map(entry))
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

  // MARK: Changing

  /// Changes the store, in a step that can be undone.
  func change<Result>(_ what: String, _ body: (borrowing StoreWriter) throws -> Result) throws -> Result {
    try store.write(undoableAs: UndoLabel("web: \(what)", at: clock()), body)
  }

  /// The list that a caller may change items in.
  private func changeable(
    _ id: Identifier<ItemCalendar>, _ principal: Principal, in reader: borrowing StoreReader,
    for item: CalendarItem
  ) throws -> ItemCalendar {
    guard let list = try lists(principal, in: reader)[id] else {
      throw APIError.invalid("there is no list '\(id)'", pointer: "/list_id")
    }
    guard list.allowsContentModifications else {
      throw APIError.forbidden("'\(list.title)' is read-only: its items come from elsewhere")
    }
    guard list.entities.contains(item.isEvent ? .events : .reminders) else {
      throw APIError.invalid(
        "'\(list.title)' holds no \(item.isEvent ? "events" : "reminders")", pointer: "/list_id")
    }
    return list
  }

  private func addItem(_ call: Route.Call) throws -> HTTPResponse {
    let json = try call.json()
    let now = clock()
    if let uid = json["uid"]?.text, let known = try known(uid, call.principal) { return known }
    var item: CalendarItem
    var unread: String?
    var place: StructuredLocation?
    if let text = json["text"]?.text {
      // What was typed without a network is meant as of then.
      let typed = json["now"]?.text.flatMap { Instant(rfc3339: $0) } ?? now
      let entry = try QuickEntry(text, dates: DatePhrase(at: min(typed, now), resolver: resolver))
      (item, unread) = (quickReminder(entry, at: now), entry.unread)
      if let name = entry.place {
        guard let found = try findPlaces(name, call.principal).first else {
          throw APIError.invalid("there is no place '\(name)'", pointer: "/text")
        }
        place = found.place
      }
    } else {
      item = try ItemPatch(json, resolver: resolver).newItem(at: now)
    }
    if let place { item.alarms.append(Alarm(proximity: ProximityTrigger(.enter, at: place))) }
    let wanted = try ItemPatch(json["text"] == nil ? json : json.only("list_id"), resolver: resolver).list()
    let saysAlarms = json["alarms"] != nil
    if let uid = json["uid"]?.text, !uid.isEmpty, uid.utf8.count <= 200 { item.uid = uid }
    let new = item
    let (saved, list) = try change("add \(new.title)") {
      (writer: borrowing StoreWriter) throws -> (CalendarItem, ItemCalendar) in
      var item = new
      // The same may have come at the same moment.
      guard try writer.reader.items(uid: item.uid).isEmpty else {
        throw APIError.conflict("there is an item with this uid")
      }
      var id = wanted
      if id == nil { id = try defaultList(for: item, call.principal, writer) }
      let list = try changeable(id ?? item.calendar, call.principal, in: writer.reader, for: item)
      item.calendar = list.id
      if item.reminder?.due != nil, !saysAlarms, let offset = list.alarms.over(surroundings.alarms).alarm {
        item.alarms.append(item.defaultAlarm(offset))
      }
      try checkParent(of: item, call.principal, in: writer.reader)
      try writer.save(item)
      return (item, list)
    }
    var line = object(saved, in: list)
    if let unread { line.add("unread", unread) }
    return HTTPResponse.json(line.line, status: 201).with(["ETag": entityTag(saved)])
  }

  /// The answer where an item that is sent has come before: its sender missed that answer.
  private func known(_ uid: String, _ principal: Principal) throws -> HTTPResponse? {
    try store.read { reader in
      let lists = try lists(principal, in: reader)
      let same = try reader.items(uid: uid)
      guard !same.isEmpty else { return nil }
      guard let item = same.first(where: { lists[$0.calendar] != nil }) else {
        throw APIError.conflict("there is an item with this uid")
      }
      return response(item, in: lists[item.calendar])
    }
  }

  private func quickReminder(_ entry: QuickEntry, at now: Instant) -> CalendarItem {
    var details = ReminderDetails()
    details.due = entry.due
    var item = CalendarItem(
      calendar: Identifier(rawValue: ""), title: entry.title, details: .reminder(details))
    item.created = now
    item.lastModified = now
    item.timeZone = item.anchor?.zone
    item.categories = entry.tags
    item.priority = entry.priority ?? 0
    item.recurrence = entry.rule.map { Recurrence(rules: [$0]) }
    return item
  }

  private func defaultList(
    for item: CalendarItem, _ principal: Principal, _ writer: borrowing StoreWriter
  ) throws -> Identifier<ItemCalendar> {
    let entity: DefaultCalendarEntity = item.isEvent ? .events : .reminders
    guard principal.lists != nil else { return try writer.defaultCalendar(for: entity).id }
    let own = try lists(principal, in: writer.reader).values.filter {
      $0.allowsContentModifications && $0.entities.contains(item.isEvent ? .events : .reminders)
    }
    guard let first = own.min(by: { $0.title < $1.title }) else {
      throw APIError.forbidden("'\(principal.name)' has no list for it")
    }
    return first.id
  }

  /// What of the series the query means.
  private func choose(
    of item: CalendarItem, _ call: Route.Call, in reader: borrowing StoreReader
  ) throws -> SeriesChoice {
    let span = try call.field("span").map { text in
      guard let span = SeriesSpan(rawValue: text) else {
        throw APIError.invalid("'span' must be this, future or all")
      }
      return span
    }
    let occurrence = try call.field("occurrence").map { try time(ofOccurrence: $0, of: item) }
    return try SeriesChoice(
      of: item, span: span, occurrence: occurrence, in: reader, resolver: resolver, now: clock())
  }

  /// An occurrence by the time at which it was shown.
  private func time(ofOccurrence text: String, of item: CalendarItem) throws -> CalendarTime {
    if let instant = Instant(rfc3339: text) {
      return item.anchor.map { $0.isDate ? CalendarTime(instant) : resolver.time(instant, like: $0) }
        ?? CalendarTime(instant)
    }
    return try dates().time(text)
  }

  /// Makes sure that an item's parent is there, where the caller sees it, and is not below the item.
  private func checkParent(of item: CalendarItem, _ principal: Principal, in reader: borrowing StoreReader)
    throws
  {
    guard var uid = item.parentUID else { return }
    let lists = try lists(principal, in: reader)
    for _ in 0..<100 {
      guard uid != item.uid,
        let parent = try reader.items(uid: uid).first(where: { lists[$0.calendar] != nil })
      else { throw APIError.invalid("there is no such parent, or it is below the item", pointer: "/parent") }
      guard let next = parent.parentUID else { return }
      uid = next
    }
    throw APIError.invalid("it would be too deep", pointer: "/parent")
  }

  private func changeItem(_ call: Route.Call) throws -> HTTPResponse {
    let patch = try ItemPatch(call.json(), resolver: resolver)
    let target = try patch.list()
    let now = clock()
    let (item, list): (CalendarItem, ItemCalendar) = try change("edit") { writer in
      let (item, list) = try found(call, in: writer.reader)
      try check(call, item, list)
      let choice = try choose(of: item, call, in: writer.reader)
      _ = try changeable(choice.item.calendar, call.principal, in: writer.reader, for: choice.item)
      let destination = try target.flatMap { id in
        id == choice.item.calendar
          ? nil : try changeable(id, call.principal, in: writer.reader, for: choice.item)
      }
      let changes = try choice.changes(to: destination?.id, resolver: resolver, now: now) { item in
        try patch.apply(to: &item, at: now)
      }
      for id in changes.removed { _ = try writer.remove(id) }
      for item in changes.saved { try writer.save(item) }
      let subject = changes.subject ?? choice.item
      if subject.parentUID != choice.item.parentUID {
        try checkParent(of: subject, call.principal, in: writer.reader)
      }
      return (subject, try writer.reader.calendar(subject.calendar) ?? list)
    }
    return response(item, in: list)
  }

  /// Makes sure that the item is as the caller saw it last.
  private func check(_ call: Route.Call, _ item: CalendarItem, _ list: ItemCalendar) throws {
    guard let tag = call.request.head.headers["if-match"], tag != "*",
      !tag.split(separator: ",").contains(where: { $0.drop { $0 == " " } == entityTag(item) })
    else { return }
    throw APIError.changed(
      "'\(item.title)' was changed in the meantime", current: object(item, in: list).line)
  }

  private func removeItem(_ call: Route.Call) throws -> HTTPResponse {
    let now = clock()
    try change("remove") { (writer: borrowing StoreWriter) in
      let (item, list) = try found(call, in: writer.reader)
      try check(call, item, list)
      let choice = try choose(of: item, call, in: writer.reader)
      _ = try changeable(choice.item.calendar, call.principal, in: writer.reader, for: choice.item)
      let changes = choice.removal(resolver: resolver, now: now)
      for id in changes.removed { _ = try writer.remove(id) }
      for item in changes.saved { try writer.save(item) }
    }
    return HTTPResponse(status: 204)
  }

  private func complete(_ call: Route.Call, isDone: Bool) throws -> HTTPResponse {
    let now = clock()
    let (item, list): (CalendarItem, ItemCalendar) = try change(isDone ? "complete" : "reopen") { writer in
      var (item, list) = try found(call, in: writer.reader)
      list = try changeable(item.calendar, call.principal, in: writer.reader, for: item)
      guard item.reminder != nil else { throw APIError.invalid("only reminders are completed") }
      guard item.reminder?.isCompleted != isDone else { return (item, list) }
      if !isDone {
        item.reminder?.reopen()
      } else if let done = item.rollOn(at: now, resolver: resolver) {
        try writer.save(done)
      } else {
        item.reminder?.complete(at: now)
      }
      item.lastModified = now
      try writer.save(item)
      return (item, list)
    }
    return response(item, in: list)
  }
}

extension JSONValue {
  /// An object with one member of this one, or with none.
  fileprivate func only(_ key: String) -> JSONValue {
    var one = self
    one.content = .object((members ?? []).filter { $0.key == key })
    return one
  }
}
