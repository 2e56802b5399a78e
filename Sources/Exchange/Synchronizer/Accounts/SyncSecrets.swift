import FencepostAlgorithms
import FencepostCalDAVClient
import FencepostCalendarModel
public import FencepostCalendarStore
import FencepostOAuth
import FencepostSystem
import Glibc

/// The secrets of accounts: in the keyring of the user's session, else in a file beside the store that only
/// its owner can read. The file says which.
public struct SyncSecrets: Sendable {
  private let path: String?
  private let keyring: Keyring?

  /// What the server knows a user by.
  enum Value: Hashable, Sendable {
    case password(String)
    case grant(OAuthGrant)

    fileprivate var text: String {
      switch self {
      case .password(let password): password
      case .grant(let grant): grant.text
      }
    }
  }

  /// Where a secret is.
  struct Place: Hashable, Sendable {
    fileprivate enum Keeper: Hashable {
      case file(secret: String)
      case keyring(id: String)
    }
    fileprivate var isGrant: Bool
    fileprivate var keeper: Keeper
  }

  /// What the name of the file of secrets adds to the store's.
  public static let fileSuffix = ".secrets"

  /// The secrets of the accounts of a store. A store in memory keeps none.
  ///
  /// - Parameter keyring: The keyring to use; `nil` for the file alone.
  public init(of store: CalendarStore, keyring: Keyring? = nil) {
    path = store.path == ":memory:" ? nil : store.path + Self.fileSuffix
    self.keyring = keyring
  }

  /// The secret of an account, or `nil`.
  ///
  /// - Throws: ``SyncFailure`` if the keyring does not give it.
  func secret(of account: Int64) throws -> Value? {
    guard let place = try read()[account] else { return nil }
    let text: String
    switch place.keeper {
    case .file(let secret): text = secret
    case .keyring(let id):
      guard let secret = keyring?.secret(id) else {
        throw SyncFailure(
          "the password is in the keyring of your session, which is locked or not there; unlock it, or \(DAVFailure.signInAdvice)"
        )
      }
      text = secret
    }
    guard place.isGrant else { return .password(text) }
    guard let grant = OAuthGrant(text: text) else {
      throw SyncFailure("the kept sign-in is damaged; \(DAVFailure.signInAdvice)")
    }
    return .grant(grant)
  }

  /// Gives a secret to the keyring. May block for long, if the user has to unlock it.
  ///
  /// - Returns: Where it is; the file if there is no keyring.
  func store(_ secret: Value) -> Place {
    let id = Identifier<SyncAccount>.random().rawValue
    let isGrant = if case .grant = secret { true } else { false }
    return keyring?.store(secret.text, as: id) == true
      ? Place(isGrant: isGrant, keeper: .keyring(id: id))
      : Place(isGrant: isGrant, keeper: .file(secret: secret.text))
  }

  /// Notes where the secret of an account is. Call it in a transaction of the store, so that no other program
  /// writes the file.
  ///
  /// - Returns: Where it was before.
  /// - Throws: ``SyncFailure`` if the file can't be written.
  @discardableResult
  func record(_ place: Place, of account: Int64) throws -> Place? {
    var all = try read()
    let old = all.updateValue(place, forKey: account)
    try write(all)
    return old
  }

  /// Forgets the secret of an account.
  ///
  /// - Throws: ``SyncFailure`` if the file can't be written.
  public func forget(_ account: Int64) throws {
    var all = try read()
    guard let place = all.removeValue(forKey: account) else { return }
    try write(all)
    forget(place)
  }

  /// Forgets a secret that no account has.
  func forget(_ place: Place) { if case .keyring(let id) = place.keeper { keyring?.forget(id) } }

  // MARK: The file: a line for each account, its number and the encoded password, or its number, `keyring`
  // and an identifier. For a grant, `oauth` comes after the number.

  private func read() throws -> [Int64: Place] {
    guard let path else { return [:] }
    guard FileIdentity(at: path) != nil else { return [:] }
    let text = String(decoding: try WholeFile.read(path, upTo: 1 << 20), as: UTF8.self)
    var all: [Int64: Place] = [:]
    for line in text.split(separator: "\n") {
      var parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)[...]
      guard let number = parts.popFirst().flatMap({ Int64($0) }) else { continue }
      let isGrant = parts.count > 1 && parts.first == "oauth"
      if isGrant { parts.removeFirst() }
      if parts.count == 2, parts.first == "keyring", let id = parts.last {
        all[number] = Place(isGrant: isGrant, keeper: .keyring(id: String(id)))
      } else if parts.count == 1, let secret = parts.first.flatMap({ PercentEncoding.decode($0) }) {
        all[number] = Place(isGrant: isGrant, keeper: .file(secret: secret))
      }
    }
    return all
  }

  /// A new file takes the place of the old one, so that a crash leaves one of them whole.
  private func write(_ all: [Int64: Place]) throws {
    guard let path else { return }
    let text = all.sorted { $0.key < $1.key }.map { number, place in
      let start = place.isGrant ? "\(number) oauth" : "\(number)"
      return switch place.keeper {
      case .file(let secret): "\(start) \(PercentEncoding.encode(secret))\n"
      case .keyring(let id): "\(start) keyring \(id)\n"
      }
    }.joined()
    let new = "\(path).\(getpid())"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SyncFailure("can't write \(new): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
      rename(new, path) == 0
    else {
      let reason = String(cString: strerror(errno))
      unlink(new)
      throw SyncFailure("can't write \(path): \(reason)")
    }
  }
}

/// The keyring of the user's session (Secret Service), through libsecret's program `secret-tool`.
///
/// Calls block until the keyring answers: it may ask the user to unlock it.
public struct Keyring: Sendable {
  private static let program = "secret-tool"
  /// Seconds that the user has to unlock it.
  private static let timeout = 60.0

  /// The keyring of this process's session; `nil` without a session bus.
  public static func ofSession() -> Keyring? {
    ofSession(at: getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) })
  }

  /// The keyring of the session with the address of its bus, `DBUS_SESSION_BUS_ADDRESS`; `nil` without one.
  public static func ofSession(at bus: String?) -> Keyring? { bus.flatMap { $0.isEmpty ? nil : Keyring() } }

  /// Keeps a secret.
  ///
  /// - Returns: False if there is no keyring, or it does not keep it.
  func store(_ secret: String, as id: String) -> Bool {
    let label = "--label=Fencepost: calendar account"
    return ask(["store", label] + Self.attributes(id), input: Array(secret.utf8)) != nil
      && self.secret(id) == secret
  }

  /// A secret; `nil` if the keyring is locked or does not have it.
  func secret(_ id: String) -> String? {
    ask(["lookup"] + Self.attributes(id)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Forgets a secret.
  func forget(_ id: String) { _ = ask(["clear"] + Self.attributes(id)) }

  private static func attributes(_ id: String) -> [String] { ["application", "fencepost", "id", id] }

  private func ask(_ arguments: [String], input: [UInt8] = []) -> [UInt8]? {
    let program = ChildProgram(path: Self.program, arguments: arguments)
    guard let answer = try? program.ask(input: input, timeout: Self.timeout, most: 65_536),
      answer.ending == .exited(0)
    else { return nil }
    return answer.output
  }
}
