import Algorithms
public import CalendarStore
import Glibc
import System

/// The passwords of accounts, in a file next to the store that only its owner can read.
public struct SyncSecrets: Sendable {
  private let path: String?

  /// The secrets of a store's accounts. A store in memory keeps none.
  public init(of store: CalendarStore) { path = store.path == ":memory:" ? nil : store.path + ".secrets" }

  /// The password of an account; `nil` if there is none.
  public func password(of account: Int64) throws -> String? { try read()[account] }

  /// Saves the password of an account, or removes it with `nil`.
  ///
  /// - Throws: ``SyncFailure`` if the file can't be written.
  public func set(_ password: String?, of account: Int64) throws {
    var all = try read()
    all[account] = password
    try write(all)
  }

  private func read() throws -> [Int64: String] {
    guard let path else { return [:] }
    guard access(path, F_OK) == 0 else { return [:] }
    let text = String(decoding: try WholeFile.read(path, upTo: 1 << 20), as: UTF8.self)
    var all: [Int64: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2, let number = Int64(parts[0]), let password = PercentEncoding.decode(parts[1]) {
        all[number] = password
      }
    }
    return all
  }

  /// Replaces the old file atomically, so that a crash leaves one of them whole.
  private func write(_ all: [Int64: String]) throws {
    guard let path else { return }
    let text = all.sorted { $0.key < $1.key }.map { "\($0.key) \(PercentEncoding.encode($0.value))\n" }
      .joined()
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
