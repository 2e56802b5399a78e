import Conferences
import JSON
import WebServer

extension WebApp {
  static let conferenceRoutes: [Route] = [
    Route("GET", "/conferences", .write, "The programs that create rooms for calls") { app, _ in
      app.list(
        "providers",
        app.surroundings.conferences.map { provider in
          var line = JSONLine()
          line.add("id", provider.id)
          line.add("name", provider.name)
          return line
        })
    },
    Route("GET", "/conferences/{provider}", .write, "The kinds of rooms that a program has") { app, call in
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
