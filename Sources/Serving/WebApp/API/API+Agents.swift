import FencepostCalendarStore
import FencepostClients
import FencepostItems
import FencepostModelContext
import FencepostRecurrence
import FencepostWebServer

/// Agents over the network (Model Context Protocol, transport Streamable HTTP, without sessions and streams).
extension WebApp {
  static let agentRoutes: [Route] = [
    Route(
      "POST", "/mcp", .read, needsAllLists: true, "A message of an agent (Model Context Protocol)",
      body: .anything, answer: .anything
    ) { app, call in
      // What the agent may do is decided for it as for each app; the client only says who it is.
      guard case .client = call.principal.way else {
        throw APIError.forbidden("make a client for the agent, which signs in with its password")
      }
      guard call.principal.rights.contains(.write) else {
        throw APIError.forbidden("an agent's client needs the rights to read and to write")
      }
      let client = try app.store.read { try $0.clients() }.first { $0.number == call.principal.number }
      guard let client else { throw APIError.forbidden("sign in again") }
      var server = AgentServer(
        store: app.store, name: client.agent,
        schedule: AlarmSchedule(resolver: app.resolver, defaults: app.surroundings.alarms),
        allowsDeletions: false, clock: app.clock)
      server.joinHosts = app.surroundings.joinHosts
      let message = String(decoding: call.request.body, as: UTF8.self)
      guard let answer = try AgentSession.answer(message, of: client.name, by: server) else {
        return HTTPResponse(status: 202)
      }
      return .json(answer)
    }
  ]
}
