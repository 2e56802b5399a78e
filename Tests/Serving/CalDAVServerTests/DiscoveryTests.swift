import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostWebServer
import FencepostXML
import Testing

@testable import FencepostCalDAVServer

@Suite("How clients find the account")
struct DiscoveryTests {
  /// What iOS 26 asks the principal for.
  static let ofPrincipal: [XMLName] = [
    .caldav("calendar-home-set"), .caldav("calendar-user-address-set"), .dav("current-user-principal"),
    .dav("displayname"), .calendarServer("dropbox-home-URL"), .calendarServer("email-address-set"),
    .caldav("max-attendees-per-instance"), .calendarServer("notification-URL"),
    .dav("principal-collection-set"), .dav("principal-URL"), .dav("resource-id"),
    .caldav("schedule-inbox-URL"), .caldav("schedule-outbox-URL"), .dav("supported-report-set"),
  ]

  /// What iOS 26 asks of the lists in the home.
  static let ofLists: [XMLName] =
    [
      "add-member", "current-user-privilege-set", "displayname", "owner", "quota-available-bytes",
      "quota-used-bytes", "resource-id", "resourcetype", "supported-report-set", "sync-token",
    ].map { .dav($0) }
    + [
      "calendar-alarm", "calendar-description", "calendar-free-busy-set", "calendar-timezone",
      "default-alarm-vevent-date", "default-alarm-vevent-datetime", "max-attendees-per-instance",
      "schedule-calendar-transp", "schedule-default-calendar-URL", "supported-calendar-component-set",
      "supported-calendar-component-sets",
    ].map { .caldav($0) }
    + [
      "allowed-sharing-modes", "getctag", "pre-publish-url", "publish-url", "push-transports", "pushkey",
      "source", "subscribed-strip-alarms", "subscribed-strip-attachments", "subscribed-strip-todos",
    ].map { .calendarServer($0) }
    + [
      "autoprovisioned", "calendar-color", "calendar-order", "language-code", "location-code", "refreshrate",
    ].map { .apple($0) } + [XMLName(namespace: "http://me.com/_namespace/", "bulk-requests")]

  @Test("An address with a fragment is refused, so that nothing else is removed")
  func fragment() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.path(fixture.list, "a.ics")
    #expect(try fixture.put(path, Sample.calendar(Sample.todo("a"))).status == 201)
    #expect(try fixture.ask("DELETE", path + "#b").status == 400)
    #expect(try fixture.ask("DELETE", fixture.path(fixture.list) + "#b").status == 400)
    #expect(try fixture.ask("GET", path).status == 200)
  }

  @Test("There is no place for other files")
  func files() throws {
    let fixture = try CalDAVFixture()
    #expect(try fixture.ask("PUT", "/dav/files/\(fixture.user)/a", "text".utf8).status == 404)
  }

  @Test("iOS finds its way from the host's name to the lists")
  func sequence() throws {
    let fixture = try CalDAVFixture()
    let first = try fixture.ask("PROPFIND", "/.well-known/caldav", [], ["Depth: 0"], anonymously: true)
    #expect(first.status == 301 && first.headers["location"] == "/dav/")
    #expect(first.headers["cache-control"] == "no-cache")

    let root = try fixture.propfind(
      "/dav/", [.dav("current-user-principal"), .dav("principal-URL"), .dav("resourcetype")])
    #expect(root.status == 207)
    let principal = try #require(
      try root.response("/dav/")?.property(.dav("current-user-principal"))?.hrefs.first)
    #expect(principal == fixture.principal)

    let options = try fixture.ask("OPTIONS", principal)
    #expect(options.status == 200)
    #expect(options.headers["dav"]?.contains("calendar-access") == true)
    #expect(options.headers["allow"]?.contains("MKCALENDAR") == true)

    let about = try fixture.propfind(principal, Self.ofPrincipal)
    let home = try #require(
      try about.response(principal)?.property(.caldav("calendar-home-set"))?.hrefs.first)
    #expect(home == fixture.home)
    try expectAllNamed(Self.ofPrincipal, in: about)

    let lists = try fixture.propfind(home, Self.ofLists, depth: 1)
    try expectAllNamed(Self.ofLists, in: lists)
    let hrefs = try lists.multistatus().responses.map(\.href)
    #expect(Set(hrefs) == [home, fixture.path(fixture.list), fixture.path(fixture.calendar)])
    let list = try #require(try lists.response(fixture.path(fixture.list)))
    #expect(list.property(.dav("resourcetype"))?.has(.caldav("calendar")) == true)
    #expect(
      list.property(.caldav("supported-calendar-component-set"))?.elements.map { $0.attribute("name") }
        == ["VTODO"])
    #expect(list.property(.dav("displayname"))?.text == fixture.list.title)
  }

  /// Makes sure that each response has each property, with 200 or 404, and nothing else.
  private func expectAllNamed(_ names: [XMLName], in answer: CalDAVFixture.Answer) throws {
    #expect(answer.headers["transfer-encoding"] == nil)
    #expect(answer.headers["content-length"] == "\(answer.body.count)")
    for response in try answer.multistatus().responses {
      #expect(response.propstats.allSatisfy { [200, 404].contains($0.status) })
      #expect(
        response.propstats.flatMap(\.properties).map(\.name).sorted { "\($0)" < "\($1)" }
          == names.sorted { "\($0)" < "\($1)" })
    }
  }

  @Test(
    "A client without a path asks the host's root",
    arguments: ["/", "/principals/", "/dav", "/dav/principals/"])
  func roots(path: String) throws {
    let fixture = try CalDAVFixture()
    let answer = try fixture.propfind(path, [.dav("current-user-principal")])
    let response = try #require(try answer.multistatus().responses.first)
    #expect(response.property(.dav("current-user-principal"))?.hrefs == [fixture.principal])
    #expect(response.href == (path.hasSuffix("/") ? path : path + "/"))
  }

  @Test(
    "At other servers' paths a client hears that nothing is there",
    arguments: [
      "/caldav/", "/calendar/dav/anna/user/", "/remote.php/dav/", "/dav/other/", "/dav/calendars/other/",
    ])
  func otherPaths(path: String) throws {
    #expect(try CalDAVFixture().propfind(path, [.dav("current-user-principal")]).status == 404)
  }

  @Test("Without a password the answer names the way to sign in")
  func unauthorized() throws {
    let fixture = try CalDAVFixture()
    let answer = try fixture.ask("PROPFIND", "/dav/", [], ["Depth: 0"], anonymously: true)
    #expect(answer.status == 401)
    #expect(answer.headers["www-authenticate"]?.hasPrefix("Basic ") == true)
  }

  @Test(
    "A page of another site in a browser that knows the password gets nothing; a browser's own requests pass",
    arguments: [
      (["Origin: https://evil.example"], 403), (["Origin: null"], 403), (["Origin: "], 403),
      (["Origin: http://127.0.0.1:1"], 403), (["Origin: https://127.0.0.1"], 403),
      (["Origin: http://127.0.0.1.evil.example"], 403), (["Origin: http://evil.example/127.0.0.1"], 403),
      (["Sec-Fetch-Site: cross-site"], 403), (["Sec-Fetch-Site: same-site"], 403),
      (["Sec-Fetch-Site: cross-site", "Origin: http://127.0.0.1"], 403),
      (["Sec-Fetch-Site: none"], 200), (["Sec-Fetch-Site: same-origin"], 200),
      // Thunderbird.
      (["Origin: http://127.0.0.1", "Sec-Fetch-Site: same-origin"], 200),
      (["Origin: http://127.0.0.1:80"], 200), (["Origin: HTTP://127.0.0.1"], 200),
      // Behind a proxy.
      (["Origin: https://127.0.0.1", "X-Forwarded-Proto: https"], 200),
      (["Origin: http://127.0.0.1", "X-Forwarded-Proto: https"], 403),
      (["Origin: https://home.example", "X-Forwarded-Proto: https", "X-Forwarded-Host: home.example"], 200),
      (["Origin: https://a.example", "X-Forwarded-Proto: https", "X-Forwarded-Host: a.example:443"], 200),
      (["Origin: https://evil.example", "X-Forwarded-Proto: https", "X-Forwarded-Host: home.example"], 403),
    ] as [([String], Int)])
  func browsers(headers: [String], status: Int) throws {
    let fixture = try CalDAVFixture()
    #expect(try fixture.ask("GET", "/dav/", [], headers).status == status)
  }

  @Test("The address in an answer is spelled as in the request")
  func spelling() throws {
    let fixture = try CalDAVFixture()
    #expect(
      try fixture.put(fixture.path(fixture.list, "a@b.ics"), Sample.calendar(Sample.todo("a@b"))).status
        == 201)
    let raw = fixture.path(fixture.list) + "a@b.ics"
    #expect(try fixture.propfind(raw, [.dav("getetag")]).multistatus().responses.map(\.href) == [raw])
    let listed = try fixture.propfind(fixture.path(fixture.list), [.dav("getetag")], depth: 1)
    #expect(try listed.response(fixture.path(fixture.list, "a@b.ics")) != nil)
    #expect(fixture.path(fixture.list, "a@b.ics").hasSuffix("/a%40b.ics"))
  }

  @Test(
    "What can't be an address is not found",
    arguments: [
      "/dav/x", "/dav/calendars/other/", "/dav/principals/other/", "/dav/calendars/%00/", "/dav/%2e%2e/",
      "/dav/calendars/%ZZ/",
    ])
  func notFound(path: String) throws {
    let fixture = try CalDAVFixture()
    #expect(try fixture.propfind(path, [.dav("getetag")]).status == 404)
  }

  @Test("An infinite depth is refused by its condition")
  func depth() throws {
    let fixture = try CalDAVFixture()
    for headers in [["Depth: infinity"], [], ["Depth: 2"]] {
      let answer = try fixture.ask("PROPFIND", fixture.home, [], headers)
      #expect(answer.status == 403 && answer.conditions.first == .dav("propfind-finite-depth"))
    }
  }

  @Test("All properties, and their names, can be asked for")
  func allprop() throws {
    let fixture = try CalDAVFixture()
    let path = fixture.path(fixture.list)
    let all = try fixture.ask("PROPFIND", path, [], ["Depth: 0"])
    let response = try #require(try all.response(path))
    #expect(response.propstats.map(\.status) == [200])
    #expect(response.property(.dav("displayname"))?.text == fixture.list.title)
    let names = try fixture.ask("PROPFIND", path, PropertyRequest(.names).propfind, ["Depth: 0"])
    let named = try #require(try names.response(path))
    #expect(named.property(.calendarServer("getctag")) == XMLElement(.calendarServer("getctag")))
  }

  @Test(
    "A body that is no XML, or has a document type, is refused",
    arguments: ["x", "<propfind", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<propfind xmlns='DAV:'/>"])
  func broken(body: String) throws {
    let fixture = try CalDAVFixture()
    for method in ["PROPFIND", "REPORT", "PROPPATCH"] {
      let status = try fixture.ask(method, fixture.path(fixture.list), body.utf8, ["Depth: 0"]).status
      #expect(status == (body.contains("xmlns") && method == "REPORT" ? 403 : 400))
    }
  }

  @Test("A method that is not offered names those that are")
  func locks() throws {
    let fixture = try CalDAVFixture()
    let answer = try fixture.ask("LOCK", fixture.path(fixture.list))
    #expect(answer.status == 405 && answer.headers["allow"]?.contains("PROPFIND") == true)
  }

  @Test("macOS asks for properties of principals that a property names")
  func expand() throws {
    let fixture = try CalDAVFixture()
    let answer = try fixture.report(
      fixture.principal,
      .expandProperty([
        ExpandedProperty(.dav("principal-URL"), [ExpandedProperty(.dav("displayname"))]),
        ExpandedProperty(.calendarServer("calendar-proxy-read-for"), [ExpandedProperty(.dav("displayname"))]),
      ]))
    let response = try #require(try answer.response(fixture.principal))
    let inner = response.property(.dav("principal-URL"))?.first(.dav("response"))
    #expect(inner?.hrefs == [fixture.principal])
    #expect(
      inner?.first(.dav("propstat"))?.first(.dav("prop"))?.first(.dav("displayname"))?.text == "Anna's phone")
    #expect(response.propstats.last?.properties.map(\.name) == [.calendarServer("calendar-proxy-read-for")])
  }

  @Test("A one-time address sets up an Apple device")
  func profile() throws {
    let fixture = try CalDAVFixture()
    let key = try fixture.clients.makeProfileKey(user: "anna", password: "a&b")
    let path = CalDAVServer.profilePath(key: key)
    let answer = try fixture.ask(
      "GET", path, [], ["X-Forwarded-Proto: https"], anonymously: true)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"]?.hasPrefix("application/x-apple-aspen-config") == true)
    let list = try XMLReader.read(answer.body).elements[0]
    let account = try #require(list.first(XMLName("array"))?.elements.first).elements
    func value(_ name: String) -> XMLElement? {
      account.firstIndex { $0.text == name }.map { account[$0 + 1] }
    }
    #expect(value("CalDAVUsername")?.text == "anna" && value("CalDAVPassword")?.text == "a&b")
    #expect(value("CalDAVUseSSL")?.name == XMLName("true") && value("CalDAVPort")?.text == "443")
    #expect(value("CalDAVPrincipalURL")?.text == "/dav/principals/anna/")
    #expect(try fixture.ask("GET", path, [], anonymously: true).status == 404)
  }

  @Test("A profile contains the authority of the server's certificate if that is no public one")
  func authority() throws {
    let own = """
      -----BEGIN CERTIFICATE-----
      MIIBeTCCAR+gAwIBAgIUbmqX6g85NLyai09tQUMUsu6C5T8wCgYIKoZIzj0EAwIw
      ETEPMA0GA1UEAwwGT3duIENBMCAXDTI2MTEyMzAyMTM1M1oYDzIxMjYxMDMwMDIx
      MzUzWjARMQ8wDQYDVQQDDAZPd24gQ0EwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
      AAS11kxf2s0QT0t/OoR38nDD3TX7FKztoRfKgpMLZ9ePwRCQkC30zJFsNmYCOt0/
      4FxwpqC7P9uv6bj8cbWFmErZo1MwUTAdBgNVHQ4EFgQUYq2J86MvvdW9ZkhMvHPD
      DEBm6mcwHwYDVR0jBBgwFoAUYq2J86MvvdW9ZkhMvHPDDEBm6mcwDwYDVR0TAQH/
      BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiBzuirnyzMpRRmVFJsp8ml/m4YUgvMi
      G97vxfPcLfQnRwIhAJqDdxfe8tySe6EYBtkzSBxQ1YzVE8Wul1QNtzAdL6Ts
      -----END CERTIFICATE-----

      """
    let leaf = """
      -----BEGIN CERTIFICATE-----
      MIIBKDCBzwIUTxXO2RBMk3hVZeEOqTjc59jhB1swCgYIKoZIzj0EAwIwETEPMA0G
      A1UEAwwGT3duIENBMCAXDTI2MTEyMzAyMTM1M1oYDzIxMjYxMDMwMDIxMzUzWjAb
      MRkwFwYDVQQDDBBob21lLmV4YW1wbGUub3JnMFkwEwYHKoZIzj0CAQYIKoZIzj0D
      AQcDQgAEf0DbHsQgC/4n4yzPXqrxhl1qeKJMDbkvhpYnCnYxmVBI6ZtwluOfxsVA
      2AC++dHnCIk4O+cMfeP3HNsIMSBc8zAKBggqhkjOPQQDAgNIADBFAiEAonY4UTEG
      eQwiGBgFJYWI3Grge6pnoEKy4rFtjJQc+FoCICQBwK8iaXeT08W3aDK4qSWWoYpd
      ofCLymN0PKUA6V2c
      -----END CERTIFICATE-----

      """
    for (chain, isOwn) in [
      (leaf + own, true), (own, true), (leaf, false), ("", false), ("x" + leaf.dropLast(60), false),
    ] {
      #expect((OwnAuthority.certificate(inChain: chain) != nil) == isOwn)
    }
    let profile = AccountProfile(
      for: HTTPHead(method: "GET", rawPath: "/", headers: ["host": "home.example.org"], isSecure: true),
      user: "anna",
      password: "x", authority: OwnAuthority.certificate(inChain: leaf + own))
    let list = try XMLReader.read(profile.propertyList).elements[0]
    let payloads = try #require(list.first(XMLName("array"))?.elements)
    #expect(payloads.count == 2 && payloads[0].elements.contains { $0.text == "com.apple.security.root" })
    #expect(payloads[0].first(XMLName("data"))?.text.hasPrefix("MIIBeTCCAR") == true)
    // The authority alone, for a phone that has no account yet.
    let alone = try #require(AuthorityProfile.propertyList(ofChain: leaf + own))
    #expect(try XMLReader.read(alone).elements[0].first(XMLName("array"))?.elements.count == 1)
    #expect(AuthorityProfile.propertyList(ofChain: leaf) == nil)
    let fixture = try CalDAVFixture()
    for path in [AuthorityProfile.profilePath, AuthorityProfile.certificatePath] {
      // This server has none; but nobody has to sign in to hear that.
      #expect(try fixture.ask("GET", path, [], anonymously: true).status == 404)
      #expect(try fixture.ask("PUT", path, [], anonymously: true).status == 401)
    }
  }

  @Test("A list says of which list it is a copy, so that stores that follow each other know their own")
  func origins() throws {
    let fixture = try CalDAVFixture()
    func origin(_ list: ItemCalendar) throws -> String? {
      let path = fixture.path(list)
      return try fixture.propfind(path, [.fencepost("origin")]).response(path)?
        .property(.fencepost("origin"))?.text
    }
    #expect(try origin(fixture.list) == fixture.list.id.rawValue)
    try fixture.store.write { writer in
      var account = SyncAccount(kind: .calDAV, address: "http://localhost/")
      try writer.save(&account)
      var copy = SyncedCalendar(account: account.number, calendar: fixture.list.id, name: "/list/")
      copy.origin = "elsewhere"
      try writer.save(&copy)
    }
    #expect(try origin(fixture.list) == "elsewhere")
  }
}
