import FencepostCalendarModel
import FencepostCalendarStore
import FencepostTestSupport
import Foundation
import Testing

@testable import fencepost

@Suite("Calendar accounts")
struct AccountCommandTests {
  let fixture: CommandFixture

  init() throws { fixture = try CommandFixture() }

  /// A server with a home, and the calendar `/home/a/` that is a copy of a list.
  private func server(
    copyOf list: String? = nil, accepts: @escaping @Sendable ([String: String]) -> Bool = { _ in true }
  ) throws -> LoopbackServer {
    let calendar = list.map { list in
      """
      <x:response><x:href>/home/a/</x:href><x:propstat><x:prop><x:resourcetype><c:calendar/></x:resourcetype>\
      <f:origin xmlns:f="urn:x-fencepost">\(list)</f:origin></x:prop><x:status>HTTP/1.1 200 OK</x:status></x:propstat></x:response>
      """
    }
    return try LoopbackServer { request in
      guard accepts(request.headers) else { return LoopbackServer.Response(status: 401) }
      return LoopbackServer.Response(
        status: 207,
        body: Array(
          """
          <x:multistatus xmlns:x="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><x:response><x:href>/</x:href><x:propstat>\
          <x:prop><c:calendar-home-set><x:href>/home/</x:href></c:calendar-home-set></x:prop>\
          <x:status>HTTP/1.1 200 OK</x:status></x:propstat></x:response>\(calendar ?? "")</x:multistatus>
          """.utf8))
    }
  }

  @Test("An account on the own server is refused")
  func ownServer() throws {
    fixture.run("lists", "add", "Errands")
    let list = try #require(
      try fixture.openStore().read { try $0.calendars() }.first { $0.title == "Errands" })
    let own = try server(copyOf: list.id.rawValue)
    let result = fixture.run("accounts", "add", own.address("/"))
    #expect(result.code == .failure)
    #expect(result.diagnostics.contains("all lists at \(own.address("/")) are lists of this store"))
    #expect(try fixture.openStore().read { try $0.syncAccounts() }.isEmpty)
    let other = try server(copyOf: "elsewhere")
    let added = fixture.run("accounts", "add", other.address("/"))
    #expect(try fixture.openStore().read { try $0.syncAccounts() }.count == 1, "\(added.diagnostics)")
  }

  @Test("A sign-in with OAuth on another device, and again after it was refused")
  func signIn() throws {
    let authority = try AuthorizationStandIn()
    let calendars = try server { $0["authorization"] == "Bearer \(authority.accessToken)" }
    let secret = try fixture.directory.write(AuthorizationStandIn.client.secret + "\n", to: "secret")
    let words = [
      "accounts", "add", calendars.address("/"), "--title", "Cloud", "--client-secret-file", secret,
      "--oauth", AuthorizationStandIn.client.id,
    ]
    #expect(fixture.run(words).diagnostics.contains("name it with --scope"))
    #expect(fixture.run(words + ["--scope", "calendars"]).diagnostics.contains("name it with --issuer"))
    let server = ["--scope", "calendars", "--issuer", authority.issuer, "--other-device"]
    let added = fixture.run(words + server)
    #expect(added.code == .success, "\(added.diagnostics)")
    #expect(added.diagnostics.contains("open \(authority.issuer)/enter and enter ABCD-EFGH"))
    #expect(added.lines == ["Cloud: up to date"])
    for text in [added.output, added.diagnostics] {
      #expect(!text.contains("access-") && !text.contains("refresh-") && !text.contains("s&cret"))
    }
    authority.revoke()
    let refused = fixture.run("accounts", "sync")
    #expect(refused.code == .failure)
    #expect(refused.diagnostics.contains("sign in again with 'fencepost accounts sign-in'"))
    let again = fixture.run("accounts", "sign-in", "Cloud", "--other-device")
    #expect(again.code == .success, "\(again.diagnostics)")
    #expect(fixture.run("accounts", "remove", "Cloud", "--yes").code == .success)
  }

  @Test("The items that a server refuses are named, with the reason")
  func refused() throws {
    let store = try fixture.openStore()
    try store.write { writer in
      let source = Source(kind: .calDAV, title: "Cloud")
      try writer.save(source)
      let list = ItemCalendar(source: source.id, kind: .calDAV, title: "Errands", entities: .reminders)
      try writer.save(list)
      var account = SyncAccount(kind: .calDAV, address: "http://127.0.0.1:9/", source: source.id)
      try writer.save(&account)
      var collection = SyncedCalendar(account: account.number, calendar: list.id, name: "/home/a/")
      try writer.save(&collection)
      for number in 1...22 {
        let uid = number < 10 ? "0\(number)" : "\(number)"
        if number < 22 {
          let item = CalendarItem(
            calendar: list.id, uid: uid, title: "Milk\u{1B} \(uid)", details: .reminder(ReminderDetails()))
          try writer.save(item)
        }
        let refusal = SyncRefusal(
          uid: uid, text: "", reason: "the server answered 507", refused: Instant(microseconds: fixture.now))
        try writer.save(refusal, in: collection.number)
      }
    }
    let lines = fixture.run("accounts", "list").lines
    let account = lines.first { $0.hasPrefix("Cloud") }
    #expect(account?.contains("only here: 21 (the server answered 507)") == true)
    let named = lines.filter { $0.hasPrefix("only here, in Errands: Milk") }
    #expect(named.count == 20 && named[0].hasSuffix("01 (the server answered 507)"))
    #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
    #expect(lines.last == "and 1 more at Cloud; 'accounts list --json' has all")
    let json = try object(try #require(fixture.run("accounts", "list", "--json").lines.first))
    let refused = try #require(json["refused"] as? [[String: String]])
    #expect(json["only_here"] as? Int == 21 && refused.count == 21)
    #expect(refused[0]["uid"] == "01" && refused[0]["list"] == "Errands")
    #expect(refused[0]["title"]?.hasSuffix("01") == true)
    #expect(refused[0]["reason"] == "the server answered 507" && refused[0]["time"] != nil)
  }
}
