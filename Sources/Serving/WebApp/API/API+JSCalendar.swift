import FencepostAlarmEngine
import FencepostAlgorithms
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostWebServer

/// Items as JSCalendar (RFC 8984), for clients that ask for it by Accept, or send it.
extension WebApp {
  /// The media type (RFC 8984, section 9.1).
  static let jsCalendar = "application/jscalendar+json"

  static let jsCalendarRoutes: [Route] = [
    Route(
      "PUT", "/items/{id}", .write,
      "Make an item what an object of JSCalendar says; of a series with all its overrides",
      body: .named("JSCalendar"), answer: .named("JSCalendar"), type: WebApp.jsCalendar,
      run: { try $0.replaceItem($1) })
  ]

  /// Whether a client prefers JSCalendar to JSON.
  func prefersJSCalendar(_ call: Route.Call, _ kind: String) throws -> Bool {
    let type = "\(Self.jsCalendar);type=\(kind)"
    guard
      let chosen = MediaPreference(call.request.head).choose(among: [
        "application/json", Self.jsCalendar, type,
      ])
    else { throw APIError.notAcceptable("use the type application/json or \(Self.jsCalendar)") }
    return chosen != "application/json"
  }

  /// Whether the body of a request is JSCalendar.
  static func isJSCalendar(_ call: Route.Call) -> Bool { call.request.head.contentType == jsCalendar }

  private func jsCalendarResponse(_ line: JSONLine, _ kind: String, status: UInt32 = 200) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: ["Content-Type": "\(Self.jsCalendar);type=\(kind)", "Vary": "Accept"],
      body: Array(line.line.utf8))
  }

  private func kind(_ item: CalendarItem) -> String { item.isEvent ? "event" : "task" }

  /// The changed occurrences of a series.
  private func occurrences(of item: CalendarItem, in reader: borrowing StoreReader) throws -> [CalendarItem] {
    guard item.detachment == nil, item.recurrence != nil else { return [] }
    return try reader.items(uid: item.uid, in: item.calendar).filter { $0.detachment != nil }
  }

  private func jsCalendar(_ item: CalendarItem, in reader: borrowing StoreReader) throws -> JSONLine {
    JSCalendarWriter(resolver: resolver).object(item, occurrences: try occurrences(of: item, in: reader))
  }

  /// Identifies this version of an item as JSCalendar. With a type of its own, it never equals that of the
  /// other form.
  func jsCalendarTag(_ item: CalendarItem, in reader: borrowing StoreReader) throws -> String {
    jsCalendarTag(try jsCalendar(item, in: reader))
  }

  private func jsCalendarTag(_ line: JSONLine) -> String {
    "\"\(StableHash(of: line.line).text)-jscalendar\""
  }

  /// The answer with an item as JSCalendar.
  func jsCalendarResponse(
    _ call: Route.Call, _ item: CalendarItem, in reader: borrowing StoreReader, status: UInt32 = 200
  ) throws -> HTTPResponse {
    let line = try jsCalendar(item, in: reader)
    let tag = jsCalendarTag(line)
    if call.request.head.method == "GET", call.names(tag, in: "if-none-match") {
      return HTTPResponse(status: 304).with(["ETag": tag, "Vary": "Accept"])
    }
    return jsCalendarResponse(line, kind(item), status: status).with(["ETag": tag])
  }

  /// The answer with several items as JSCalendar: a series is one entry with all its changed occurrences.
  ///
  /// - Parameters:
  ///   - items: All items that the query found.
  ///   - offset: The number of entries to skip.
  ///   - limit: The most entries.
  func jsCalendarGroup(
    _ items: [CalendarItem], offset: Int, limit: Int, in reader: borrowing StoreReader
  ) throws -> HTTPResponse {
    let series = Set(items.filter { $0.detachment == nil && $0.recurrence != nil }.map(\.uid))
    let found = items.filter { $0.detachment == nil || !series.contains($0.uid) }
    let entries = try found.dropFirst(offset).prefix(limit).map { item in
      (item, try occurrences(of: item, in: reader))
    }
    let group = JSCalendarWriter(resolver: resolver).group(entries, uid: "fencepost-items")
    return jsCalendarResponse(group, "group")
  }

  /// Adds an item that a client sends as JSCalendar.
  func addJSCalendar(_ call: Route.Call) throws -> HTTPResponse {
    let json = try call.json()
    let patch = try JSCalendarPatch(json, resolver: resolver)
    if let uid = patch.uid {
      _ = try ownUID(json)
      if try known(uid, call.principal) != nil {
        guard !patch.isOccurrence else {
          throw APIError.conflict("change the series with PUT and its 'recurrenceOverrides'")
        }
        return try store.read { reader in
          let lists = try lists(call.principal, in: reader)
          let item = try reader.items(uid: uid).filter { lists[$0.calendar] != nil }.min {
            $0.detachment == nil && $1.detachment != nil
          }
          guard let item else { throw APIError.conflict("there is an item with this uid") }
          return try jsCalendarResponse(call, item, in: reader)
        }
      }
    }
    let (new, occurrences) = try patch.newItem(at: clock())
    let list = call.field("list").map { Identifier<ItemCalendar>(rawValue: $0) }
    let saved = try add(new, to: list, call.principal, occurrences, parentMayBeMissing: true).item
    return try store.read { try jsCalendarResponse(call, saved, in: $0, status: 201) }
  }

  private func replaceItem(_ call: Route.Call) throws -> HTTPResponse {
    guard Self.isJSCalendar(call) else {
      throw APIError.unsupported("PUT takes \(Self.jsCalendar); use PATCH for JSON")
    }
    let patch = try JSCalendarPatch(call.json(), resolver: resolver)
    // Overrides of dense rules take long, so they are read before the transaction.
    let early = try store.read { reader in
      let item = try found(call, in: reader).item
      return try replacement(of: item, try occurrences(of: item, in: reader), by: patch)
    }
    let item = try change(.edit, title(call)) { (writer: borrowing StoreWriter) throws -> CalendarItem in
      let (item, list) = try found(call, in: writer.reader)
      try check(call, item, list, in: writer.reader)
      _ = try changeable(item.calendar, call.principal, in: writer.reader, for: item)
      let occurrences = try occurrences(of: item, in: writer.reader)
      let isCurrent = item == early.item && occurrences == early.occurrences
      let new = try isCurrent ? early : replacement(of: item, occurrences, by: patch)
      for occurrence in new.changes.removed { _ = try writer.remove(occurrence.id) }
      if new.changed != item { try writer.save(new.changed) }
      for occurrence in new.changes.saved { try writer.save(occurrence) }
      if new.changed.parentUID != item.parentUID {
        try checkParent(of: new.changed, mayBeMissing: true, call.principal, in: writer.reader)
      }
      return new.changed
    }
    return try store.read { try jsCalendarResponse(call, item, in: $0) }
  }

  /// An item and its changed occurrences, and what an object makes of them.
  private struct Replacement {
    var item: CalendarItem
    var occurrences: [CalendarItem]
    var changed: CalendarItem
    var changes: (saved: [CalendarItem], removed: [CalendarItem])
  }

  private func replacement(
    of item: CalendarItem, _ occurrences: [CalendarItem], by patch: JSCalendarPatch
  ) throws -> Replacement {
    var changed = item
    let changes = try patch.apply(to: &changed, occurrences: occurrences, at: clock())
    return Replacement(item: item, occurrences: occurrences, changed: changed, changes: changes)
  }
}
