import FencepostCalendarModel
import FencepostInterchange
import FencepostItems
import FencepostJSON
import FencepostWebServer

extension WebApp {
  static let conferenceRoutes: [Route] = [
    Route(
      "GET", "/conferences", .write, needsAllLists: true, "The programs that create rooms for calls",
      answer: .each("providers", .object(["id": .text, "name": .text]))
    ) { app, _ in
      app.list(
        "providers",
        app.surroundings.conferences.map { provider in
          var line = JSONLine()
          line.add("id", provider.id)
          line.add("name", provider.name)
          return line
        })
    },
    Route(
      "GET", "/conferences/{provider}", .write, needsAllLists: true, isSlow: true,
      "The kinds of rooms that a program has",
      answer: .each("room_types", .object(["id": .text, "title": .text]))
    ) {
      app, call in
      let types = try app.asking(call["provider"]) { provider throws(ConferenceError) in
        try provider.roomTypes()
      }
      return app.list(
        "room_types",
        types.map { type in
          var line = JSONLine()
          line.add("id", type.id)
          line.add("title", type.title)
          return line
        })
    },
    Route(
      "POST", "/conferences/{provider}", .write, needsAllLists: true, isSlow: true,
      "Make a room for a call: addresses for an event's 'url', and details for its notes",
      body: .object(["room_type": .text]),
      answer: .object([
        "type": .words("room"), "details?": .text,
        "conferences": .list(.object(["url": .text, "label?": .text, "features?": .list(.text)])),
      ]), status: 201
    ) { app, call in
      guard let type = try call.json()["room_type"]?.text, !type.isEmpty else {
        throw APIError.invalid("missing kind of room", pointer: "/room_type")
      }
      let room = try app.asking(call["provider"]) { provider throws(ConferenceError) in
        try provider.room(type)
      }
      var line = JSONLine(type: "room")
      line.add("conferences", room.conferences.map(\.json))
      if let details = room.details { line.add("details", details) }
      return .json(line.line, status: 201)
    },
  ]

  /// Asks a program; its failure is a refusal with its words.
  private func asking<Value>(
    _ id: String, _ body: (ConferenceProvider) throws(ConferenceError) -> Value
  ) throws(APIError) -> Value {
    guard let provider = surroundings.conferences.first(where: { $0.id == id }) else {
      throw .notFound("no provider '\(id)' of conferences")
    }
    do throws(ConferenceError) { return try body(provider) } catch { throw .invalid("\(error)") }
  }
}
