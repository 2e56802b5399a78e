import FencepostClients
import FencepostItems
import FencepostJSON
import FencepostWebServer

extension Route {
  /// The whole API, in the order of its description.
  static let all: [Route] =
    [
      WebApp.itemRoutes, WebApp.jsCalendarRoutes, WebApp.listRoutes, WebApp.sourceRoutes,
      WebApp.suggestionRoutes, WebApp.alarmRoutes,
      WebApp.conflictRoutes, WebApp.placeRoutes, WebApp.deviceRoutes, WebApp.diagnosisRoutes,
      WebApp.undoRoutes,
      WebApp.conferenceRoutes, WebApp.pushRoutes,
      WebApp.phoneRoutes, WebApp.sessionRoutes, WebApp.invitationRoutes, WebApp.settingRoutes,
      WebApp.accountRoutes, WebApp.appRoutes, WebApp.agentRoutes,
      WebApp.channelRoutes, WebApp.transferRoutes, WebApp.pageRoutes, general,
    ].flatMap(\.self)

  private static let general: [Route] = [
    Route(
      "GET", "/events", .read, pages: .also,
      "What happens, as server-sent events; to a client of some lists only that something has changed",
      answer: .text, type: "text/event-stream"
    ) { app, call in
      let page = try app.page(call.principal)
      let stream = HTTPEventStream { page?.ended(at: app.clock()) }
      page?.began()
      app.events.add(stream, of: call.principal)
      return HTTPResponse(events: stream)
    },
    Route("GET", "/openapi.json", .read, "This description", answer: .anything) { _, _ in
      .json(OpenAPI.document.line)
    },
  ]
}
