import FencepostActions
import FencepostCalendarStore
import FencepostClients
import FencepostJSON
import FencepostWebServer
import Testing

@testable import FencepostWebApp

@Suite("Access of apps over the API")
struct AppAPITests {
  private let fixture: WebAppFixture
  private let owner: [String]

  init() throws {
    fixture = try WebAppFixture()
    owner = ["Cookie: \(try fixture.signIn())"]
    try fixture.store.write { [fixture] writer in
      for (app, subject) in [("file:/home/a/b c@12", AccessSubject.events), ("mcp:plan", .reminders)] {
        try writer.save(
          AccessDecision(
            app: app, entity: subject.rawValue, status: AccessLevel.notDetermined.rawValue,
            decided: fixture.now))
      }
      try writer.record(
        KnownApp(
          key: "mcp:plan", strength: "agent", claim: "Plan", reason: nil, firstUsed: fixture.now,
          lastUsed: fixture.now, requests: 3))
    }
  }

  /// Asks as the owner, in a browser.
  private func ask(_ method: String, _ path: String, _ body: String = "") throws -> JSONValue {
    let answer = try fixture.ask(method, path, body, headers: owner)
    try #require(answer.hasPrefix("200 "), "\(answer)")
    return try JSONValue(reading: Array(answer.dropFirst(4).utf8), maxDepth: 16)
  }

  @Test("The owner sees who waits, and decides")
  func decide() throws {
    let apps = try #require(try ask("GET", "/apps")["apps"]?.list)
    try #require(apps.map { $0["app"]?.text } == ["file:/home/a/b c@12", "mcp:plan"])
    #expect(apps.map { $0["access"]?.text } == ["waiting", "waiting"])
    #expect(apps[1]["answers"]?.list?.map(\.text) == ["full", "write-only", "denied"])
    #expect(apps[1]["claim"]?.text == "Plan")
    let path = "/apps/file%3A%2Fhome%2Fa%2Fb%20c%4012/events"
    #expect(try ask("PUT", path, #"{"access":"write-only"}"#)["access"]?.text == "write-only")
    #expect(try fixture.ask("PUT", path, #"{"access":"everything"}"#, headers: owner).hasPrefix("400"))
    #expect(
      try fixture.ask("PUT", "/apps/mcp%3Aplan/location", #"{"access":"full"}"#, headers: owner)
        .hasPrefix("404"))
    #expect(try fixture.ask("DELETE", "/apps/mcp%3Aplan", headers: owner) == "204")
    #expect(try ask("GET", "/apps")["apps"]?.list?.map { $0["access"]?.text } == ["write-only"])
  }

  @Test("An app that may add and asks for more waits, with what it has; each answer decides")
  func more() throws {
    let events = AccessSubject.events.rawValue
    func app() throws -> JSONValue? {
      try ask("GET", "/apps")["apps"]?.list?.first { $0["app"]?.text == "notes" }
    }
    for answer in ["write-only", "full"] {
      var decision = AccessDecision(
        app: "notes", entity: events, status: AccessLevel.writeOnly.rawValue, decided: fixture.now)
      decision.wanted = AccessLevel.full.rawValue
      try fixture.store.write { try $0.save(decision) }
      #expect(try app()?["access"]?.text == "write-only")
      #expect(try app()?["wanted"]?.text == "full")
      let question = try fixture.store.read { try $0.accessQuestions() }.first { $0.app == "notes" }
      #expect(question?.title == "notes has “Only add” for your events, and asks for “Full access”.")
      #expect(try ask("PUT", "/apps/notes/events", #"{"access":"\#(answer)"}"#)["access"]?.text == answer)
      #expect(try app()?["wanted"] == nil)
      #expect(try fixture.store.read { try !$0.accessQuestions().contains { $0.app == "notes" } })
    }
    #expect(try fixture.store.read { try $0.accessDecision(app: "notes", entity: events)?.refused } == nil)
  }

  @Test("An agent is known by its client, and waits for an answer like others")
  func agent() throws {
    let find = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find","arguments":{}}}"#
    #expect(try fixture.ask("POST", "/mcp", find).contains("mcp:all@server"))
    #expect(try fixture.ask("POST", "/mcp", "{").hasPrefix("200 {\"jsonrpc\":\"2.0\",\"id\":null,\"error\""))
    let notification = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
    #expect(try fixture.ask("POST", "/mcp", notification) == "202")
    #expect(try fixture.ask("GET", "/mcp").hasPrefix("405"))
    #expect(try fixture.ask("POST", "/mcp", find, headers: owner).hasPrefix("403"))
    let (user, password) = try fixture.app.clients.add("reader", rights: [.read])
    let reader = [WebAppFixture.basic(user, password)]
    #expect(try fixture.ask("POST", "/mcp", find, headers: reader).hasPrefix("403"))
    try fixture.store.write { writer in
      for question in try writer.reader.accessQuestions() where question.app == "mcp:all@server" {
        _ = try writer.answer(question, .full, at: fixture.now)
      }
    }
    #expect(try fixture.ask("POST", "/mcp", find).contains("\"total\":0"))
    // A client that is revoked takes its decisions along.
    try fixture.app.clients.revoke("all")
    #expect(try fixture.store.read { try $0.accessDecisions() }.allSatisfy { $0.app != "mcp:all@server" })
  }

  @Test("No program decides, whatever its rights")
  func onlyTheOwner() throws {
    #expect(try fixture.ask("GET", "/apps").hasPrefix("403"))
    #expect(
      try fixture.ask("PUT", "/apps/mcp%3Aplan/reminders", #"{"access":"full"}"#).hasPrefix("403"))
    #expect(try fixture.ask("DELETE", "/apps/mcp%3Aplan").hasPrefix("403"))
  }
}
