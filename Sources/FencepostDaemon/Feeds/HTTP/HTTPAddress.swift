import WebServer

/// `http://[USER:PASSWORD@]HOST:PORT[/PATH][?token=TOKEN]`: where to listen, and who may send.
public struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address of this machine to listen on.
  public var host: String
  /// The port; 0 for one that is free.
  public var port: UInt16
  /// The only path that is answered; `nil` for any.
  public var path: String?
  /// Who must sign in with Basic authentication; `nil` for nobody.
  public var user: String?
  /// With which password.
  public var password: String?
  /// What must be sent as a bearer token or as `?token=`; `nil` for nothing.
  public var token: String?
  /// How many of the fences near it a phone with OwnTracks is given to watch; 0 for none.
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

  /// Whether senders must say a secret.
  public var asksForSecret: Bool { user != nil || token != nil }

  /// True where only this machine can reach it, as far as the name tells; the address that it stands for is looked
  /// at again when it is listened on.
  public var isLoopback: Bool { HostName.isLoopback(host) }

  /// What to do where anybody could send.
  var advice: String {
    "anyone on the network could send positions; listen on 127.0.0.1, or require a secret:"
      + " http://USER:PASSWORD@\(place) or http://\(place)?token=SECRET"
  }

  /// Host and port.
  var place: String { "\(HostName.text(host)):\(port)" }

  /// Without secrets.
  public var description: String { "http://\(place)\(path ?? "")" }
}
