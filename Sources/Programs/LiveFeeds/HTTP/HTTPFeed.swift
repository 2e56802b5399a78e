import FencepostAddresses
import FencepostAlgorithms
import FencepostCalendarModel
import FencepostCryptography
import FencepostPositionFeeds
import FencepostSystem
import FencepostWebServer

/// `http://[USER:PASSWORD@]HOST:PORT[/PATH][?token=TOKEN]`: where to listen, and the secret of senders.
public struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address of this machine to listen on.
  public var host: String
  /// The port; 0 for any free one.
  public var port: UInt16
  /// The only path that is served; `nil` for any.
  public var path: String?
  /// The user for Basic authentication; `nil` for none.
  public var user: String?
  /// The password of the user.
  public var password: String?
  /// The required bearer token or `?token=`; `nil` for none.
  public var token: String?
  /// The number of nearby fences that a phone with OwnTracks gets to watch; 0 for none.
  public var waypoints = 0

  init(_ parts: URLParts, _ words: inout AddressParameters) throws(AddressError) {
    host = parts.host ?? "127.0.0.1"
    port = parts.port ?? 8085
    path = parts.path.isEmpty || parts.path == "/" ? nil : parts.path
    user = parts.user
    password = parts.password
    token = try words.take("token")
    waypoints = try words.takeWaypoints()
    if let user, user.isEmpty || password?.isEmpty != false {
      throw words.failure("a user needs a name and a password, as in http://USER:PASSWORD@\(place)")
    }
    if token?.isEmpty == true { throw words.failure("the token is empty") }
    guard isLoopback || asksForSecret else { throw words.failure(advice) }
  }

  /// Whether senders need a secret.
  public var asksForSecret: Bool { user != nil || token != nil }

  /// True if the host name means that only this machine can reach it. Its resolved address is checked again
  /// when the server starts.
  public var isLoopback: Bool { HostName.isLoopback(host) }

  /// Advice for an address that accepts positions from everyone.
  var advice: String {
    "anyone on the network could send positions; listen on 127.0.0.1, or require a secret:"
      + " http://USER:PASSWORD@\(place) or http://\(place)?token=SECRET"
  }

  /// Host and port.
  var place: String { "\(HostName.text(host)):\(port)" }

  /// The address for a program on this machine, with its secret; `nil` if the port is any free one.
  public var localAddress: String? {
    guard port != 0 else { return nil }
    let local = ["0.0.0.0", "::"].contains(host) ? "127.0.0.1" : host
    let login = user.map { "\(PercentEncoding.encode($0)):\(PercentEncoding.encode(password ?? ""))@" } ?? ""
    let query = token.map { "?token=" + PercentEncoding.encode($0) } ?? ""
    return "http://\(login)\(HostName.text(local)):\(port)\(path ?? "/")\(query)"
  }

  /// The address without secrets.
  public var description: String { "http://\(place)\(path ?? "")" }
}

/// The access check for posted positions.
struct PhoneGate: HTTPGate {
  private let address: HTTPAddress

  /// The maximum bytes of a body, unless a test wants another one.
  static let usualBodyLimit = 4 << 20
  var bodyLimit = PhoneGate.usualBodyLimit

  init(_ address: HTTPAddress) { self.address = address }

  /// Whether no secret is needed.
  private var isOpen: Bool { !address.asksForSecret }

  func claims(_ head: HTTPHead) -> Bool { true }

  func admit(_ head: HTTPHead) -> HTTPAdmission {
    let credentials = head.phoneCredentials
    guard admits(credentials) else {
      let challenge = address.user == nil ? "Bearer" : "Basic realm=\"fencepost\", charset=\"UTF-8\""
      let refusal = HTTPResponse.refusal(
        401,
        credentials.isEmpty ? "missing secret: send a token, or a user and a password" : "wrong secret",
        headers: ["WWW-Authenticate": challenge])
      return credentials.isEmpty ? .refused(refusal) : .wrongSecret(refusal)
    }
    if isOpen, let reason = head.reasonToDistrust {
      return .refused(.refusal(403, "\(reason); add a secret to the feed, with ?token= in its address"))
    }
    if let only = address.path, head.path != only {
      return .refused(.refusal(404, "send positions to \(only)"))
    }
    if let refusal = refusal(ofMethod: head.method) { return .refused(refusal) }
    let user = credentials.basic?.user
    return .admitted(user.map { Principal(name: $0, way: .address, rights: [.positions]) })
  }

  private func admits(_ credentials: HTTPCredentials) -> Bool {
    if isOpen { return true }
    // Always compare all of them, so that the time reveals nothing.
    var isAdmitted = false
    if let token = address.token {
      for offered in [credentials.token, credentials.bearer] {
        if let offered, MessageDigest.areEqual(offered, token) { isAdmitted = true }
      }
    }
    if let user = address.user, let password = address.password, let offered = credentials.basic {
      let isUser = MessageDigest.areEqual(offered.user, user)
      let isPassword = MessageDigest.areEqual(offered.password, password)
      if isUser && isPassword { isAdmitted = true }
    }
    return isAdmitted
  }

  /// The response to an unsuitable method; `nil` if the method is fine.
  private func refusal(ofMethod method: String) -> HTTPResponse? {
    switch method {
    case "POST": return nil
    // Any web page can make a browser send a GET request to this machine, without its origin.
    case "GET" where isOpen:
      return .refusal(
        405,
        "use POST; for an app that uses GET, add a token to the feed, with ?token= in its address",
        headers: ["Allow": "POST"])
    case "GET": return nil
    default:
      let methods = isOpen ? ["POST"] : ["GET", "POST"]
      return .refusal(
        405, "use \(methods.reversed().joined(separator: " or "))",
        headers: ["Allow": methods.joined(separator: ", ")])
    }
  }

  var tooLarge: HTTPResponse {
    .refusal(413, "more than \(bodyLimit >> 20) MiB; send fewer positions at once")
  }
}

/// Positions that phones post: OwnTracks in its HTTP mode, Overland, and apps with OsmAnd's protocol, such as
/// Traccar Client. The content of a request shows which one it is, so any path works unless the address has
/// one.
///
/// A request is answered after the engine's step was committed, because the phone then forgets the positions.
/// Requests that arrive during a commit form the next step.
final class HTTPFeed: LiveFeed {
  private let address: HTTPAddress
  private let limits: HTTPServer.Limits
  private let bodyLimit: Int
  private let interrupter: Int32
  private let onOpen: (UInt16) -> Void

  /// A feed of posted positions.
  ///
  /// - Parameters:
  ///   - address: The address of the server, and the secret of senders.
  ///   - limits: The limits of the server.
  ///   - bodyLimit: The most bytes of a body.
  ///   - interrupter: A descriptor that becomes ready when the feed should end; -1 for never.
  ///   - onOpen: Called with the port when the server listens.
  init(
    _ address: HTTPAddress, limits: HTTPServer.Limits = .init(), bodyLimit: Int = PhoneGate.usualBodyLimit,
    interruptedBy interrupter: Int32 = -1,
    onOpen: @escaping (UInt16) -> Void = { _ in }
  ) {
    self.address = address
    self.limits = limits
    self.bodyLimit = bodyLimit
    self.interrupter = interrupter
    self.onOpen = onOpen
  }

  /// Listens at the address.
  ///
  /// - Throws: Also if others can reach the address and no secret is required.
  private func listener() throws -> HTTPListener {
    try HTTPListener(host: address.host, port: address.port) { [address] peer in
      guard address.asksForSecret || peer?.isLoopback == true else {
        throw AddressError(address.description, address.advice)
      }
    }
  }

  func run(_ output: FeedOutput) throws {
    var gate = PhoneGate(address)
    gate.bodyLimit = bodyLimit
    let site = try HTTPSite(gate)
    let server = try HTTPServer(listener(), sites: [site], limits: limits) { sender, attempts in
      output.log(
        .notice,
        "rejected \(sender): missing or wrong secret" + (attempts > 1 ? " (\(attempts) more attempts)" : ""))
    }
    output.opened()
    if address.port == 0 { output.log(.info, "listens on port \(server.port)") }
    onOpen(server.port)
    // Keep the server alive until here.
    defer { withExtendedLifetime(server) {} }
    PhonePosts(output: output, maximumWaypoints: address.waypoints).serve(site.queue, until: interrupter)
  }
}
