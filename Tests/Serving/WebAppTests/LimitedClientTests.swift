import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostGeodesy
import FencepostJSON
import FencepostWebServer
import Testing

@testable import FencepostWebApp

@Suite("What a client of some lists, or one that may only write, can't learn")
struct LimitedClientTests {
  let fixture: WebAppFixture
  init() throws { fixture = try WebAppFixture() }

  private func client(_ name: String, _ rights: [Right], lists: [String]? = nil) throws -> [String] {
    let (user, password) = try fixture.app.clients.add(
      name, rights: rights, lists: lists?.map { Identifier(rawValue: $0) })
    return [WebAppFixture.basic(user, password)]
  }

  /// A reminder in a list, with an alarm that found a device, and a stay that still runs.
  private func found(in list: String) throws {
    let everywhere = StructuredLocation(
      title: "Anywhere", coordinate: Coordinate(latitude: 0, longitude: 0), radius: 20_000_000)
    let trigger = ProximityTrigger(.enter, at: everywhere)
    var item = CalendarItem(
      calendar: Identifier(rawValue: list), title: "Where?", details: .reminder(.init()))
    item.alarms = [Alarm(proximity: trigger)]
    let position = Coordinate(latitude: 52.517, longitude: 13.389)
    try fixture.store.write { [item] writer in
      try writer.save(item)
      var step = LedgerStep()
      step.firings = [
        Firing(
          kind: .enter, time: fixture.now, alarm: item.alarms[0].id, item: item.id, place: everywhere,
          crossing: Firing.Crossing(
            device: "anns-phone", position: position, accuracy: 8, isInterpolated: false))
      ]
      step.armed = [
        DueTime(
          kind: .dwell, time: fixture.now.adding(seconds: 600), alarm: item.alarms[0].id, item: item.id,
          occurrence: nil, repetition: 0, device: "anns-phone")
      ]
      try writer.record(step, channels: { _ in [] })
    }
  }

  @Test("An alarm that finds every device tells a client of one list neither the device nor its place")
  func firings() throws {
    let list = try #require(try fixture.json("POST", "/lists", #"{"title":"Shared"}"#)["id"]?.text)
    try found(in: list)
    let limited = try client("tablet", [.read, .write], lists: [list])
    let hidden = ["anns-phone", "52.517", "13.389", "position", "device"]
    let answer = try fixture.ask("GET", "/firings", headers: limited)
    #expect(answer.contains("Where?"))
    for word in hidden { #expect(!answer.contains(word), "\(word) in \(answer)") }
    let firing = try #require(
      JSONValue(readingCommented: Array(answer.drop { $0 != " " }.utf8), maxDepth: 32)["firings"]?.list?.first
    )
    let id = try #require(firing["id"]?.text)
    let done = try fixture.ask("POST", "/firings/\(id)/acknowledge", headers: limited)
    #expect(done.hasPrefix("200") && done.contains("acknowledged"))
    for word in hidden { #expect(!done.contains(word), "\(word) in \(done)") }
    // Nor that a device stays at a place now.
    #expect(try fixture.json("GET", "/alarms")["alarms"]?.list?.count == 1)
    #expect(try fixture.ask("GET", "/alarms", headers: limited).contains(#""alarms":[]"#))
    // The owner sees all.
    #expect(try fixture.ask("GET", "/firings").contains("anns-phone"))
  }

  @Test("A client undoes its own changes, and nobody else's")
  func undo() throws {
    let id = try #require(try fixture.json("POST", "/items", #"{"title":"Milk"}"#)["id"]?.text)
    let other = try client("other", [.read, .write])
    #expect(try fixture.ask("POST", "/undo", "{}", headers: other).hasPrefix("409"))
    #expect(try fixture.ask("PATCH", "/items/\(id)", #"{"title":"Bread"}"#, headers: other).hasPrefix("200"))
    #expect(try fixture.ask("POST", "/undo", "{}").hasPrefix("409"))
    let undone = try fixture.ask("POST", "/undo", "{}", headers: other)
    #expect(undone.hasPrefix("200") && undone.contains(#""label":"edit"#))
    #expect(undone.contains(#""by":"other""#))
    #expect(try fixture.ask("POST", "/redo", "{}").hasPrefix("409"))
    #expect(try fixture.ask("POST", "/redo", "{}", headers: other).hasPrefix("200"))
    // The owner, in a browser, may undo everybody's.
    let owner = ["Cookie: \(try fixture.signIn())", "Sec-Fetch-Site: same-origin"]
    #expect(try fixture.ask("POST", "/undo", "{}", headers: owner).hasPrefix("200"))
    #expect(try fixture.ask("POST", "/undo", "{}", headers: owner).hasPrefix("200"))
    #expect(try fixture.ask("GET", "/items/\(id)").hasPrefix("404"))
  }

  @Test("The owner limits a new client to lists that there are")
  func limits() throws {
    let owner = ["Cookie: \(try fixture.signIn())"]
    let list = try #require(try fixture.json("POST", "/lists", #"{"title":"Shared"}"#)["id"]?.text)
    _ = try fixture.json("POST", "/lists", #"{"title":"Own"}"#)
    let body = #"{"name":"Ann","rights":["read"],"lists":["\#(list)"]}"#
    let told = try fixture.ask("POST", "/clients", body, headers: owner)
    #expect(told.hasPrefix("201"))
    let made = try JSONValue(readingCommented: Array(told.dropFirst(4).utf8), maxDepth: 8)
    let ann = [
      WebAppFixture.basic(try #require(made["user"]?.text), try #require(made["password"]?.text))
    ]
    let answer = try fixture.ask("GET", "/lists", headers: ann)
    #expect(answer.contains("Shared") && !answer.contains("Own"))
    let unknown = #"{"name":"Bob","rights":["read"],"lists":["none"]}"#
    #expect(try fixture.ask("POST", "/clients", unknown, headers: owner).hasPrefix("400"))
  }

  @Test("A client that may only write reads nothing by changing nothing, by a known UID or by reopening")
  func writesOnly() throws {
    let item = try fixture.json(
      "POST", "/items", #"{"title":"Surprise party","notes":"for Ann","due":"2026-05-02T10:00:00+02:00"}"#)
    let id = try #require(item["id"]?.text)
    let uid = try #require(item["uid"]?.text)
    let writer = try client("inbox", [.write])
    let requests = [
      ("PATCH", "/items/\(id)", "{}", "200"), ("POST", "/items", #"{"uid":"\#(uid)","title":"x"}"#, "200"),
      ("POST", "/items/\(id)/complete", "", "200"), ("POST", "/items/\(id)/reopen", "", "200"),
      ("POST", "/undo", "{}", "200"), ("POST", "/redo", "{}", "200"), ("POST", "/undo", "{}", "200"),
    ]
    for (method, path, body, status) in requests {
      let answer = try fixture.ask(method, path, body, headers: writer)
      #expect(answer.hasPrefix(status), "\(method) \(path): \(answer)")
      for word in ["Surprise", "Ann", "2026-05-02"] {
        #expect(!answer.contains(word), "\(method) \(path): \(answer)")
      }
    }
    let conflict = try fixture.ask(
      "PATCH", "/items/\(id)", "{}", headers: writer + [#"If-Match: "old""#])
    #expect(conflict.hasPrefix("409") && !conflict.contains("Surprise"))
    let added = try fixture.ask("POST", "/items", #"{"title":"Milk"}"#, headers: writer)
    #expect(added.hasPrefix("201") && added.contains(#""id":"#) && !added.contains("Milk"))
  }
}
