import FencepostTestSupport
import FoundationEssentials
import Testing

@testable import FencepostCalDAVClient

@Suite struct DiscoveryTests {
  private typealias Response = LoopbackServer.Response

  private static func multistatus(_ inner: String) -> Response {
    Response(
      status: 207, headers: ["Content-Type": "application/xml"],
      body: Array(
        """
        <?xml version="1.0"?><x:multistatus xmlns:x="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav"
          xmlns:cs="http://calendarserver.org/ns/">\(inner)</x:multistatus>
        """.utf8))
  }

  private static func property(_ href: String, _ properties: String) -> String {
    "<x:response><x:href>\(href)</x:href><x:propstat><x:prop>\(properties)</x:prop>"
      + "<x:status>HTTP/1.1 200 OK</x:status></x:propstat></x:response>"
  }

  @Test func redirectionsThePrincipalAndTheHomeAreFollowed() throws {
    let server = try LoopbackServer { request in
      switch (request.method, request.path) {
      case ("PROPFIND", "/"): Response(status: 404)
      case ("PROPFIND", "/.well-known/caldav"): Response(status: 301, headers: ["Location": "/dav/"])
      case ("PROPFIND", "/dav/"):
        Self.multistatus(
          Self.property(
            "/dav/", "<x:current-user-principal><x:href> /p/anna/ </x:href></x:current-user-principal>"))
      case ("PROPFIND", "/p/anna/"):
        Self.multistatus(
          Self.property(
            "/p/anna/", "<cal:calendar-home-set><x:href>/c/anna/</x:href></cal:calendar-home-set>"))
      case ("PROPFIND", "/c/anna/"):
        Self.multistatus(
          Self.property("/c/anna/", "<x:resourcetype><x:collection/></x:resourcetype>")
            + Self.property(
              "/c/anna/t%61sks/",
              "<x:resourcetype><x:collection/><cal:calendar/></x:resourcetype><x:displayname>Tasks</x:displayname>"
                + "<cal:supported-calendar-component-set><cal:comp name=\"VTODO\"/></cal:supported-calendar-component-set>"
                + "<x:current-user-privilege-set><x:privilege><x:read/></x:privilege></x:current-user-privilege-set>"
                + "<cs:getctag>7</cs:getctag>")
            + Self.property(
              "/c/anna/inbox/", "<x:resourcetype><x:collection/><cal:schedule-inbox/></x:resourcetype>"))
      default: Response(status: 500)
      }
    }
    let origin = try #require(URL(string: server.address("/")))
    let session = try DAVSession(origin: origin, credentials: .password(user: "anna", password: "p:w"))
    let discovery = CalDAVDiscovery { _ in ServiceRecords() }
    let home = try discovery.home(at: discovery.candidates(for: server.address("/")).urls, session: session)
    #expect(home.absoluteString == server.address("/c/anna/"))
    let calendars = try CalDAVHome(session: session, url: home).calendars()
    let calendar = try #require(calendars.first)
    #expect(calendars.count == 1)
    #expect((calendar.name, calendar.title, calendar.changeTag) == ("/c/anna/tasks/", "Tasks", "7"))
    #expect((calendar.takesEvents, calendar.takesReminders, calendar.isWritable) == (false, true, false))
    #expect(server.requests.allSatisfy { $0.headers["authorization"] == "Basic YW5uYTpwOnc=" })
    #expect(server.requests.allSatisfy { $0.headers["content-type"] == "application/xml; charset=utf-8" })
  }

  @Test(arguments: ["1, 3, calendar-access, calendar-auto-schedule", "1, calendar-access"])
  func theServerSaysWhatItDoesAboutInvitations(features: String) throws {
    let server = try LoopbackServer { request in
      guard request.path == "/c/anna/" else {
        return Self.multistatus(
          Self.property(
            "/p/anna/",
            "<cal:calendar-user-address-set><x:href>mailto:anna@club.example</x:href><x:href>/p/anna/</x:href>"
              + "<x:href> MAILTO:a@b.example </x:href></cal:calendar-user-address-set>"))
      }
      var answer = Self.multistatus(
        Self.property(
          "/c/anna/", "<x:current-user-principal><x:href>/p/anna/</x:href></x:current-user-principal>"))
      answer.headers["DAV"] = features
      return answer
    }
    let origin = try #require(URL(string: server.address("/c/anna/")))
    let session = try DAVSession(origin: origin, credentials: .password(user: "anna", password: "p"))
    let scheduling = try #require(try CalDAVHome(session: session, url: origin).scheduling())
    #expect(scheduling.isAutomatic == features.contains("auto"))
    #expect(scheduling.addresses == ["anna@club.example", "a@b.example"])
  }

  @Test func calendarsOfSeveralHostsAreToldApartAndTitlesAreCut() throws {
    let type = "<x:resourcetype><x:collection/><cal:calendar/></x:resourcetype>"
    let title = "<x:displayname>\(String(repeating: "N", count: 3_000))&#10;</x:displayname>"
    let server = try LoopbackServer { request in
      let own = "http://\(request.headers["host"] ?? "")/c/one/"
      return Self.multistatus(
        [own, "/c/%6Fne/", "https://elsewhere.example/c/one/", "https://elsewhere.example:443/c/one/"]
          .map { Self.property($0, type + title) }.joined())
    }
    let home = try #require(URL(string: server.address("/c/")))
    let calendars = try CalDAVHome(session: DAVSession(origin: home, credentials: nil), url: home).calendars()
    #expect(calendars.map(\.name) == ["/c/one/", "//elsewhere.example:443/c/one/"])
    #expect(calendars.map { $0.title?.count } == [200, 200])
  }

  @Test func credentialsAreNotSentToTheTargetOfARedirectionElsewhere() throws {
    let other = try LoopbackServer { _ in Response(status: 404) }
    let target = other.address("/")
    let server = try LoopbackServer { _ in Response(status: 302, headers: ["Location": target]) }
    let origin = try #require(URL(string: server.address("/")))
    let session = try DAVSession(
      origin: origin, credentials: .password(user: "anna", password: "secret"))
    #expect(throws: DAVFailure.self) {
      try CalDAVDiscovery { _ in ServiceRecords() }.home(at: [origin], session: session)
    }
    #expect(!other.requests.isEmpty)
    #expect(other.requests.allSatisfy { $0.headers["authorization"] == nil })
  }

  @Test func digestIsUsedWhereTheServerAsksForIt() throws {
    let server = try LoopbackServer { request in
      request.headers["authorization"]?.hasPrefix("Digest ") == true
        ? Self.multistatus(
          Self.property("/", "<cal:calendar-home-set><x:href>/home/</x:href></cal:calendar-home-set>"))
        : Response(
          status: 401,
          headers: ["WWW-Authenticate": "Digest realm=\"r\", nonce=\"n\", qop=\"auth\", algorithm=MD5"])
    }
    let origin = try #require(URL(string: server.address("/")))
    let session = try DAVSession(
      origin: origin, credentials: .password(user: "anna", password: "secret"))
    let home = try CalDAVDiscovery { _ in ServiceRecords() }.home(at: [origin], session: session)
    #expect(home.absoluteString == server.address("/home/"))
  }

  @Test(arguments: [
    (401, DAVFailure.Kind.unauthorized), (423, .later), (429, .later), (503, .later), (500, .later),
    (403, .forbidden),
    (404, .missing), (200, .unreadable), (405, .unsupported),
  ])
  func failuresAreToldApart(status: Int, kind: DAVFailure.Kind) throws {
    let server = try LoopbackServer { _ in
      Response(status: status, headers: ["Retry-After": "60"], body: Array("<html>".utf8))
    }
    let url = try #require(URL(string: server.address("/")))
    let session = try DAVSession(origin: url, credentials: nil)
    let failure = #expect(throws: DAVFailure.self) { try CalDAVHome(session: session, url: url).calendars() }
    #expect(failure?.kind == kind)
    if kind == .later { #expect(failure?.retryAfter == 60) }
  }
}
