public import CalDAVClient
public import CalendarModel
public import CalendarStore
public import FoundationEssentials
import Glibc
import Reconciliation
import System

/// Adds, synchronizes and removes accounts on CalDAV servers. Each account is a source of calendars.
///
/// Calls block while the server answers.
public struct AccountKeeper: Sendable {
  let store: CalendarStore
  let secrets: SyncSecrets
  /// Called before each request, for tests.
  let willSend: @Sendable (String, URL) throws -> Void

  /// Seconds between two synchronizations.
  public static let interval = 900.0

  /// The accounts of a store.
  ///
  /// - Parameter willSend: Called with the method and address of each request. If it throws, the request is not sent.
  public init(
    store: CalendarStore, willSend: @escaping @Sendable (String, URL) throws -> Void = { _, _ in }
  ) {
    self.store = store
    secrets = SyncSecrets(of: store)
    self.willSend = willSend
  }

  /// Finds a user's calendars on a server and adds the account, without reading items.
  ///
  /// - Parameters:
  ///   - text: The address of the server, its name, or a mail address.
  ///   - user: The user name; `nil` for the mail address, or for a server without users.
  ///   - password: The password.
  ///   - title: The name of the account here; `nil` for the server's name.
  ///   - discovery: Finds the calendars.
  /// - Returns: The account.
  /// - Throws: ``CalDAVClient/DAVFailure`` or ``SyncFailure``. Then no account is added.
  public func add(
    _ text: String, user: String?, password: String?, title: String? = nil,
    discovery: CalDAVDiscovery = CalDAVDiscovery()
  ) throws -> SyncAccount {
    let candidates = try discovery.candidates(for: text)
    guard let origin = candidates.urls.first else { throw SyncFailure("'\(text)' is not an address") }
    let user = user ?? (password == nil ? nil : candidates.user)
    let credentials = user.map { DAVCredentials(user: $0, password: password ?? "") }
    let session = try DAVSession(origin: origin, credentials: credentials, willSend: willSend)
    let home = try discovery.home(at: candidates.urls, session: session)
    return try store.write { writer in
      let same = try writer.reader.syncAccounts().contains {
        $0.home == home.absoluteString && $0.user == user
      }
      guard !same else { throw SyncFailure("this account exists already") }
      let source = Source(kind: .calDAV, title: title ?? origin.host ?? text)
      try writer.save(source)
      var account = SyncAccount(kind: .calDAV, address: origin.absoluteString, user: user, source: source.id)
      account.home = home.absoluteString
      try writer.save(&account)
      // In the transaction, so that each account has its password.
      try secrets.set(password, of: account.number)
      return account
    }
  }

  /// Removes an account with its calendars and their items. The server keeps them.
  public func remove(_ account: SyncAccount) throws {
    try store.write { writer in
      if let source = account.source { try writer.remove(source) }
      try writer.removeSyncAccount(account.number)
    }
    try secrets.set(nil, of: account.number)
  }

  /// Synchronizes an account and records the result.
  ///
  /// - Throws: ``SyncFailure`` if the server does not answer as expected, and errors of the store. Completed
  ///   steps are kept.
  public func synchronize(
    _ account: SyncAccount, options: SyncOptions = SyncOptions(), at now: Instant
  ) throws -> SyncCounts {
    guard let lock = try lock(account, timeout: options.lockTimeout) else {
      throw SyncFailure("another program is synchronizing this account")
    }
    defer { withExtendedLifetime(lock) {} }
    do {
      let counts = try AccountRun(keeper: self, account: account, options: options, now: now).run()
      if !options.isDryRun { try note(nil, account, at: now) }
      return counts
    } catch let failure as DAVFailure {
      let failure = SyncFailure(failure.description, retryAfter: failure.retryAfter)
      if !options.isDryRun { try note(failure, account, at: now) }
      throw failure
    } catch let failure as SyncFailure {
      if !options.isDryRun { try note(failure, account, at: now) }
      throw failure
    }
  }

  /// Whether there are local changes that the server does not have yet. Cost: microseconds if nothing changed
  /// since the last time; otherwise a scan of the changes.
  public func hasLocalChanges(_ account: SyncAccount) throws -> Bool {
    try store.read { reader in
      for collection in try reader.syncedCalendars(of: account.number) {
        let isWritable = try reader.calendar(collection.calendar)?.allowsContentModifications ?? false
        let changes = try LocalScan(collection, isWritable: isWritable, in: reader).changes
        let waits = collection.waitingDeletions > 0
        if !changes.changed.isEmpty || !changes.added.isEmpty || !changes.removed.isEmpty && !waits {
          return true
        }
      }
      return false
    }
  }

  /// Prevents two programs from synchronizing an account at the same time.
  private func lock(_ account: SyncAccount, timeout: Double) throws -> AnyObject? {
    guard store.path != ":memory:" else { return SyncAccountLock() }
    let deadline = Instant.wallClock().adding(seconds: timeout)
    while true {
      if let lock = try FileLock(path: "\(store.path).sync-\(account.number)") { return lock }
      guard Instant.wallClock() < deadline else { return nil }
      usleep(50_000)
    }
  }

  private final class SyncAccountLock {}

  private func note(_ failure: SyncFailure?, _ account: SyncAccount, at now: Instant) throws {
    try store.write { writer in
      guard var account = try writer.reader.syncAccount(account.number) else { return }
      account.checked = now
      if let failure {
        account.failures += 1
        account.failure = failure.description
        let delay = max(failure.retryAfter ?? 0, min(60 * Double(1 << min(account.failures - 1, 10)), 3_600))
        account.next = now.adding(seconds: delay)
      } else {
        account.succeeded = now
        account.failures = 0
        account.failure = nil
        account.next = now.adding(seconds: Self.interval)
      }
      try writer.save(&account)
    }
  }
}
