import FencepostItems
import FencepostJSON
import FencepostWebServer

/// The description of the API for programs (OpenAPI 3.1), from the table of routes and their schemas.
enum OpenAPI {
  static var document: JSONLine {
    var info = JSONLine()
    info.add("title", "Fencepost")
    info.add("version", "1")
    var server = JSONLine()
    server.add("url", "/api/v1")
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

  private static var components: JSONLine {
    var basic = JSONLine()
    basic.add("type", "http")
    basic.add("scheme", "basic")
    var schemes = JSONLine()
    schemes.add("client", basic)
    var schemas = JSONLine()
    for (name, schema) in APIDescription.schemas { schemas.add(name, schema.line) }
    var components = JSONLine()
    components.add("securitySchemes", schemes)
    components.add("schemas", schemas)
    return components
  }

  private static func operation(_ route: Route) -> JSONLine {
    let inPath = route.template.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      parameter(String($0.dropFirst().dropLast()), in: "path")
    }
    var operation = JSONLine()
    operation.add("summary", route.summary)
    operation.add("parameters", inPath + route.query.map { parameter($0, in: "query") })
    operation.add("x-right", route.right.rawValue)
    if let body = route.body {
      var request = content(
        body, type: route.type == WebApp.jsCalendar ? WebApp.jsCalendar : "application/json")
      request.add("required", true)
      operation.add("requestBody", request)
    }
    var done = route.answer.map { content($0, type: route.type) } ?? JSONLine()
    done.add("description", "done")
    var failed = content(.named("Problem"), type: "application/problem+json")
    failed.add("description", "a problem (RFC 9457)")
    var responses = JSONLine()
    responses.add("\(route.status)", done)
    // For an item that was sent before, or that the caller already has.
    if route.status == 201 { responses.add("200", done) }
    responses.add("default", failed)
    operation.add("responses", responses)
    return operation
  }

  private static func content(_ schema: JSONSchema, type: String) -> JSONLine {
    var media = JSONLine()
    media.add("schema", schema.line)
    var types = JSONLine()
    types.add(type, media)
    var line = JSONLine()
    line.add("content", types)
    return line
  }

  private static func parameter(_ name: String, in place: String) -> JSONLine {
    var line = JSONLine()
    line.add("name", name)
    line.add("in", place)
    if place == "path" { line.add("required", true) }
    line.add("schema", JSONSchema.text.line)
    return line
  }
}
