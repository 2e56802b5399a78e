import FencepostAlgorithms
public import FencepostSpatiotemporal
import FencepostWebClient

/// Signs a user in at an authorization server, and gets access tokens. Use it on one thread only; calls
/// block.
public final class OAuthSession {
  private let http: HTTPClient
  private let clock: () -> Instant

  /// More is not an answer of such a server.
  private static let limit = 256 << 10

  /// A session.
  ///
  /// - Parameter clock: Returns the current time.
  /// - Throws: ``OAuthFailure`` if there is no memory for a client.
  public init(clock: @escaping () -> Instant) throws(OAuthFailure) {
    do { http = try HTTPClient() } catch { throw OAuthFailure(.unreachable, error.description) }
    self.clock = clock
  }

  /// Finds a server by the address that names it.
  ///
  /// - Throws: ``OAuthFailure`` if it has no usable metadata.
  public func server(_ issuer: String) throws(OAuthFailure) -> AuthorizationServer {
    var failure: OAuthFailure?
    for address in try AuthorizationServer.metadataAddresses(of: issuer) {
      do throws(OAuthFailure) {
        let answer = try send(HTTPClient.Request(url: address), at: issuer)
        guard answer.status == 200 else {
          throw OAuthFailure(.unusable, "\(issuer) has no metadata: it answered \(answer.status)")
        }
        return try AuthorizationServer(metadata: answer.body, of: issuer)
      } catch {
        if error.kind == .unreachable { throw error }
        failure = failure ?? error
      }
    }
    throw failure ?? OAuthFailure(.unusable, "\(issuer) has no metadata")
  }

  /// Signs in with a browser on this machine.
  ///
  /// - Parameters:
  ///   - seconds: The longest time for the user.
  ///   - open: Shows the page at an address to the user, and returns at once.
  /// - Throws: ``OAuthFailure``; errors of the system if it can't listen.
  public func signIn(
    at server: AuthorizationServer, client: OAuthClient, scope: String, seconds: Double = 300,
    open: (String) -> Void
  ) throws -> OAuthTokens {
    let receiver = try RedirectReceiver()
    let request = try CodeRequest(server, client: client, scope: scope, redirect: receiver.address)
    open(request.address)
    let code = try receiver.wait(for: request, seconds: seconds)
    let answer = try ask(
      server.tokenEndpoint, of: server, client,
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", request.redirect),
        ("code_verifier", request.verifier),
      ])
    return try tokens(answer, server, client, scope)
  }

  /// Signs in on another device.
  ///
  /// - Parameters:
  ///   - show: Shows the user where to enter which code, and returns at once.
  ///   - sleep: Waits for so many seconds.
  /// - Throws: ``OAuthFailure``.
  public func signInElsewhere(
    at server: AuthorizationServer, client: OAuthClient, scope: String, sleep: (Double) -> Void,
    show: (DeviceAuthorization) -> Void
  ) throws(OAuthFailure) -> OAuthTokens {
    guard let endpoint = server.deviceEndpoint else {
      throw OAuthFailure(.unusable, "the server does not offer a sign-in on another device")
    }
    let answer = try post(endpoint, of: server, client, [("scope", scope)])
    let content = try TokenAnswer.read(
      status: answer.status, retryAfter: answer.retryAfter, body: answer.body)
    guard case .object(let json) = content else {
      throw OAuthFailure(.unreadable, "the authorization server's answer has no usable code")
    }
    var device = try DeviceAuthorization(json, at: clock(), plain: server.issuer.hasPrefix("http:"))
    show(device)
    let fields = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", device.deviceCode),
    ]
    while true {
      guard device.expires.seconds(since: clock()) > device.interval else {
        throw TokenAnswer.failure("expired_token")
      }
      sleep(device.interval)
      do throws(OAuthFailure) {
        switch try ask(server.tokenEndpoint, of: server, client, fields) {
        case .pending: continue
        case .slowDown: device.slowDown()
        case let answer: return try tokens(answer, server, client, scope)
        }
      } catch {
        guard error.kind == .unreachable || error.kind == .later else { throw error }
        device.slowDown()
      }
    }
  }

  /// Gets a new access token.
  ///
  /// - Returns: The token, and the grant to keep instead of this one: a server may replace the refresh token.
  /// - Throws: ``OAuthFailure``; of the kind `ended` if the user has to sign in again.
  public func refresh(_ grant: OAuthGrant) throws(OAuthFailure) -> OAuthTokens {
    let fields = [("grant_type", "refresh_token"), ("refresh_token", grant.refreshToken)]
    let answer = try ask(grant.server.tokenEndpoint, of: grant.server, grant.client, fields)
    guard case .tokens(let access, let refresh) = answer else {
      throw OAuthFailure(.unreadable, "the authorization server's answer has no usable token")
    }
    var grant = grant
    if let refresh { grant.refreshToken = refresh }
    return OAuthTokens(grant: grant, access: access)
  }

  private func tokens(
    _ answer: TokenAnswer, _ server: AuthorizationServer, _ client: OAuthClient, _ scope: String
  ) throws(OAuthFailure) -> OAuthTokens {
    guard case .tokens(let access, let refresh?) = answer else {
      throw OAuthFailure(
        .refused, "the server gives no lasting permission; perhaps --scope needs the word offline_access")
    }
    let grant = OAuthGrant(server: server, client: client, scope: scope, refreshToken: refresh)
    return OAuthTokens(grant: grant, access: access)
  }

  private func ask(
    _ endpoint: String, of server: AuthorizationServer, _ client: OAuthClient, _ fields: [(String, String)]
  ) throws(OAuthFailure) -> TokenAnswer {
    let answer = try post(endpoint, of: server, client, fields)
    return try TokenAnswer(
      status: answer.status, retryAfter: answer.retryAfter, body: answer.body, at: clock())
  }

  /// Posts a form with the client's ID, and its secret where the server takes it.
  private func post(
    _ endpoint: String, of server: AuthorizationServer, _ client: OAuthClient, _ fields: [(String, String)]
  ) throws(OAuthFailure) -> HTTPClient.Response {
    var fields = fields + [("client_id", client.id)]
    var request = HTTPClient.Request(url: endpoint)
    if let secret = client.secret {
      if server.takesSecretInBody {
        fields.append(("client_secret", secret))
      } else {
        // Both are encoded first (RFC 6749, section 2.3.1).
        request.authentication = .basic(
          user: PercentEncoding.encode(client.id), password: PercentEncoding.encode(secret))
      }
    }
    request.body = Array(OAuthForm.text(fields).utf8)
    request.headers = ["Content-Type: application/x-www-form-urlencoded", "Expect:"]
    return try send(request, at: server.issuer)
  }

  /// Redirections are not followed: secrets go to the address that the metadata name.
  private func send(
    _ request: HTTPClient.Request, at issuer: String
  ) throws(OAuthFailure) -> HTTPClient.Response {
    var request = request
    request.headers.append("Accept: application/json")
    request.limit = Self.limit
    do throws(HTTPClient.Failure) {
      return try http.send(request)
    } catch {
      throw OAuthFailure(.unreachable, "\(issuer): \(error.description)")
    }
  }
}
