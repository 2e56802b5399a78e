import FencepostCalDAV
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostRecurrence
import FencepostTestSupport
import FencepostWebPush
import FencepostWebServer
import FencepostXML
import Foundation
import Synchronization

@testable import FencepostCalDAVServer

/// The store as a CalDAV account, served on a port of this machine.
final class CalDAVFixture {
  let store: CalendarStore
  let clients: ClientRegistry
  let account: CalDAVServer
  /// A list of reminders, and a calendar of events.
  let list: ItemCalendar
  let calendar: ItemCalendar
  private let server: HTTPServer
  private let workers: HTTPWorkers
  private var authorization: String
  private(set) var user = ""

  static let now = Instant(rfc3339: "2026-05-01T10:00:00+02:00") ?? .epoch

  init(pushReach: PushReach = PushReach()) throws {
    store = try CalendarStore()
    (list, calendar) = try store.write { writer in
      let list = try writer.defaultCalendar(for: .reminders)
      return (list, try writer.defaultCalendar(for: .events))
    }
    clients = ClientRegistry(store: store, clock: { Self.now })
    account = CalDAVServer(
      store: store, clients: clients,
      resolver: TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin")), pushReach: pushReach,
      clock: { Self.now })
    let site = try HTTPSite(account.gate)
    server = try HTTPServer(HTTPListener(host: "127.0.0.1", port: 0), sites: [site])
    workers = try HTTPWorkers(2, for: site.queue) { [account] in account.answer($0) }
    authorization = ""
    try signIn("Anna's phone")
  }

  /// Asks as a new client from now on.
  func signIn(
    _ name: String, rights: [Right] = [.read, .write], lists: [Identifier<ItemCalendar>]? = nil
  ) throws {
    let (user, password) = try clients.add(name, rights: rights, lists: lists)
    self.user = user
    authorization = "Authorization: Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }

  /// The value of the client's header Authorization, and who it is.
  var authorizationValue: String { String(authorization.dropFirst("Authorization: ".count)) }
  func principalNow() throws -> Principal? {
    try clients.principal(HTTPCredentials(authorization: authorizationValue, token: nil))
  }

  var home: String { "/dav/calendars/\(user)/" }
  var principal: String { "/dav/principals/\(user)/" }
  func path(_ list: ItemCalendar, _ name: String = "") -> String {
    Href.path(["dav", "calendars", user, list.id.rawValue], isCollection: true)
      + (name.isEmpty ? "" : String(Href.path([name]).dropFirst()))
  }

  /// An answer.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var etag: String? { headers["etag"] }
    var conditions: [XMLName] { Precondition(parsing: body)?.conditions.map(\.name) ?? [] }

    func multistatus() throws -> Multistatus { try Multistatus(parsing: body) }
    /// The answer for one address.
    func response(_ href: String) throws -> Multistatus.Response? {
      try multistatus().responses.first { $0.href == href }
    }
  }

  /// Asks.
  func ask(
    _ method: String, _ path: String, _ body: some Sequence<UInt8> = [UInt8](), _ headers: [String] = [],
    anonymously: Bool = false
  ) throws -> Answer {
    let probe = try HTTPProbe(port: server.port)
    let body = String(decoding: Array(body), as: UTF8.self)
    var lines = [
      "\(method) \(path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close",
      "Content-Length: \(body.utf8.count)",
    ]
    if !anonymously { lines.append(authorization) }
    probe.send((lines + headers).joined(separator: "\r\n") + "\r\n\r\n" + body)
    // Strings would join the line ends of head and body into other characters.
    let all = Array(probe.rest().utf8)
    let end = all.firstRange(of: Array("\r\n\r\n".utf8))
    let head = String(decoding: all[..<(end?.lowerBound ?? all.endIndex)], as: UTF8.self)
    let fields = head.components(separatedBy: "\r\n")
    var found: [String: String] = [:]
    for field in fields.dropFirst() {
      let parts = field.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        found[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    let status = fields.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return Answer(status: status, headers: found, body: end.map { Array(all[$0.upperBound...]) } ?? [])
  }

  func propfind(_ path: String, _ names: [XMLName], depth: Int = 0) throws -> Answer {
    try ask("PROPFIND", path, PropertyRequest.listed(names).propfind, ["Depth: \(depth)"])
  }

  func report(_ path: String, _ report: Report) throws -> Answer {
    try ask("REPORT", path, report.document, ["Depth: 1"])
  }

  /// The names of changed and of removed objects since a token, and the new token.
  func sync(_ path: String, since token: String = "", limit: Int? = nil) throws -> (
    changed: Set<String>, removed: Set<String>, token: String
  ) {
    let answer = try report(
      path,
      .syncCollection(SyncCollection(token: token, limit: limit, properties: .listed([.dav("getetag")]))))
    let multistatus = try answer.multistatus()
    func names(_ isRemoved: Bool) -> Set<String> {
      Set(
        multistatus.responses.filter { ($0.status == 404) == isRemoved && $0.status != 507 }
          .compactMap { Href.segments(of: $0.href)?.last })
    }
    return (names(false), names(true), multistatus.syncToken ?? "")
  }

  func put(_ path: String, _ text: String, _ headers: [String] = []) throws -> Answer {
    try ask("PUT", path, text.utf8, ["Content-Type: text/calendar; charset=utf-8"] + headers)
  }
}

/// Objects for tests, as programs write them.
enum Sample {
  /// A calendar around components. Lines end with CRLF.
  static func calendar(_ components: String..., header: String = "PRODID:-//Other//Program//EN") -> String {
    crlf("BEGIN:VCALENDAR\nVERSION:2.0\n\(header)\n" + components.joined() + "END:VCALENDAR\n")
  }

  static func crlf(_ text: String) -> String { text.replacingOccurrences(of: "\n", with: "\r\n") }

  static func todo(_ uid: String, _ title: String = "Milk", _ more: String = "") -> String {
    "BEGIN:VTODO\nUID:\(uid)\nDTSTAMP:20260401T000000Z\nSUMMARY:\(title)\n\(more)END:VTODO\n"
  }

  static func event(_ uid: String, _ title: String = "Talk", _ more: String = "DTSTART:20260503T080000Z\n")
    -> String
  {
    "BEGIN:VEVENT\nUID:\(uid)\nDTSTAMP:20260401T000000Z\nSUMMARY:\(title)\n\(more)END:VEVENT\n"
  }
}
