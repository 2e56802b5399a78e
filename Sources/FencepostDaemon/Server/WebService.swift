import AlarmEngine
import CalendarModel
import CalendarStore
import FoundationEssentials
import Recurrence
import System
import WebApp
import WebServer

/// The daemon's server: the web app with its API, and phones' positions at `/positions`.
final class WebService: Sendable {
  /// What makes another server necessary where it changes.
  struct Plan: Equatable, Sendable {
    var address: ServerAddress
    var certificate: HTTPCertificate?
    var zone: TimeZoneID
    var tzdata: String?
    var alarms: AlarmDefaults
    var keepsHistory: Bool
    var settings: [ShownSetting]
    var version: String

    /// The plan of a configuration; `nil` where it has no server.
    ///
    /// - Throws: Where the certificate or its key can't be read.
    init?(_ configuration: DaemonConfiguration, resolver: TimeResolver) throws {
      guard let address = configuration.server else { return nil }
      self.address = address
      certificate = try address.certificate.map { files in
        HTTPCertificate(chain: try Self.text(files.chain), key: try Self.text(files.key))
      }
      zone = resolver.floating.id
      tzdata = resolver.zones.version
      alarms = configuration.alarms
      keepsHistory = configuration.historyDays > 0
      settings = configuration.shownSettings
      version = configuration.version
    }

    private static func text(_ path: String) throws -> String {
      guard let data = FileManager.default.contents(atPath: path) else { throw SystemFailure("read \(path)") }
      return String(decoding: data, as: UTF8.self)
    }
  }

  let plan: Plan
  let app: WebApp
  let board: FeedBoard
  private let server: HTTPServer
  private let workers: [HTTPWorkers]
  private let interrupter: WakeUp

  /// Serves as `plan` says.
  init(
    _ plan: Plan, store: CalendarStore, resolver: TimeResolver, devices: DeviceRegistry,
    mailbox: Mailbox<Arrival>, log: Log
  ) throws {
    self.plan = plan
    interrupter = try WakeUp()
    let address = plan.address
    board = FeedBoard(address.description)
    let desk = FeedDesk(
      address.description, board: board, devices: devices, mailbox: mailbox, log: log,
      waypoints: PhoneWaypoints(store: store))
    var surroundings = WebApp.Surroundings(
      resolver: resolver, alarms: plan.alarms, hosts: address.hosts, keepsHistory: plan.keepsHistory,
      tiles: address.tiles, version: plan.version)
    surroundings.settings = plan.settings
    app = WebApp(
      store: store, surroundings: surroundings,
      clock: { Instant.wallClock() },
      takePosition: { fix, device in
        let names = DeviceRegistry()
        var fix = fix
        fix.device = names.number(of: device)
        return desk.keep([NetworkFixes([fix], namedBy: names, sender: "web")]) == .kept
      })
    let positions = try HTTPSite(ClientGate(path: "/positions", right: .positions, clients: app.clients))
    // Pages do not wait behind what takes its time.
    let api = try HTTPSite(PathGate(path: "/api", inner: app.gate))
    let pages = try HTTPSite(app.gate)
    let listener = try HTTPListener(host: address.host, port: address.port) { peer in
      guard plan.certificate != nil || address.isBehindProxy || peer?.isLoopback == true else {
        throw AddressError(address.description, ServerAddress.advice)
      }
    }
    var limits = HTTPServer.Limits()
    limits.trustsProxy = address.isBehindProxy
    server = try HTTPServer(
      listener, certificate: plan.certificate, sites: [positions, api, pages], limits: limits
    ) {
      sender, attempts in
      desk.note(
        .notice, "rejected \(sender): wrong password" + (attempts > 1 ? " (\(attempts) more attempts)" : ""))
    }
    workers = [
      try HTTPWorkers(3, for: api.queue) { [app] in app.answer($0) },
      try HTTPWorkers(1, for: pages.queue) { [app] in app.answer($0) },
    ]
    try SystemThread.start("phones") { [interrupter] in
      PhonePosts(desk: desk, mostWaypoints: 20).serve(positions.queue, until: interrupter.descriptor)
    }
    desk.opened()
    log(.info, "serves the web app at \(url)")
  }

  deinit {
    app.close()
    interrupter.signal()
  }

  /// Where a browser on this machine finds it.
  var url: String {
    let isAny = ["0.0.0.0", "::"].contains(plan.address.host)
    let host = isAny ? plan.address.hosts.first ?? "localhost" : plan.address.host
    return "\(plan.certificate == nil ? "http" : "https")://\(HostName.text(host)):\(server.port)"
  }

  /// An address that signs a browser in once, as a line of JSON.
  func signInLine() -> String {
    let (key, expires) = app.makeSignInKey()
    return "{\"url\":\"\(url)/signin?key=\(key)\",\"expires\":\(expires.microseconds)}"
  }
}
