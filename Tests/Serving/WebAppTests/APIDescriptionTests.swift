import FencepostCalendarModel
import FencepostCalendarStore
import FencepostGeodesy
import FencepostJSON
import FencepostOutputTestSupport
import Foundation
import Testing

@testable import FencepostWebApp

@Suite("The description of the API")
struct APIDescriptionTests {
  private let fixture: WebAppFixture
  private let document: JSONValue
  private let check: SchemaCheck
  private let cookie: String

  init() throws {
    fixture = try WebAppFixture()
    cookie = try fixture.signIn()
    document = try fixture.json("GET", "/openapi.json")
    check = SchemaCheck(named: try #require(document["components"]?["schemas"]))
  }

  @Test("No request has two routes")
  func table() {
    #expect(Set(Route.all.map { "\($0.method) \($0.template)" }).count == Route.all.count)
  }

  @Test("Each schema that is named is there, and each has a use")
  func names() throws {
    let text = OpenAPI.document.line
    let used = Set(text.matches(of: /#\/components\/schemas\/(\w+)/).map { String($0.1) })
    #expect(used == Set(APIDescription.schemas.map(\.key)))
    #expect(used.count == APIDescription.schemas.count)
  }

  /// Asks as the owner in a browser, and compares body and answer with the description.
  @discardableResult
  private func ask(
    _ method: String, _ path: String, as template: String? = nil, _ body: String = ""
  ) throws -> JSONValue {
    let template = template ?? String(path.prefix { $0 != "?" })
    let operation = try #require(
      document["paths"]?[template]?[method.lowercased()], "\(method) \(template)")
    let answer = try fixture.ask(
      method, path, body, headers: ["Cookie: \(cookie)", "Host: localhost", "Origin: http://localhost"])
    let status = String(answer.prefix { $0 != " " })
    let response = try #require(operation["responses"]?[status], "\(method) \(path): \(answer)")
    if !body.isEmpty, let schema = operation["requestBody"]?["content"]?["application/json"]?["schema"] {
      let sent = try JSONValue(readingCommented: Array(body.utf8), maxDepth: 32)
      #expect(check.faults(sent, schema) == [], "body of \(method) \(path)")
    }
    let schema = response["content"]?["application/json"]?["schema"]
    let text = answer.dropFirst(status.count + 1)
    guard let schema else {
      #expect(text.isEmpty, "\(method) \(path)")
      return try JSONValue(readingCommented: Array("null".utf8), maxDepth: 1)
    }
    let value = try JSONValue(readingCommented: Array(text.utf8), maxDepth: 32)
    #expect(check.faults(value, schema) == [], "\(method) \(path)")
    return value
  }

  private static let everything = #"""
    {"type":"event","title":"Choir","start":"2026-05-02T19:00","end":"2026-05-02T21:00","time_zone":"Europe/Berlin",
     "location":"Hall","notes":"Bring water","url":"https://example.org/","priority":1,"tags":["music"],
     "repeat":["FREQ=WEEKLY"],"availability":"busy",
     "place":{"title":"Hall","latitude":52.5,"longitude":13.4,"radius":200,"address":"1 High Street",
              "polygons":[[[[13.4,52.5],[13.5,52.5],[13.5,52.6],[13.4,52.5]]]]},
     "alarms":[{"offset":"-PT15M","from":"start"},{"at":"2026-05-02T18:00:00+02:00"},
               {"proximity":"dwell","seconds":600,"place":{"title":"Hall","latitude":52.5,"longitude":13.4,"radius":100},
                "hours":"08:00-20:00","weekdays":["SA"],"devices":["phone"],"frequency":"once-per-day","passing":false}]}
    """#

  @Test("Items, lists and the agenda are answered as described")
  func items() throws {
    let event = try #require(try ask("POST", "/items", Self.everything)["id"]?.text)
    let milk = try ask("POST", "/items", #"{"text":"Buy milk tomorrow 9am #shopping !high every week"}"#)
    let id = try #require(milk["id"]?.text)
    for path in [
      "/items?kind=all&completed=all", "/items?text=milk", "/agenda", "/read?text=Milk%20tomorrow", "/fences",
      "/alarms",
    ] {
      try ask("GET", path)
    }
    for one in [event, id] { try ask("GET", "/items/\(one)", as: "/items/{id}") }
    try ask("PATCH", "/items/\(id)", as: "/items/{id}", #"{"notes":null,"priority":5,"due":"2026-05-03"}"#)
    try ask("POST", "/items/\(id)/complete", as: "/items/{id}/complete", "{}")
    try ask("POST", "/items/\(id)/reopen", as: "/items/{id}/reopen", "{}")
    let list = try ask("POST", "/lists", ##"{"title":"Garden","color":"#2563eb","reminders":true}"##)
    let name = try #require(list["id"]?.text)
    try ask("PATCH", "/lists/\(name)", as: "/lists/{id}", #"{"title":"Yard","color":null}"#)
    try ask("GET", "/lists")
    try ask("DELETE", "/lists/\(name)", as: "/lists/{id}")
    try ask("GET", "/undo")
    try ask("POST", "/undo", "{}")
    try ask("POST", "/redo", "{}")
    try ask("DELETE", "/items/\(event)", as: "/items/{id}")
  }

  @Test("Places, devices, clients, phones and the session are answered as described")
  func others() throws {
    try ask("PUT", "/places/Home", as: "/places/{name}", #"{"latitude":52.5,"longitude":13.4,"radius":150}"#)
    try fixture.store.write { writer in
      var step = LedgerStep()
      var fix = Fix(time: fixture.now, coordinate: Coordinate(latitude: 52.5, longitude: 13.4))
      fix.horizontalAccuracy = 10
      step.lastFixes = ["phone": fix]
      try writer.record(step, channels: { _ in [] })
    }
    for path in [
      "/places", "/places/find?text=home", "/places/find?text=52.5,13.4", "/devices", "/firings", "/session",
      "/settings",
      "/sessions", "/tracks?device=phone&day=2026-05-01", "/push", "/sources", "/subscriptions",
      "/suggestions", "/conflicts",
    ] {
      try ask("GET", path)
    }
    try ask("GET", "/days/2026-05-01?device=phone", as: "/days/{day}")
    try ask("GET", "/days/2026-05-01?device=phone&replay=true", as: "/days/{day}")
    try ask("GET", "/doctor")
    try ask("DELETE", "/places/Home", as: "/places/{name}")
    let client = try ask("POST", "/clients", #"{"name":"script","rights":["read"]}"#)
    try ask("GET", "/clients")
    try ask("DELETE", "/clients/\(client["user"]?.text ?? "")", as: "/clients/{user}")
    for app in ["owntracks", "overland", "traccar", "caldav"] {
      try ask("POST", "/phones", #"{"app":"\#(app)","name":"\#(app)"}"#)
    }
    try ask(
      "POST", "/phones", #"{"app":"owntracks","name":"mine","broker":"mqtts://me:secret@broker.example"}"#)
    try ask("DELETE", "/session")
  }

  @Test("Alarms that went off, and answers to them, are as described")
  func firings() throws {
    var item = CalendarItem(
      calendar: try fixture.store.write { try $0.defaultCalendar(for: .reminders).id }, title: "Milk",
      details: .reminder(ReminderDetails(due: CalendarTime(fixture.now))))
    let place = StructuredLocation(
      title: "Shop", coordinate: Coordinate(latitude: 52.5, longitude: 13.4), radius: 100)
    item.alarms = [
      Alarm(trigger: .absolute(fixture.now)), Alarm(proximity: ProximityTrigger(.enter, at: place)),
    ]
    let crossing = Firing.Crossing(
      device: "phone", position: Coordinate(latitude: 52.5, longitude: 13.4), accuracy: 10,
      isInterpolated: true)
    try fixture.store.write { [item] writer in
      try writer.save(item)
      var step = LedgerStep()
      step.firings = [
        Firing(kind: .absolute, time: fixture.now, alarm: item.alarms[0].id, item: item.id),
        Firing(
          kind: .enter, time: fixture.now, alarm: item.alarms[1].id, item: item.id, place: place,
          crossing: crossing),
      ]
      try writer.record(step, channels: { _ in [] })
    }
    let all = try ask("GET", "/firings")
    #expect(all["firings"]?.list?.count == 2)
    #expect(try ask("GET", "/firings?waiting=1", as: "/firings")["total"]?.integer == 2)
    let key =
      try #require(all["firings"]?.list?.first?["id"]?.text)
      .addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    for (action, body) in [("snooze", #"{"minutes":10}"#), ("acknowledge", "{}"), ("complete", "{}")] {
      try ask("POST", "/firings/\(key)/\(action)", as: "/firings/{id}/\(action)", body)
    }
    try ask("GET", "/firings")
    #expect(try ask("GET", "/firings?waiting=1", as: "/firings")["total"]?.integer == 0)
    try ask("GET", "/alarms")
    try ask("GET", "/items/\(item.id)/why", as: "/items/{id}/why")
  }

  @Test("Refusals are problems as described")
  func problems() throws {
    let problem = try #require(document["components"]?["schemas"]?["Problem"])
    for (method, path, body) in [
      ("GET", "/items/none", ""), ("POST", "/items", #"{"title":1}"#), ("GET", "/nowhere", ""),
      ("PUT", "/items", "{}"),
      ("POST", "/lists", "no JSON"), ("PATCH", "/items/none", "{}"),
    ] {
      let answer = try fixture.json(method, path, body)
      #expect(check.faults(answer, problem) == [], "\(method) \(path)")
    }
  }
}
