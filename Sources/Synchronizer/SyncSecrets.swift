import Algorithms
import CalendarModel
public import CalendarStore
import Glibc
import System

/// The passwords of accounts: in the keyring of the user's session, else in a file beside the store that only its owner can
/// read. The file says which.
public struct SyncSecrets: Sendable {
  private let path: String?
  private let keyring: Keyring?

  /// Where a password is.
  enum Place: Hashable, Sendable {
    case file(password: String)
    case keyring(id: String)
  }

  /// The secrets of the accounts of a store. A store in memory keeps none.
  ///
  /// - Parameter keyring: The keyring to use; `nil` for the file alone.
  public init(of store: CalendarStore, keyring: Keyring? = nil) {
    path = store.path == ":memory:" ? nil : store.path + ".secrets"
    self.keyring = keyring
  }

  /// The password of an account, or `nil`.
  ///
  /// - Throws: ``SyncFailure`` if the keyring does not give it.
  public func password(of account: Int64) throws -> String? {
    switch try read()[account] {
    case nil: return nil
    case .file(let password): return password
    case .keyring(let id):
      guard let password = keyring?.secret(id) else {
        throw SyncFailure(
          "the password is in the keyring of your session, which is locked or not there; unlock it, or add the account again"
        )
      }
      return password
    }
  }

  /// Gives a password to the keyring. May block for long, if the user has to unlock it.
  ///
  /// - Returns: Where it is; the file if there is no keyring.
  func keep(_ password: String) -> Place {
    let id = Identifier<SyncAccount>.random().rawValue
    return keyring?.keep(password, as: id) == true ? .keyring(id: id) : .file(password: password)
  }

  /// Notes where the password of an account is.
  ///
  /// - Throws: ``SyncFailure`` if the file can't be written.
  func note(_ place: Place, of account: Int64) throws {
    var all = try read()
    all[account] = place
    try write(all)
  }

  /// Forgets the password of an account.
  ///
  /// - Throws: ``SyncFailure`` if the file can't be written.
  public func forget(_ account: Int64) throws {
    var all = try read()
    guard let place = all.removeValue(forKey: account) else { return }
    try write(all)
    forget(place)
  }

  /// Forgets a password that no account has.
  func forget(_ place: Place) { if case .keyring(let id) = place { keyring?.forget(id) } }

  // MARK: The file: a line for each account, its number and the encoded password, or its number, `keyring` and an identifier.

  private func read() throws -> [Int64: Place] {
    guard let path else { return [:] }
    guard access(path, F_OK) == 0 else { return [:] }
    let text = String(decoding: try WholeFile.read(path, upTo: 1 << 20), as: UTF8.self)
    var all: [Int64: Place] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count > 1, let number = Int64(parts[0]) else { continue }
      if parts.count == 3, parts[1] == "keyring" {
        all[number] = .keyring(id: String(parts[2]))
      } else if parts.count == 2, let password = PercentEncoding.decode(parts[1]) {
        all[number] = .file(password: password)
      }
    }
    return all
  }

  /// A new file takes the place of the old one, so that a crash leaves one of them whole.
  private func write(_ all: [Int64: Place]) throws {
    guard let path else { return }
    let text = all.sorted { $0.key < $1.key }.map { number, place in
      switch place {
      case .file(let password): "\(number) \(PercentEncoding.encode(password))\n"
      case .keyring(let id): "\(number) keyring \(id)\n"
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
