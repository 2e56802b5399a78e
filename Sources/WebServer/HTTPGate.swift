/// Who may ask for what: looked at before a request's body is read, on libmicrohttpd's thread. So it must be quick.
public protocol HTTPGate: Sendable {
  /// Whether requests for this path are its own.
  func claims(_ path: String) -> Bool
  /// Decides about a request.
  func admit(_ head: HTTPHead) -> HTTPAdmission
  /// How many bytes a body may have.
  var bodyLimit: Int { get }
  /// What is answered to a larger body.
  var tooLarge: HTTPResponse { get }
}

/// What becomes of a request whose head has come.
public enum HTTPAdmission: Sendable {
  /// Its body is read, and then it is answered. By whom it was sent, where somebody signed in.
  case admitted(Principal?)
  /// It is answered at once.
  case refused(HTTPResponse)
  /// Somebody showed a wrong secret. It is answered so, unless that sender has guessed too often.
  case wrongSecret(HTTPResponse)
}

/// Somebody who signed in.
public struct Principal: Hashable, Sendable {
  /// How.
  public enum Way: Hashable, Sendable {
    /// With a secret that stands in an address of the settings.
    case address
    /// As a client with a password of its own.
    case client
    /// In a browser; the digest of the session's key.
    case session([UInt8])
  }

  /// The name: of the client, or of the user.
  public var name: String
  /// How they signed in.
  public var way: Way
  /// What they may do.
  public var rights: Set<Right>
  /// The identifiers of the lists that they may see; `nil` for all.
  public var lists: Set<String>?

  /// Somebody who signed in.
  public init(name: String, way: Way, rights: Set<Right>, lists: Set<String>? = nil) {
    self.name = name
    self.way = way
    self.rights = rights
    self.lists = lists
  }
}

/// What somebody may do over the network.
public enum Right: String, Hashable, Sendable, CaseIterable {
  /// Send positions.
  case positions
  /// Read items, lists, alarms and devices.
  case read
  /// Change items and lists, and answer alarms.
  case write
}
