/// Why a client or a password was not stored.
public enum ClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name is empty, too long, or contains control characters.
  case invalidName
  /// There is a client with this name.
  case nameTaken(String)
  /// There is a client with this name that has other rights, so it is something else.
  case otherRights(String)
  /// A phone can't reach an address of this machine alone.
  case unreachable(String)
  /// There is no client with this name.
  case unknown(String)
  /// It is the name of one client and the user name of another one: the names and user names of both.
  case ambiguous(String, [[String]])
  /// The password is too short.
  case weakPassword
  /// The client already has the most push subscriptions.
  case tooManySubscriptions
  /// An invitation was used, has ended, was revoked, or its list is gone.
  case endedInvitation
  /// No open invitation has this name.
  case unknownInvitation(String)
  /// A person can't have this name, because changes would seem to be the owner's or a program's.
  case reservedName(String)
  /// Somebody who is already signed in has other rights on other lists.
  case otherRightsThanInvited(String)
  /// The system can't make a hash of a password.
  case noHash

  /// One line: what is wrong, and what to do.
  public var description: String {
    switch self {
    case .invalidName: "a client needs a name of at most 100 bytes without control characters"
    case .nameTaken(let name): "there is a client named '\(name)'; revoke it first, or choose another name"
    case .otherRights(let name):
      "'\(name)' is another kind of client; choose another name, or revoke it with 'fencepost clients revoke'"
    case .unreachable(let host):
      "a phone can't reach \(host), which is this machine alone; 'fencepost setup' gives the server an address that it can reach"
    case .unknown(let name): "no client named '\(name)'; run 'fencepost clients list' to see all"
    case .ambiguous(let name, let clients):
      "'\(name)' may be "
        + clients.map { "'\($0[0])' with the user name '\($0[1])'" }.joined(separator: " or ")
        + "; give the user name of the one to revoke, with --user-name"
    case .weakPassword: "use a password of ten characters or more"
    case .tooManySubscriptions: "a client can have at most 20 push subscriptions; remove one first"
    case .endedInvitation: "this invitation was used or has ended; ask for another one"
    case .unknownInvitation(let id):
      "no open invitation '\(id)'; run 'fencepost clients list' to see all"
    case .reservedName(let name): "nobody can be called '\(name)' here; choose another name"
    case .otherRightsThanInvited(let name):
      "'\(name)' has other rights than this invitation gives; ask for one with the same rights"
    case .noHash: "the system's libcrypt has no yescrypt, so passwords can't be kept"
    }
  }
}
