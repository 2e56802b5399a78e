import FencepostAddresses
import FencepostSystem
import Glibc

/// Where a channel has a secret from, such as a token.
public enum ChannelSecret: Hashable, Sendable {
  /// `token=TEXT`: from the address, which others on this machine may see.
  case literal(String)
  /// `token-file=PATH`: the first line of a file.
  case file(String)
  /// `token-env=NAME`: an environment variable.
  case environment(String)

  /// The parameters of a secret with a name.
  static func words(_ name: String) -> [String] { [name, "\(name)-file", "\(name)-env"] }

  /// Takes `NAME=TEXT`, `NAME-file=PATH` or `NAME-env=VARIABLE`; `nil` if `words` has none of these.
  init?(_ name: String, taking words: inout AddressParameters) throws(AddressError) {
    let literal = try words.take(name)
    let file = try words.take("\(name)-file")
    let variable = try words.take("\(name)-env")
    let secrets = [
      literal.map(Self.literal), file.map(Self.file), variable.map(Self.environment),
    ].compactMap(\.self)
    guard secrets.count < 2 else {
      throw words.failure("use only one of \(name)-file=PATH, \(name)-env=NAME and \(name)=TEXT")
    }
    guard literal != "", file?.hasPrefix("/") != false, variable != "" else {
      throw words.failure("missing \(name): use \(name)-file=/PATH, \(name)-env=NAME or \(name)=TEXT")
    }
    guard let secret = secrets.first else { return nil }
    self = secret
  }

  /// The secret.
  ///
  /// - Throws: If it can't be read.
  func text() throws(SystemFailure) -> String {
    switch self {
    case .literal(let secret): return secret
    case .environment(let name):
      guard let value = getenv(name), value.pointee != 0 else {
        throw SystemFailure("find the secret", reason: "the environment variable \(name) is not set")
      }
      return String(cString: value)
    case .file(let path): return try FileHead.secret(path)
    }
  }

  /// Whether it is in the address.
  var isLiteral: Bool { if case .literal = self { true } else { false } }

  /// Its file; `nil` if it is elsewhere.
  var file: String? { if case .file(let path) = self { path } else { nil } }
}
