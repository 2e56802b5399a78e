import FencepostCalendarModel
import FencepostCalendarStore
import FencepostDaemonControl
import FencepostJSON
import FencepostTestSupport
import FencepostWebServer
import Testing

@testable import FencepostClients
@testable import FencepostWebApp

@Suite("Pages that apps ask for")
struct AppPageTests {
  private let fixture: WebAppFixture

  init() throws { fixture = try WebAppFixture() }

  /// A page in a browser: its part of the API with its cookie.
  private struct Browser {
    let fixture: WebAppFixture
    let base: String
    let cookie: String

    init(_ fixture: WebAppFixture, _ path: String) throws {
      self.fixture = fixture
      let probe = try HTTPProbe(port: fixture.port)
      probe.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      let answer = probe.rest()
      let set = try #require(
        answer.firstMatch(of: /Set-Cookie: ([^;]+); Path=([^;]+); HttpOnly; SameSite=Strict/))
      cookie = String(set.1)
      base = String(set.2)
    }

    func ask(_ method: String, _ path: String, _ body: String = "") throws -> String {
      try fixture.ask(method, base + path, body, headers: ["Cookie: \(cookie)"])
    }
  }

  private func request(_ kind: PageRequest.Kind, _ change: (inout PageRequest) -> Void = { _ in })
    -> PageRequest
  {
    var request = PageRequest(kind, app: "org.example.app")
    change(&request)
    return request
  }

  private func allow(_ level: AccessLevel) throws {
    try fixture.store.write {
      try $0.save(
        AccessDecision(app: "org.example.app", entity: 0, status: level.rawValue, decided: fixture.now))
    }
  }

  private func makeEvent(_ title: String = "Mine") throws -> String {
    let event = try fixture.json(
      "POST", "/items", #"{"type":"event","title":"\#(title)","start":"2026-05-02T09:00"}"#)
    return try #require(event["id"]?.text)
  }

  @Test("An app without access may have an event added, and hears only its identifier")
  func add() throws {
    let hidden = try makeEvent("Hidden")
    let draft = try JSONValue(
      readingCommented: Array(
        #"{"title":"Draft","availability":"free","uid":"x","conferences":[{"url":"https://video.example/r"}]}"#
          .utf8), maxDepth: 4)
    let (page, path, _) = try fixture.app.openPage(request(.edit) { $0.draft = draft })
    let browser = try Browser(fixture, path)
    #expect(try browser.ask("GET", "/page").contains(#""title":"Draft""#))
    // Neither other items nor anything else.
    for (method, path) in [
      ("GET", "/items/\(hidden)"), ("PATCH", "/items/\(hidden)"), ("DELETE", "/items/\(hidden)"),
      ("GET", "/items"), ("GET", "/agenda"), ("GET", "/places"), ("GET", "/devices"), ("POST", "/undo"),
      ("GET", "/settings"), ("POST", "/lists"), ("GET", "/clients"),
    ] {
      let status = try browser.ask(method, path, method == "GET" || method == "DELETE" ? "" : "{}").prefix(3)
      #expect(status == "403" || status == "404", "\(method) \(path)")
    }
    #expect(try browser.ask("GET", "/lists").contains(#""total""#) == false)
    #expect(try browser.ask("GET", "/places/find?text=Home").contains(#""found":[]"#))
    let body = #"{"type":"event","title":"Dinner","start":"2026-05-03T19:00","uid":"y"}"#
    #expect(try browser.ask("POST", "/items", body).hasPrefix("201"))
    guard case .saved(let id) = page.takeReports().last else {
      Issue.record("nothing was saved")
      return
    }
    let saved = try fixture.json("GET", "/items/\(id)")
    #expect(saved["title"]?.text == "Dinner" && saved["availability"]?.text == "free")
    #expect(saved["conferences"]?.list?.first?["url"]?.text == "https://video.example/r")
    #expect(saved["uid"]?.text != "x" && saved["uid"]?.text != "y")
    // The right has ended.
    #expect(try browser.ask("POST", "/items", body).hasPrefix("401"))
  }

  @Test("What exists is edited only for an app with full access, and nothing else with it")
  func edit() throws {
    let id = try makeEvent(), other = try makeEvent("Other")
    #expect(throws: ControlError.self) { try fixture.app.openPage(request(.edit) { $0.item = id }) }
    try allow(.writeOnly)
    #expect(throws: ControlError.self) { try fixture.app.openPage(request(.edit) { $0.item = id }) }
    #expect(throws: ControlError.self) { try fixture.app.openPage(request(.view) { $0.item = id }) }
    try allow(.full)
    #expect(throws: ControlError.self) { try fixture.app.openPage(request(.edit) { $0.item = "none" }) }
    let (page, path, _) = try fixture.app.openPage(request(.edit) { $0.item = id })
    let browser = try Browser(fixture, path)
    #expect(try browser.ask("GET", "/items/\(id)").hasPrefix("200"))
    #expect(try browser.ask("GET", "/items/\(other)").hasPrefix("404"))
    #expect(
      try browser.ask("POST", "/items", #"{"type":"event","title":"x","start":"2026-05-03"}"#).hasPrefix(
        "403"))
    #expect(try browser.ask("PATCH", "/items/\(id)", #"{"title":"Changed"}"#).hasPrefix("200"))
    #expect(page.takeReports() == [.saved(item: id)])
    #expect(try browser.ask("DELETE", "/items/\(id)").hasPrefix("401"))
  }

  @Test("A viewer shows, and changes only if the app allows it")
  func view() throws {
    let id = try makeEvent()
    try allow(.full)
    let (page, path, _) = try fixture.app.openPage(request(.view) { $0.item = id })
    let browser = try Browser(fixture, path)
    #expect(try browser.ask("PATCH", "/items/\(id)", #"{"title":"x"}"#).hasPrefix("403"))
    #expect(try browser.ask("DELETE", "/items/\(id)").hasPrefix("403"))
    #expect(try browser.ask("POST", "/page/end", #"{"outcome":"done"}"#) == "204")
    #expect(page.takeReports() == [.done])
    let (editable, second, _) = try fixture.app.openPage(
      request(.view) { ($0.item, $0.allowsEditing) = (id, true) })
    let editing = try Browser(fixture, second)
    #expect(try editing.ask("PATCH", "/items/\(id)", #"{"title":"x"}"#).hasPrefix("200"))
    #expect(!editable.isOver)
    #expect(try editing.ask("DELETE", "/items/\(id)") == "204")
    #expect(editable.takeReports() == [.deleted])
  }

  @Test("Under write-only access the chooser has writable calendars alone")
  func choose() throws {
    _ = try makeEvent()
    try fixture.store.write { writer in
      let source = try writer.defaultCalendar(for: .events).source
      var holidays = ItemCalendar(source: source, title: "Holidays", entities: .events)
      holidays.allowsContentModifications = false
      try writer.save(holidays)
    }
    #expect(throws: ControlError.self) { try fixture.app.openPage(request(.choose)) }
    for (level, onlyWritable, isShown) in [
      (AccessLevel.writeOnly, false, false), (.full, false, true), (.full, true, false),
    ] {
      try allow(level)
      let (page, path, _) = try fixture.app.openPage(request(.choose) { $0.onlyWritable = onlyWritable })
      let browser = try Browser(fixture, path)
      let lists = try browser.ask("GET", "/lists")
      #expect(lists.contains("Holidays") == isShown, "\(level)")
      let id = try #require(lists.firstMatch(of: /"id":"([^"]+)"/)).1
      #expect(try browser.ask("POST", "/page/selection", #"{"calendars":["\#(id)"]}"#) == "204")
      #expect(try browser.ask("POST", "/page/selection", #"{"calendars":["none"]}"#).hasPrefix("400"))
      #expect(page.takeReports() == [.selection([String(id)])])
    }
  }

  @Test("A browser hears that its page is over before the stream ends, so that it does not connect again")
  func streamEnds() throws {
    let (page, path, _) = try fixture.app.openPage(request(.edit))
    let browser = try Browser(fixture, path)
    let probe = try HTTPProbe(port: fixture.port)
    probe.send("GET \(browser.base)/events HTTP/1.1\r\nHost: localhost\r\nCookie: \(browser.cookie)\r\n\r\n")
    #expect(eventually { !fixture.app.events.isEmpty })
    page.report(.canceled)
    fixture.app.note(.change(1))
    let heard = probe.read(until: "event: end")
    #expect(heard.contains("event: end") && !heard.contains("event: change"))
  }

  @Test("A page that is saved twice at once is saved once, and is not canceled meanwhile")
  func claims() throws {
    let (page, path, _) = try fixture.app.openPage(request(.edit))
    let browser = try Browser(fixture, path)
    #expect(page.claim() && !page.claim())
    #expect(page.deadline == nil && !page.report(.canceled))
    let body = #"{"type":"event","title":"Dinner","start":"2026-05-03T19:00"}"#
    #expect(try browser.ask("POST", "/items", body).hasPrefix("409"))
    page.release()
    #expect(page.deadline != nil)
    #expect(try browser.ask("POST", "/items", #"{"type":"event","title":"Dinner"}"#).hasPrefix("400"))
    #expect(try browser.ask("POST", "/items", body).hasPrefix("201"))
    #expect(page.takeReports().count == 1 && !page.claim())
  }

  @Test("One of two tabs may be closed")
  func tabs() throws {
    let (page, _, _) = try fixture.app.openPage(request(.edit))
    page.began()
    page.began()
    page.left(at: fixture.now)
    page.ended(at: fixture.now)
    #expect(page.deadline == nil)
    page.left(at: fixture.now)
    page.ended(at: fixture.now)
    #expect(page.deadline == fixture.now.adding(seconds: OpenPages.grace))
  }

  @Test("A key works once and for a minute; a wrong cookie and a signed-in owner open nothing")
  func keys() throws {
    let (page, path, expires) = try fixture.app.openPage(request(.edit))
    #expect(expires.seconds(since: fixture.now) == OpenPages.keySeconds)
    let browser = try Browser(fixture, path)
    let probe = try HTTPProbe(port: fixture.port)
    probe.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let second = probe.rest()
    #expect(second.contains("Location: /page/over") && !second.contains("Set-Cookie"))
    #expect(
      try fixture.ask("GET", browser.base + "/page", headers: ["Cookie: fencepost-page=wrong"]).hasPrefix(
        "401"))
    // With all rights, but not that of the page.
    #expect(try fixture.ask("GET", browser.base + "/page").hasPrefix("401"))
    #expect(try fixture.ask("GET", "/page").hasPrefix("403"))
    fixture.app.close(page)
    #expect(try browser.ask("GET", "/page").hasPrefix("401"))
    #expect(fixture.app.openPages.redeem("none", at: fixture.now) == nil)
    let late = try fixture.app.openPages.open(page.right, at: fixture.now)
    #expect(fixture.app.openPages.redeem(late.key, at: late.expires) == nil)
  }

  @Test("A page is over some seconds after its browser has gone, and not for a reload")
  func closed() throws {
    let (page, _, _) = try fixture.app.openPage(request(.edit))
    let now = fixture.now
    #expect(page.deadline == now.adding(seconds: OpenPages.keySeconds))
    page.began()
    #expect(page.deadline == nil)
    page.left(at: now)
    page.began()
    #expect(page.deadline == nil)
    page.ended(at: now)
    #expect(page.deadline == nil)
    page.ended(at: now)
    #expect(page.deadline == now.adding(seconds: OpenPages.reconnecting))
    page.left(at: now)
    #expect(page.deadline == now.adding(seconds: OpenPages.grace))
    #expect(page.report(.canceled) && !page.report(.done))
    #expect(page.takeReports() == [.canceled])
  }
}
