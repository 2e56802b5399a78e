public import CalendarModel
import Cryptography
import Synchronization

/// Keys that work once, for a minute: for addresses that sign a browser in, or show one page of the editor.
public final class OneTimeKeys<Purpose: Sendable>: Sendable {
  private struct Entry {
    var digest: [UInt8]
    var expires: Instant
    var purpose: Purpose
  }

  private let entries = Mutex<[Entry]>([])
  private let seconds: Double
  /// More at once are a mistake; the oldest go.
  private static var most: Int { 100 }

  /// No keys yet.
  ///
  /// - Parameter seconds: For how long a key works.
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

  /// What a key is for, which does not work again; `nil` where it is none, was used, or is too old.
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
