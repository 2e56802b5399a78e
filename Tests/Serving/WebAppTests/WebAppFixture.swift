import FencepostCalendarModel
import FencepostCalendarStore
import FencepostClients
import FencepostDiagnosis
import FencepostInterchange
import FencepostJSON
import FencepostRecurrence
import FencepostReservations
import FencepostTestSupport
import FencepostWebServer
import Foundation
import Synchronization

@testable import FencepostWebApp

/// A web app over a store in memory, served on a port of this machine.
final class WebAppFixture {
  let store: CalendarStore
  let app: WebApp
  let now = Instant(rfc3339: "2026-05-01T10:00:00+02:00") ?? .epoch
  private let server: HTTPServer
  private let workers: HTTPWorkers
  var port: UInt16 { server.port }
  /// The header of a client with all rights.
  let authorization: String

  /// - Parameters:
  ///   - path: The file of the store; `nil` for one in memory.
  ///   - isProxied: Whether a proxy adds TLS for `home.example`.
  ///   - suggestionAlarms: The alarms of accepted bookings.
  ///   - conferences: The programs that create rooms for calls.
  ///   - settings: The settings of the daemon.
  ///   - channels: Its channels. Those of ntfy fail.
  ///   - geocoder: The address of the server that finds places.
  ///   - streets: The setting of the map's streets.
  ///   - changeSettings: Changes them.
  init(
    path: String? = nil, tiles: StreetTiles? = nil, isProxied: Bool = false,
    suggestionAlarms: ReservationAlarms = ReservationAlarms(), conferences: [ConferenceProvider] = [],
    settings: [ShownSetting] = [], channels: [DoctorFacts.Channel] = [],
    geocoder: String? = nil, streets: String? = nil,
    changeSettings: @escaping @Sendable ([SettingChange]) throws -> Void = { _ in }
  ) throws {
    store = try path.map { try CalendarStore(path: $0) } ?? CalendarStore()
    let now = now
    var surroundings = WebApp.Surroundings(
      resolver: TimeResolver(floating: TimeZoneID(rawValue: "Europe/Berlin")), hosts: ["home.example"],
      tiles: tiles)
    surroundings.suggestionAlarms = suggestionAlarms
    surroundings.conferences = conferences
    surroundings.settings = settings
    surroundings.geocoder = geocoder
    surroundings.streets = streets
    surroundings.doctorFacts = {
      var facts = DoctorFacts()
      facts.channels = channels
      return facts
    }
    surroundings.testChannel = { name in
      if name.hasPrefix("ntfy:") { throw ChannelFailure() }
      return channels.contains { $0.name == name }
    }
    surroundings.changeSettings = changeSettings
    app = WebApp(store: store, surroundings: surroundings, clock: { now })
    var limits = HTTPServer.Limits()
    if isProxied { limits.proxiedHosts = ["home.example"] }
    let site = try HTTPSite(app.gate)
    server = try HTTPServer(HTTPListener(host: "127.0.0.1", port: 0), sites: [site], limits: limits)
    workers = try HTTPWorkers(2, for: site.queue) { [app] in app.answer($0) }
    let (user, password) = try app.clients.add("all", rights: Right.allCases)
    authorization = Self.basic(user, password)
  }

  deinit { app.close() }

  static func basic(_ user: String, _ password: String) -> String {
    "Authorization: Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
  }

  private struct SignInFailure: Error {}
  private struct ChannelFailure: Error, CustomStringConvertible { let description = "no route" }

  /// Signs in as a browser does: the cookie.
  func signIn() throws -> String {
    let probe = try HTTPProbe(port: port)
    probe.send(
      "GET /signin?key=\(app.makeSignInKey().key) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let answer = probe.rest()
    guard answer.hasPrefix("HTTP/1.1 303"), answer.contains("HttpOnly; SameSite=Strict"),
      let cookie = answer.firstMatch(of: /Set-Cookie: fencepost=([^;]+);/)
    else { throw SignInFailure() }
    // The session for other ports too, which tests name.
    return ["", "-1", "-8787", "-\(port)"].map { "fencepost\($0)=\(cookie.1)" }.joined(separator: "; ")
  }

  /// Asks the API, with all rights unless other headers say who asks: status and body.
  func ask(
    _ method: String, _ path: String, _ body: String = "", headers: [String]? = nil,
    type: String = "application/json"
  ) throws -> String {
    var all = headers ?? [authorization]
    if !body.isEmpty { all.append("Content-Type: \(type)") }
    return try HTTPProbe.ask(
      port, method, path.hasPrefix("/api") ? path : "/api/v1" + path, headers: all, body: body)
  }

  /// Asks the API and reads the answer.
  func json(_ method: String, _ path: String, _ body: String = "", headers: [String]? = nil) throws
    -> JSONValue
  {
    let answer = try ask(method, path, body, headers: headers.map { $0 + [authorization] })
    let text = answer.drop { $0 != " " }.dropFirst()
    return try JSONValue(readingCommented: Array(text.utf8), maxDepth: 32)
  }
}
