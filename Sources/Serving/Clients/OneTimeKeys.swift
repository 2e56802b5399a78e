public import FencepostCalendarModel
import FencepostCryptography
import Synchronization

/// Keys that work once, for a minute: for addresses that sign a browser in, or that open one page of the
/// editor.
public final class OneTimeKeys<Purpose: Sendable>: Sendable {
  private struct Entry {
    var digest: [UInt8]
    var expires: Instant
    var purpose: Purpose
  }

  private let entries = Mutex<[Entry]>([])
  private let seconds: Double
  /// More at the same time are a mistake; the oldest are dropped.
  private static var most: Int { 100 }

  /// Creates an empty set of keys.
  ///
  /// - Parameter seconds: How long a key works.
  public init(seconds: Double = 60) { self.seconds = seconds }

  /// Makes a key.
  public func make(_ purpose: Purpose, at now: Instant) -> (key: String, expires: Instant) {
    let key = Secret.key()
    let expires = now.adding(seconds: seconds)
    entries.withLock { entries in
      entries.removeAll { $0.expires <= now }
      if entries.count >= Self.most { entries.removeFirst() }
      entries.append(Entry(digest: key.digest, expires: expires, purpose: purpose))
    }
    return (key.text, expires)
  }

  /// The purpose of a key, which then no longer works; `nil` if it is unknown, used or too old.
  public func redeem(_ key: String, at now: Instant) -> Purpose? {
    let digest = Secret.digest(of: key)
    return entries.withLock { entries in
      entries.removeAll { $0.expires <= now }
      guard let index = entries.firstIndex(where: { MessageDigest.areEqual($0.digest, digest) }) else {
        return nil
      }
      return entries.remove(at: index).purpose
    }
  }
}
