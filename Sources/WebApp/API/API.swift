import JSON
import WebServer

extension Route {
  /// The whole API, in the order of its description.
  static let all: [Route] =
    WebApp.itemRoutes + WebApp.listRoutes + WebApp.alarmRoutes + WebApp.placeRoutes + WebApp.deviceRoutes
    + WebApp.undoRoutes + WebApp.sessionRoutes + [
      Route("GET", "/events", .read, needsAllLists: true, "What happens, as server-sent events") {
        app, call in
        guard call.principal.lists == nil else {
          throw APIError.forbidden("events need the right to all lists")
        }
        let stream = HTTPEventStream()
        app.events.add(stream, of: call.principal)
        return HTTPResponse(events: stream)
      },
      Route("GET", "/openapi.json", .read, "This description") { _, _ in .json(OpenAPI.document.line) },
    ]
}

/// The description of the API for programs (OpenAPI 3.1), made from the table of routes.
enum OpenAPI {
  static var document: JSONLine {
    var info = JSONLine()
    info.add("title", "Fencepost")
    info.add("version", "1")
    var server = JSONLine()
    server.add("url", "/api/v1")
    var basic = JSONLine()
    basic.add("type", "http")
    basic.add("scheme", "basic")
    var schemes = JSONLine()
    schemes.add("client", basic)
    var components = JSONLine()
    components.add("securitySchemes", schemes)
    var paths = JSONLine()
    var templates: [String] = []
    for route in Route.all where !templates.contains(route.template) { templates.append(route.template) }
    for template in templates {
      var path = JSONLine()
      for route in Route.all where route.template == template {
        path.add(route.method.lowercased(), operation(route))
      }
      paths.add(template, path)
    }
    var document = JSONLine()
    document.add("openapi", "3.1.0")
    document.add("info", info)
    document.add("servers", [server])
    document.add("security", json: "[{\"client\":[]}]")
    document.add("paths", paths)
    document.add("components", components)
    return document
  }

  private static func operation(_ route: Route) -> JSONLine {
    let inPath = route.template.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      parameter(String($0.dropFirst().dropLast()), in: "path")
    }
    var operation = JSONLine()
    operation.add("summary", route.summary)
    operation.add("parameters", inPath + route.query.map { parameter($0, in: "query") })
    operation.add("x-right", route.right.rawValue)
    func answer(_ text: String) -> JSONLine {
      var line = JSONLine()
      line.add("description", text)
      return line
    }
    var responses = JSONLine()
    responses.add("2XX", answer("done"))
    responses.add("default", answer("a problem (RFC 9457)"))
    operation.add("responses", responses)
    return operation
  }

  private static func parameter(_ name: String, in place: String) -> JSONLine {
    var schema = JSONLine()
    schema.add("type", "string")
    var line = JSONLine()
    line.add("name", name)
    line.add("in", place)
    if place == "path" { line.add("required", true) }
    line.add("schema", schema)
    return line
  }
}
