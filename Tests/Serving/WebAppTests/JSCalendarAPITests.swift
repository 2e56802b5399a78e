import FencepostCalendarModel
import FencepostCalendarStore
import FencepostJSON
import FencepostTestSupport
import Foundation
import Testing

@testable import FencepostWebApp

@Suite("JSCalendar over the API")
struct JSCalendarAPITests {
  private let fixture: WebAppFixture
  private let type = WebApp.jsCalendar

  init() throws { fixture = try WebAppFixture() }

  private static let series = #"""
    {"@type":"Event","uid":"s","title":"Choir","start":"2026-05-07T19:00:00","timeZone":"Europe/Berlin","duration":"PT1H",
     "recurrenceRules":[{"@type":"RecurrenceRule","frequency":"weekly"}],"example.org:mood":"high",
     "recurrenceOverrides":{"2026-05-14T19:00:00":{"title":"Concert"},"2026-05-21T19:00:00":{"excluded":true}}}
    """#

  /// Sends with headers: status, headers and body.
  private func send(_ method: String, _ path: String, _ body: String = "", _ headers: String...) throws
    -> (status: String, head: String, body: JSONValue?)
  {
    let probe = try HTTPProbe(port: fixture.port)
    let type = body.isEmpty ? [] : ["Content-Type: \(type)"]
    let lines =
      ["\(method) /api/v1\(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close", fixture.authorization]
      + ["Content-Length: \(body.utf8.count)"] + type + headers
    probe.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    let answer = probe.rest()
    let parts = answer.components(separatedBy: "\r\n\r\n")
    let text = Array(parts.dropFirst().joined(separator: "\r\n\r\n").utf8)
    return (
      String(answer.dropFirst(9).prefix(3)), parts.first ?? "", try? JSONValue(reading: text, maxDepth: 32)
    )
  }

  private func tag(_ head: String) throws -> String {
    try String(#require(head.firstMatch(of: /ETag: ("[^"]+")/)).1)
  }

  private func add() throws -> String {
    let made = try send("POST", "/items", Self.series)
    #expect(made.status == "201" && made.head.contains("Content-Type: \(type);type=event"))
    let items = try fixture.store.read { try $0.items(uid: "s") }
    #expect(items.count == 2)
    return try #require(items.first { $0.detachment == nil }).id.rawValue
  }

  private let wanted = "Accept: application/jscalendar+json"

  @Test("A series is added and read with its overrides, in the client's words")
  func addAndRead() throws {
    let id = try add()
    let read = try send("GET", "/items/\(id)", "", wanted)
    #expect(read.status == "200" && read.head.contains("Vary: Accept"))
    let sent = try JSONValue(reading: Array(Self.series.utf8), maxDepth: 16)
    for name in ["recurrenceOverrides", "example.org:mood", "title", "duration", "start", "recurrenceRules"] {
      #expect(read.body?[name]?.says(try #require(sent[name])) == true, "\(name): \(read.body?.json ?? "")")
    }
    // The same object again is the same item.
    #expect(try send("POST", "/items", Self.series).status == "200")
    #expect(try fixture.store.read { try $0.items(uid: "s") }.count == 2)
    // Without a preference, JSON as before.
    #expect(try send("GET", "/items/\(id)").body?["id"]?.text == id)
    #expect(try send("GET", "/items/\(id)", "", "Accept: text/html, */*;q=0.8").body?["id"]?.text == id)
    #expect(try send("GET", "/items/\(id)", "", "Accept: text/calendar").status == "406")
  }

  @Test("A client writes what it has read and changed, unless someone was faster")
  func replace() throws {
    let id = try add()
    let read = try send("GET", "/items/\(id)", "", wanted)
    let tag = try tag(read.head)
    #expect(try send("GET", "/items/\(id)", "", wanted, "If-None-Match: \(tag)").status == "304")
    #expect(try send("GET", "/items/\(id)", "", "If-None-Match: \(tag)").status == "200")
    let changed = Self.series.replacing("Concert", with: "Big concert")
      .replacing(
        #""2026-05-21T19:00:00":{"excluded":true}"#, with: #""2026-05-28T19:00:00":{"excluded":true}"#)
    let put = try send("PUT", "/items/\(id)", changed, "If-Match: \(tag)")
    #expect(put.status == "200")
    #expect(try self.tag(put.head) != tag)
    let items = try fixture.store.read { try $0.items(uid: "s") }
    #expect(items.first { $0.detachment != nil }?.title == "Big concert")
    #expect(
      items.first { $0.detachment == nil }?.recurrence?.exceptionDates.map(\.day.components.day) == [28])
    #expect(try send("PUT", "/items/\(id)", Self.series, "If-Match: \(tag)").status == "412")
    // An override that is gone takes its occurrence with it, and undo brings it back.
    let bare = Self.series.replacing(#""2026-05-14T19:00:00":{"title":"Concert"},"#, with: "")
    #expect(try send("PUT", "/items/\(id)", bare).status == "200")
    #expect(try fixture.store.read { try $0.items(uid: "s") }.count == 1)
    #expect(try fixture.json("POST", "/undo", "{}")["label"]?.text?.hasPrefix("edit ") == true)
    #expect(try fixture.store.read { try $0.items(uid: "s") }.count == 2)
  }

  @Test("Either form's tag guards a change in the other")
  func tags() throws {
    let id = try add()
    let ours = try tag(send("GET", "/items/\(id)").head)
    #expect(try send("PUT", "/items/\(id)", Self.series, "If-Match: \(ours)").status == "200")
    let theirs = try tag(send("GET", "/items/\(id)", "", wanted).head)
    #expect(try send("DELETE", "/items/\(id)?span=all", "", "If-Match: \"other\"").status == "412")
    #expect(try send("DELETE", "/items/\(id)?span=all", "", "If-Match: \(theirs)").status == "204")
  }

  @Test("A new subtask changes the tag of its parent, and the old one still guards it")
  func subtasks() throws {
    let parent = try fixture.json("POST", "/items", #"{"title":"Party"}"#)
    let id = try #require(parent["id"]?.text)
    let uid = try #require(parent["uid"]?.text)
    let old = try tag(send("GET", "/items/\(id)").head)
    _ = try fixture.json("POST", "/items", #"{"title":"Cake","parent":"\#(uid)"}"#)
    let read = try send("GET", "/items/\(id)", "", "If-None-Match: \(old)")
    #expect(read.status == "200" && read.body?["subtasks"]?.integer == 1)
    for tag in [old, try tag(read.head)] {
      let answer = try fixture.ask(
        "PATCH", "/items/\(id)", #"{"title":"Party"}"#, headers: [fixture.authorization, "If-Match: \(tag)"])
      #expect(answer.hasPrefix("200"))
    }
  }

  @Test("Lists are answered as a group, a series as one entry")
  func group() throws {
    _ = try add()
    _ = try send("POST", "/items", #"{"@type":"Task","title":"Milk","due":"2026-05-01T09:00:00"}"#)
    let group = try send("GET", "/items?kind=all&completed=all", "", wanted)
    #expect(group.head.contains("\(type);type=group") && group.body?["@type"]?.text == "Group")
    #expect(Set(group.body?["entries"]?.list?.map { $0["title"]?.text } ?? []) == ["Choir", "Milk"])
  }

  @Test("Pages of a group divide its entries, not the items")
  func pages() throws {
    _ = try add()
    _ = try send(
      "POST", "/items", #"{"@type":"Event","uid":"x","title":"Fair","start":"2026-05-01T09:00:00"}"#)
    let pages = try (0..<3).map { page in
      try send("GET", "/items?kind=event&limit=1&offset=\(page)", "", wanted).body?["entries"]?.list ?? []
    }
    #expect(
      pages.map(\.count) == [1, 1, 0] && Set(pages.joined().map { $0["title"]?.text }) == ["Choir", "Fair"])
  }

  @Test("An occurrence by itself never passes for its series")
  func occurrenceAlone() throws {
    _ = try add()
    let one =
      #"{"@type":"Event","uid":"s","title":"Concert","start":"2026-05-28T19:00:00","recurrenceId":"2026-05-28T19:00:00"}"#
    #expect(try send("POST", "/items", one).status == "409")
    #expect(try send("POST", "/items", one.replacing(#""s""#, with: #""other""#)).status == "201")
    #expect(try fixture.store.read { try $0.items(uid: "other") }.first?.detachment != nil)
  }

  @Test("A subtask may come before its parent, but never form a circle")
  func parents() throws {
    func task(_ uid: String, below parent: String) -> String {
      #"{"@type":"Task","uid":"\#(uid)","title":"a","relatedTo":{"\#(parent)":{"relation":{"parent":true}}}}"#
    }
    #expect(try send("POST", "/items", task("a", below: "b")).status == "201")
    #expect(try send("POST", "/items", task("b", below: "a")).status == "400")
    #expect(try send("POST", "/items", task("c", below: "c")).status == "400")
  }

  @Test("A task goes to the list of the query, and its default alarm is that list's")
  func list() throws {
    let list = try fixture.json("POST", "/lists", #"{"title":"Garden","reminders":true}"#)
    let id = try #require(list["id"]?.text)
    let task =
      #"{"@type":"Task","uid":"t","title":"Water","due":"2026-05-01T09:00:00","timeZone":"Europe/Berlin"}"#
    #expect(try send("POST", "/items?list=\(id)", task).status == "201")
    #expect(try fixture.store.read { try $0.items(uid: "t") }.map(\.calendar.rawValue) == [id])
    #expect(try send("POST", "/items?list=nowhere", task.replacing(#""t""#, with: #""u""#)).status == "400")
  }

  @Test("Bad objects change nothing, and say where they are wrong")
  func bad() throws {
    let id = try add()
    let before = try fixture.store.read { try $0.lastChange() }
    let bad = try send("PUT", "/items/\(id)", Self.series.replacing("PT1H", with: "an hour"))
    #expect(bad.status == "400" && bad.body?["pointer"]?.text == "/duration")
    #expect(
      try send("PUT", "/items/\(id)", Self.series.replacing("\"Event\"", with: "\"Task\"")).status == "400")
    #expect(
      try send("PUT", "/items/\(id)", Self.series.replacing("\"s\"", with: "\"other\"")).status == "400")
    #expect(try send("PUT", "/items/nothing", Self.series).status == "404")
    #expect(try fixture.ask("PUT", "/items/\(id)", "{}").hasPrefix("415"))
    #expect(try fixture.store.read { try $0.lastChange() } == before)
  }
}
