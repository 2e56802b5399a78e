import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostJSON
import FencepostTestSupport
import FencepostWebServer
import Testing

@testable import FencepostWebApp

@Suite("A list that is shared by a link")
struct InvitationAPITests {
  let fixture: WebAppFixture
  let list: String
  let owner: [String]

  init() throws {
    fixture = try WebAppFixture()
    list = try fixture.json("POST", "/lists", #"{"title":"Our <list>"}"#)["id"]?.text ?? ""
    owner = ["Cookie: \(try fixture.signIn())"]
  }

  /// An invitation by the owner: its number, and the path and query of its link.
  private func invite(_ rights: String = #"["read","write"]"#) throws -> (id: String, path: String) {
    let answer = try fixture.ask(
      "POST", "/invitations", #"{"list_id":"\#(list)","rights":\#(rights)}"#, headers: owner)
    #expect(answer.hasPrefix("201"))
    let json = try JSONValue(readingCommented: Array(answer.dropFirst(3).utf8), maxDepth: 8)
    let link = try #require(json["link"]?.text)
    return (try #require(json["id"]?.text), "/invitation?" + link.drop { $0 != "?" }.dropFirst())
  }

  /// Sends the form of a link's page: the whole answer.
  private func join(_ path: String, name: String, headers: [String] = []) throws -> String {
    let key = path.drop { $0 != "=" }.dropFirst()
    let body = "key=\(key)&name=\(name)"
    let probe = try HTTPProbe(port: fixture.port)
    let head = ["POST /invitation HTTP/1.1", "Host: localhost"] + headers
    let rest = [
      "Content-Type: application/x-www-form-urlencoded", "Content-Length: \(body.utf8.count)",
      "Connection: close", "", body,
    ]
    probe.send((head + rest).joined(separator: "\r\n"))
    return probe.rest()
  }

  private func cookie(_ answer: String) throws -> [String] {
    let key = try #require(answer.firstMatch(of: /Set-Cookie: fencepost=([^;]+);/)).1
    // The session for the port too, which the API is asked at.
    return ["Cookie: fencepost=\(key); fencepost-\(fixture.port)=\(key)"]
  }

  @Test("A name with marks after its signs is text on the page")
  func marks() throws {
    let (_, path) = try invite()
    let page = try HTTPProbe.ask(
      fixture.port, "GET", path + "&name=%22%CC%81%3E%CC%81%D8%80%3Cmeta%20x%3E%CC%81")
    #expect(page.hasPrefix("200") && page.contains("&quot;\u{301}&gt;\u{301}\u{600}&lt;meta x&gt;\u{301}"))
  }

  @Test("The link shows the list, makes a client of the name, and signs its browser in")
  func joined() throws {
    let (_, path) = try invite()
    for _ in 1...2 {
      let page = try HTTPProbe.ask(fixture.port, "GET", path)
      #expect(page.hasPrefix("200") && page.contains("“Our &lt;list&gt;”") && page.contains("name=\"name\""))
    }
    let answer = try join(path, name: "Ana")
    #expect(answer.hasPrefix("HTTP/1.1 200") && answer.contains("Welcome, Ana"))
    let ana = try cookie(answer)
    let session = try fixture.ask("GET", "/session", headers: ana)
    #expect(session.contains(#""name":"Ana""#) && session.contains(#""owner":false"#))
    #expect(try fixture.ask("GET", "/lists", headers: ana).contains("Our <list>"))
    // Others' lists, and what is the owner's, are not there.
    let hidden = try fixture.json("POST", "/items", #"{"title":"Secret"}"#)["id"]?.text ?? ""
    #expect(try fixture.ask("GET", "/items/\(hidden)", headers: ana).hasPrefix("404"))
    for path in ["/invitations", "/clients", "/sessions", "/devices", "/settings"] {
      #expect(try fixture.ask("GET", path, headers: ana).hasPrefix("403"), "\(path)")
    }
    #expect(try join(path, name: "Ben").contains("was used or has ended"))
    let sessions = try fixture.ask("GET", "/sessions", headers: owner)
    #expect(sessions.contains(#""client":"ana""#))
    // Signing out ends this session alone.
    #expect(try fixture.ask("DELETE", "/session", headers: ana).hasPrefix("204"))
    #expect(try fixture.ask("GET", "/session", headers: ana).hasPrefix("401"))
    #expect(try fixture.ask("GET", "/session", headers: owner).hasPrefix("200"))
  }

  @Test("A change says who made it, and only its maker or the owner undoes it")
  func author() throws {
    let ana = try cookie(try join(try invite().path, name: "Ana"))
    let made = try fixture.ask(
      "POST", "/items", #"{"title":"Milk","list_id":"\#(list)"}"#, headers: ana)
    #expect(made.hasPrefix("201"))
    let id = try #require(made.firstMatch(of: #/"id":"([^"]+)"/#)).1
    let byAna = #"{"changes":[{"by":"Ana","through":"client","gone":false,"own":false"#
    #expect(try fixture.ask("GET", "/items/\(id)/changes").contains(byAna))
    _ = try fixture.json("PATCH", "/items/\(id)", #"{"title":"Oat milk"}"#)
    // The client of the test is called "all".
    let changes = try fixture.ask("GET", "/items/\(id)/changes", headers: ana)
    #expect(changes.contains(#"{"changes":[{"by":"all","#))
    #expect(changes.contains(#"{"by":"Ana","through":"client","gone":false,"own":true"#))
    #expect(try fixture.ask("POST", "/undo", "{}", headers: ana).hasPrefix("409"))
    let own = try fixture.ask("GET", "/undo", headers: ana)
    #expect(own.contains(#""label":"add Milk""#) && own.contains(#""own":true,"by":"Ana""#))
    #expect(!own.contains("Oat milk") && !own.contains("Our <list>"))
    _ = try fixture.json("POST", "/undo", "{}")
    #expect(try fixture.ask("POST", "/undo", "{}", headers: ana).hasPrefix("200"))
    #expect(try fixture.ask("GET", "/items/\(id)", headers: ana).hasPrefix("404"))
  }

  @Test(
    "A client that is called like the pages or a command is itself in the history", arguments: ["web", "add"])
  func likePages(_ name: String) throws {
    let (user, password) = try fixture.app.clients.add(name, rights: [.read, .write])
    let made = try fixture.ask(
      "POST", "/items", #"{"title":"Milk"}"#, headers: [WebAppFixture.basic(user, password)])
    #expect(made.hasPrefix("201"))
    let step = try fixture.ask("GET", "/undo", headers: owner)
    #expect(step.contains(#""own":false,"by":"\#(name)","through":"client","gone":false"#))
    _ = try fixture.ask("POST", "/items", #"{"title":"Bread"}"#, headers: owner)
    #expect(
      try fixture.ask("POST", "/undo", "{}", headers: [WebAppFixture.basic(user, password)]).hasPrefix("409"))
    #expect(
      try fixture.ask("POST", "/undo", "{}", headers: owner)
        .contains(#""own":true,"by":null,"through":"pages","gone":false"#))
    try fixture.app.clients.revoke(name)
    #expect(try fixture.ask("GET", "/undo", headers: owner).contains(#""through":"client","gone":true"#))
  }

  @Test("Groups of two people with one key stay apart, so neither undoes what the other did")
  func groups() throws {
    let ana = try cookie(try join(try invite().path, name: "Ana"))
    let group = "Undo-Group: \(String(repeating: "a", count: 16))"
    for (title, who) in [("Milk", owner), ("Bread", ana)] {
      let body = #"{"title":"\#(title)","list_id":"\#(list)"}"#
      #expect(try fixture.ask("POST", "/items", body, headers: who + [group]).hasPrefix("201"))
    }
    #expect(try fixture.ask("POST", "/undo", "{}", headers: ana).hasPrefix("200"))
    let left = try fixture.ask("GET", "/items", headers: ana)
    #expect(left.contains("Milk") && !left.contains("Bread"))
  }

  @Test("A guest starts no program that makes rooms")
  func conferences() throws {
    let ana = try cookie(try join(try invite().path, name: "Ana"))
    for (method, path) in [("GET", ""), ("GET", "/jitsi"), ("POST", "/jitsi")] {
      let body = method == "GET" ? "" : #"{"room_type":"room"}"#
      #expect(
        try fixture.ask(method, "/conferences" + path, body, headers: ana).hasPrefix("403"), "\(method)")
    }
  }

  @Test("A guest with many pages ends its own oldest ones, and neither the owner's nor another guest's")
  func manyStreams() {
    let hub = EventHub()
    func principal(_ number: Int64?) -> Principal {
      Principal(name: "x", way: number == nil ? .session([]) : .clientSession([]), rights: [], number: number)
    }
    func add(_ count: Int, of number: Int64?) -> [HTTPEventStream] {
      (0..<count).map { _ in
        let stream = HTTPEventStream()
        hub.add(stream, of: principal(number))
        return stream
      }
    }
    let own = add(EventHub.reserved, of: nil)
    let (ben, ana) = (add(2, of: 2), add(EventHub.maximum * 2, of: 1))
    #expect((own + ben).allSatisfy { !$0.isClosed })
    #expect(ana.count(where: { !$0.isClosed }) == EventHub.maximum - EventHub.reserved - 2)
    #expect(ana.last?.isClosed == false && ana.first?.isClosed == true)
    // Many guests with one page each don't end the owner's either.
    for number in 3...Int64(EventHub.maximum * 2) { _ = add(1, of: number) }
    #expect(own.allSatisfy { !$0.isClosed })
    // Beyond its share, the owner is a listener as all others.
    let more = add(EventHub.maximum * 2, of: nil)
    #expect(own.allSatisfy(\.isClosed) && more.last?.isClosed == false)
  }

  @Test("A guest for reading changes nothing, and an owner who tries the link stays the owner")
  func rights() throws {
    let (_, path) = try invite(#"["read"]"#)
    #expect(try join(path, name: "Me", headers: owner).contains("You are signed in as the owner."))
    let ana = try cookie(try join(path, name: "Ana"))
    #expect(try fixture.ask("GET", "/items", headers: ana).hasPrefix("200"))
    #expect(
      try fixture.ask("POST", "/items", #"{"title":"x","list_id":"\#(list)"}"#, headers: ana)
        .hasPrefix("403"))
    #expect(try fixture.ask("POST", "/undo", "{}", headers: ana).hasPrefix("403"))
  }

  @Test("Only the owner invites, in usable words, and can revoke a link")
  func invitations() throws {
    let (id, path) = try invite()
    #expect(try fixture.ask("GET", "/invitations", headers: owner).contains(id))
    #expect(try fixture.ask("POST", "/invitations", #"{"list_id":"\#(list)"}"#).hasPrefix("403"))
    for body in [
      #"{"list_id":"none"}"#, "{}", #"{"list_id":"\#(list)","days":0}"#,
      #"{"list_id":"\#(list)","rights":["positions"]}"#, #"{"list_id":"\#(list)","rights":[]}"#,
    ] {
      #expect(try fixture.ask("POST", "/invitations", body, headers: owner).hasPrefix("400"), "\(body)")
    }
    #expect(try fixture.ask("DELETE", "/invitations/\(id)", headers: owner).hasPrefix("204"))
    #expect(try fixture.ask("DELETE", "/invitations/\(id)", headers: owner).hasPrefix("404"))
    #expect(try HTTPProbe.ask(fixture.port, "GET", path).hasPrefix("403"))
  }

  @Test("A browser of a shared list hears that something changed, and nothing of alarms and devices")
  func events() throws {
    let ana = try cookie(try join(try invite().path, name: "Ana"))
    let probe = try HTTPProbe(port: fixture.port)
    probe.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\(ana[0])\r\n\r\n")
    #expect(eventually { !fixture.app.events.isEmpty })
    fixture.app.note(.firing(#"{"title":"Secret"}"#, id: "1"))
    fixture.app.note(.positions)
    fixture.app.note(.change(7))
    let heard = probe.read(until: "{\"change\":7}")
    #expect(heard.contains("event: change") && !heard.contains("Secret") && !heard.contains("positions"))
  }
}
