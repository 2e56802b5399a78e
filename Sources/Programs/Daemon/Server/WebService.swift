import FencepostAddresses
import FencepostAlarmEngine
import FencepostCalDAVServer
import FencepostCalendarModel
import FencepostCalendarStore
import FencepostChannels
import FencepostClients
import FencepostConfiguration
import FencepostDaemonControl
import FencepostInterchange
import FencepostJSON
import FencepostLiveFeeds
import FencepostRecurrence
import FencepostReservations
import FencepostSynchronizer
import FencepostSystem
import FencepostWebApp
import FencepostWebServer
import FoundationEssentials
import Glibc

/// The daemon's server: the web app with its API, and phones' positions at `/positions`.
final class WebService: Sendable {
  /// The parameters of the server. A change of them requires a new server.
  struct Plan: Equatable, Sendable {
    var address: ServerAddress
    var certificate: HTTPCertificate?
    var zone: TimeZoneID
    var tzdata: String?
    var alarms: AlarmDefaults
    var suggestionAlarms: ReservationAlarms
    var me: [String]
    var joinHosts: JoinHosts
    var keepsHistory: Bool
    var settings: [ShownSetting]
    var streets: StreetsChoice?
    var geocoder: String?
    var push: WebPushAddress
    var version: String
    var pagesFolder: String?

    /// The plan of a configuration; `nil` if it has no server.
    ///
    /// - Throws: If the certificate or its key can't be read.
    init?(_ configuration: DaemonConfiguration, resolver: TimeResolver) throws {
      guard let address = configuration.server else { return nil }
      self.address = address
      certificate = try address.certificate.map { files in
        HTTPCertificate(chain: try Self.text(files.chain), key: try Self.text(files.key))
      }
      zone = resolver.floating.id
      tzdata = resolver.zones.version
      alarms = configuration.alarms
      suggestionAlarms = configuration.suggestionAlarms
      me = configuration.me
      joinHosts = configuration.joinHosts
      keepsHistory = configuration.historyDays > 0
      pagesFolder = configuration.pagesFolder
      settings = configuration.shownSettings
      streets = configuration.streets
      geocoder = configuration.geocoder
      push = configuration.push
      version = configuration.version
    }

    private static func text(_ path: String) throws -> String {
      guard let data = FileManager.default.contents(atPath: path) else { throw SystemFailure("read \(path)") }
      return String(decoding: data, as: UTF8.self)
    }
  }

  let plan: Plan
  let app: WebApp
  let status: SharedFeedStatus
  private let server: HTTPServer
  private let workers: [HTTPWorkers]
  private let interrupter: WakeUp
  private let changes: ChangePushWatch

  /// The socket for `plan`.
  static func listener(for plan: Plan) throws -> HTTPListener {
    try HTTPListener(host: plan.address.host, port: plan.address.port) { peer in
      guard plan.certificate != nil || plan.address.isBehindProxy || peer?.isLoopback == true else {
        throw AddressError(plan.address.description, ServerAddress.advice)
      }
    }
  }

  /// Starts the server of `plan` on a socket.
  init(
    _ plan: Plan, on listener: consuming HTTPListener, store: CalendarStore, resolver: TimeResolver,
    openPages: OpenPages, current: CurrentServer,
    devices: DeviceRegistry, mailbox: BoundedQueue<Arrival>, accounts: AccountWatch,
    daemon: SharedDaemonStatus,
    changeSettings: @escaping @Sendable ([SettingChange]) throws -> Void, log: Log
  ) throws {
    self.plan = plan
    interrupter = try WakeUp()
    let address = plan.address
    status = SharedFeedStatus(address.description)
    let output = FeedOutput(
      address.description, status: status, devices: devices, mailbox: mailbox, log: log,
      waypoints: PhoneWaypoints(store: store))
    var surroundings = WebApp.Surroundings(
      resolver: resolver, alarms: plan.alarms, hosts: address.hosts, keepsHistory: plan.keepsHistory,
      tiles: try Self.tiles(of: plan), version: plan.version)
    surroundings.geocoder = plan.geocoder
    surroundings.streets = plan.streets?.text
    surroundings.changeSettings = changeSettings
    surroundings.keyring = .ofSession()
    surroundings.testChannel = { name in
      guard let channel = daemon.channel(named: name) else { return false }
      try TestAlarm(resolver: resolver, now: .wallClock(), log: log, subscribers: store).deliver(
        over: channel)
      return true
    }
    surroundings.doctorFacts = { daemon.facts }
    surroundings.suggestionAlarms = plan.suggestionAlarms
    surroundings.me = plan.me
    surroundings.joinHosts = plan.joinHosts
    surroundings.settings = plan.settings
    surroundings.pagesFolder = plan.pagesFolder
    surroundings.pushReach = plan.push.reach
    let paths = StandardPaths(environment: ProcessInfo.processInfo.environment)
    surroundings.conferences = ConferenceProvider.installed(in: paths.dataDirectories)
    app = WebApp(
      store: store, surroundings: surroundings, openPages: openPages,
      clock: { Instant.wallClock() },
      takePosition: { fix, device in
        output.store([NetworkFixes([fix], of: device, sender: "web")]) == .stored
      },
      pushTestAlarm: { subscription in
        var push = plan.push
        push.subscription = subscription
        let test = try TestAlarm(resolver: resolver, now: .wallClock(), log: log, subscribers: store)
        try test.deliver(over: .webPush(push))
      },
      noteFailedSignIn: { sender in
        output.log(.notice, "rejected \(sender.map { "\($0)" } ?? "a browser"): wrong password")
      })
    let positions = try HTTPSite(ClientGate(path: "/positions", right: .positions, clients: app.clients))
    // A separate site, so that slow requests of the API do not delay pages.
    let slow = try HTTPSite(app.slowGate)
    let api = try HTTPSite(PartGate(of: app.gate) { $0.segments.first == "api" })
    let pages = try HTTPSite(app.gate)
    let pushes = try HTTPSite(PushGate())
    let account = CalDAVServer(
      store: store, clients: app.clients, resolver: resolver, pushReach: plan.push.reach,
      certificates: plan.certificate?.chain, clock: { Instant.wallClock() })
    changes = ChangePushWatch(store: store, push: plan.push, log: log)
    let calendars = try HTTPSite(account.gate)
    var limits = HTTPServer.Limits()
    limits.trustsProxy = address.isBehindProxy
    limits.proxiedHosts = address.isBehindProxy ? address.hosts : []
    server = try HTTPServer(
      listener, certificate: plan.certificate, sites: [positions, calendars, pushes, slow, api, pages],
      limits: limits
    ) {
      sender, attempts in
      output.log(
        .notice, "rejected \(sender): wrong password" + (attempts > 1 ? " (\(attempts) more attempts)" : ""))
    }
    // A request on a connection that is older than the current server is answered by that server's app.
    let answer: @Sendable (HTTPRequest) -> HTTPResponse = { [app] in
      (current.service?.app ?? app).answer($0)
    }
    workers = [
      try HTTPWorkers(2, for: slow.queue, answer: answer),
      try HTTPWorkers(3, for: api.queue, answer: answer),
      try HTTPWorkers(2, for: calendars.queue) { account.answer($0) },
      try HTTPWorkers(2, for: pages.queue, answer: answer),
      try HTTPWorkers(1, for: pushes.queue) { accounts.answer($0) },
    ]
    try SystemThread.start("phones") { [interrupter] in
      PhonePosts(output: output, maximumWaypoints: 20).serve(positions.queue, until: interrupter.descriptor)
    }
    try changes.start()
    output.opened()
    log(.info, "serves the web app at \(url)")
  }

  private static func tiles(of plan: Plan) throws -> StreetTiles? {
    let address = plan.address
    if let file = address.tileFile {
      return .file(try TileFile.open(file), attribution: address.attribution)
    }
    if let url = address.tileURL { return .server(url: url, attribution: address.attribution) }
    return try plan.streets?.tiles()
  }

  deinit {
    changes.stop()
    app.close()
    interrupter.signal()
  }

  /// Stops listening, and passes the socket to the next server. Current requests still get answers for some
  /// seconds.
  func handOver() -> HTTPListener? {
    let listener = server.handOver()
    changes.stop()
    // Pages connect again, to the next server.
    app.close()
    try? SystemThread.start("retire") {
      let deadline = ContinuousClock.now + .seconds(10)
      while !self.server.isIdle, ContinuousClock.now < deadline { usleep(20_000) }
    }
    return listener
  }

  /// Tells CalDAV clients what has changed.
  func tellClients() { changes.wake() }

  /// The address for a browser on this machine.
  var url: String {
    let isAny = ["0.0.0.0", "::"].contains(plan.address.host)
    let host = isAny ? plan.address.hosts.first ?? "localhost" : plan.address.host
    return "\(plan.certificate == nil ? "http" : "https")://\(HostName.text(host)):\(server.port)"
  }

  /// The address for a program on this machine that need not trust a certificate; `nil` with TLS or behind a
  /// proxy.
  var plainURL: String? {
    guard plan.certificate == nil, !plan.address.isBehindProxy else { return nil }
    return "http://\(HostName.text(plan.address.host)):\(server.port)"
  }

  /// An address that signs in a browser once, as a line of JSON, with the server's address for other
  /// machines.
  func signInLine() -> String {
    let (key, expires) = app.makeSignInKey()
    var line = JSONLine()
    line.add("url", "\(url)/signin?key=\(key)")
    line.add("expires", Int(expires.microseconds))
    let hasName = !HostName.isLoopback(plan.address.publicHost)
    line.add("outside", hasName ? plan.address.url(port: server.port) : url)
    return line.line
  }

  /// Opens a page for an app.
  ///
  /// - Returns: The page, and its one-time address as a line of JSON.
  func open(_ request: PageRequest) throws -> (page: OpenPages.Page, address: String) {
    let (page, path, expires) = try app.openPage(request)
    return (page, "{\"url\":\"\(url)\(path)\",\"expires\":\(expires.microseconds)}")
  }
}
