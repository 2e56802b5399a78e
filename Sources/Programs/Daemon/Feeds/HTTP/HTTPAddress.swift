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

  init(_ parts: URLParts, _ words: inout AddressWords) throws(AddressError) {
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

  /// The address without secrets.
  public var description: String { "http://\(place)\(path ?? "")" }
}
