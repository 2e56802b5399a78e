/// Decides which requests are allowed, before the body is read. Called on libmicrohttpd's thread, so it must
/// be quick.
public protocol HTTPGate: Sendable {
  /// Whether it is responsible for this path.
  func claims(_ head: HTTPHead) -> Bool
  /// Decides about a request.
  func admit(_ head: HTTPHead) -> HTTPAdmission
  /// The maximum bytes of a body.
  var bodyLimit: Int { get }
  /// The response to a larger body.
  var tooLarge: HTTPResponse { get }
}

/// The decision about a request, after its head has arrived.
public enum HTTPAdmission: Sendable {
  /// Read the body, then answer. The value is the authenticated sender, if any.
  case admitted(Principal?)
  /// Send this response at once.
  case refused(HTTPResponse)
  /// The secret is wrong. Send this response, unless the sender has guessed too often.
  case wrongSecret(HTTPResponse)
}

/// An authenticated sender.
public struct Principal: Hashable, Sendable {
  /// The method of authentication.
  public enum Way: Hashable, Sendable {
    /// A secret in an address of the settings.
    case address
    /// The password of a client.
    case client
    /// A session of a browser, with the digest of its key.
    case session([UInt8])
    /// In a page that an app asked for; the page's name.
    case page(String)
    /// With a token from a notification, which allows answering one alarm: the key of its firing.
    case answer(String)
  }

  /// The name of the client or user.
  public var name: String
  /// The method of authentication.
  public var way: Way
  /// The allowed operations.
  public var rights: Set<Right>
  /// The identifiers of the visible lists; `nil` for all.
  public var lists: Set<String>?

  /// An authenticated sender.
  public init(name: String, way: Way, rights: Set<Right>, lists: Set<String>? = nil) {
    self.name = name
    self.way = way
    self.rights = rights
    self.lists = lists
  }
}

/// An operation that a sender may be allowed over the network.
public enum Right: String, Hashable, Sendable, CaseIterable {
  /// Send positions.
  case positions
  /// Read items, lists, alarms and devices.
  case read
  /// Change items and lists, and respond to alarms.
  case write
}
