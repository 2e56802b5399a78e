import FencepostActions
import FencepostAlarmEngine
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostItems
import FencepostJSON
import FencepostRecurrence
import FencepostWebServer

extension WebApp {
  static let alarmRoutes: [Route] = [
    Route(
      "GET", "/alarms", .read, query: ["limit"], "The alarms that come next",
      answer: .each("alarms", .named("Due"))
    ) { app, call in
      let limit = try call.integer("limit", in: 1...1_000, otherwise: 20)
      return try app.store.read { reader in
        let lists = try app.lists(call.principal, in: reader)
        var lines: [JSONLine] = []
        // If the client sees only some lists, alarms of other lists lie in between.
        let isLimited = call.principal.lists != nil
        let looked = isLimited ? 10_000 : limit
        for due in try reader.dueTimes(until: .distantFuture, limit: looked) where lines.count < limit {
          // A stay tells that a device is at the place now.
          if isLimited, due.kind == .dwell { continue }
          guard let item = try reader.item(due.item), let list = lists[item.calendar] else { continue }
          if let line = try app.storeLines.object(due, color: list.color, in: reader) { lines.append(line) }
        }
        return app.list("alarms", lines)
      }
    },
    Route(
      "GET", "/firings", .read, query: ["limit", "waiting"],
      "The alarms that went off, the latest first; with 'waiting=1' only those that wait for an answer",
      answer: .object(["firings": .list(.named("Firing")), "total?": .integer])
    ) {
      app, call in
      let limit = try call.integer("limit", in: 1...1_000, otherwise: 50)
      return try app.store.read { reader in
        let lists = try app.lists(call.principal, in: reader)
        let isOwner = call.principal.lists == nil
        let isWaiting = call.field("waiting") == "1"
        let entries =
          isWaiting
          ? try reader.waitingFirings(
            ofEventsFrom: app.clock().adding(seconds: -86_400), limit: WebApp.maximumWaiting)
          : try reader.firings(limit: isOwner ? limit : 10_000).reversed()
        let lines = try entries.compactMap { entry -> String? in
          let list = try reader.item(entry.firing.item).flatMap { lists[$0.calendar] }
          return list == nil && !isOwner ? nil : app.line(entry, in: list, for: call.principal)
        }
        let total = isWaiting ? ",\"total\":\(lines.count)" : ""
        return .json("{\"firings\":[\(lines.prefix(limit).joined(separator: ","))]\(total)}")
      }
    },
    Route(
      "POST", "/firings/{id}/acknowledge", .write, answersAlarm: true, "Say that an alarm was seen",
      answer: .named("Firing")
    ) {
      app, call in
      try app.respond(.acknowledge, call)
    },
    Route(
      "POST", "/firings/{id}/complete", .write, answersAlarm: true, "Complete the reminder of an alarm",
      answer: .named("Firing")
    ) {
      app, call in
      try app.respond(.complete, call)
    },
    Route(
      "POST", "/firings/{id}/snooze", .write, answersAlarm: true,
      "Let an alarm go off again later, by default in ten minutes",
      body: .object([
        "until?": .moment, "minutes?": .integer(1...525_600), "until_event?": .words("start", "here-again"),
      ]), answer: .named("Firing")
    ) {
      app, call in
      let json = try call.json()
      switch json["until_event"]?.text {
      case nil: break
      case "start":
        let (now, resolver) = (app.clock(), app.resolver)
        return try app.respond(call, .snooze) {
          .snooze(until: try $1.startToSnooze($0, at: now, resolver: resolver))
        }
      case "here-again":
        return try app.respond(call, .snooze) { .snoozeUntilVisit(try $1.placeToSnooze($0)) }
      default: throw APIError.invalid("must be 'start' or 'here-again'", pointer: "/until_event")
      }
      if let text = json["until"]?.text, let moment = Instant(rfc3339: text) {
        guard moment > app.clock() else { throw APIError.invalid("lies in the past", pointer: "/until") }
        return try app.respond(.snooze(until: moment), call)
      }
      guard let given = json["minutes"] else {
        return try app.respond(.snooze(until: app.clock().adding(seconds: AlarmResponse.usualSnooze)), call)
      }
      guard let minutes = given.integer, (1...525_600).contains(minutes) else {
        throw APIError.invalid("must be a whole number from 1 to 525600", pointer: "/minutes")
      }
      return try app.respond(.snooze(until: app.clock().adding(seconds: Double(minutes) * 60)), call)
    },
  ]

  /// More waiting alarms are not counted.
  private static let maximumWaiting = 10_000

  /// A firing as JSON, with the colour of its list; for a client of some lists without what it tells of devices.
  func line(_ entry: LedgerEntry, in list: ItemCalendar?, for principal: Principal) -> String {
    let line = firingLines.line(entry, hidesDevices: principal.lists != nil)
    guard let color = list?.color?.hexadecimal else { return line }
    return line.dropLast() + ",\"color\":\"\(color)\"}"
  }

  private func respond(_ response: AlarmResponse, _ call: Route.Call) throws -> HTTPResponse {
    try respond(call, response.action) { _, _ in response }
  }

  private func respond(
    _ call: Route.Call, _ action: UndoAction,
    _ response: (LedgerEntry, borrowing StoreReader) throws -> AlarmResponse
  ) throws -> HTTPResponse {
    let now = clock()
    let title = try store.read { try $0.firing(id: call["id"])?.context?.itemTitle }
    let (entry, list) = try change(action, title ?? "") { writer in
      guard let entry = try writer.reader.firing(id: call["id"]) else {
        throw APIError.notFound("no alarm '\(call["id"])' has gone off")
      }
      let lists = try lists(call.principal, in: writer.reader)
      let list = try writer.reader.item(entry.firing.item).flatMap { lists[$0.calendar] }
      guard list != nil || call.principal.lists == nil else { throw APIError.notFound("no such alarm") }
      _ = try writer.respond(
        try response(entry, writer.reader), to: entry.firing.key, at: now, resolver: resolver)
      return (try writer.reader.firing(key: entry.firing.key) ?? entry, list)
    }
    return .json(line(entry, in: list, for: call.principal))
  }
}

extension AlarmResponse {
  /// What undo calls it.
  fileprivate var action: UndoAction {
    switch self {
    case .acknowledge: .putAside
    case .snooze, .snoozeUntilVisit: .snooze
    case .complete: .complete
    }
  }
}
